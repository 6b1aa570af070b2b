#include "exporter/settings/packed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "exporter/settings/setting_table.h"

namespace ascend {
namespace {

using ::testing::HasSubstr;

// Another allowed value than the default's.
std::vector<std::string> OtherTexts(const Setting& setting) {
  if (setting.flag == "--web.telemetry-path" || setting.flag == "--compat.path") return {"/npu"};
  if (std::holds_alternative<TextKind>(setting.kind)) return {"/other path"};
  if (const auto* choice = std::get_if<ChoiceKind>(&setting.kind)) {
    return {std::string(choice->allowed.back())};
  }
  if (std::holds_alternative<TextListKind>(setting.kind)) {
    if (setting.flag.ends_with("address")) return {":1", "[::1]:2", "host:3"};
    return {"one", "two"};
  }
  if (std::holds_alternative<SwitchKind>(setting.kind)) return {"true"};
  if (std::holds_alternative<CountKind>(setting.kind)) return {"7"};
  return {FormatDuration(std::get<DurationKind>(setting.kind).bounds.most)};
}

std::string Error(std::string_view packed) {
  const auto settings = UnpackSettings(packed);
  EXPECT_FALSE(settings.ok());
  std::string message(settings.status().message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with("packed settings: ")) << message;
  return message;
}

// Joins texts as PackSettings does.
std::string Packed(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) packed.append(text).push_back('\0');
  return packed;
}

TEST(PackedSettingsTest, EverySettingComesBackAsItWas) {
  for (const Setting& setting : AllSettings()) {
    if (FileKey(setting).empty()) continue;
    SCOPED_TRACE(setting.flag);
    Settings settings;
    ASSERT_TRUE(Assign(setting, OtherTexts(setting), settings).ok());
    const auto unpacked = UnpackSettings(PackSettings(settings));
    ASSERT_TRUE(unpacked.ok()) << unpacked.status();
    EXPECT_NE(ValueTexts(setting, *unpacked), ValueTexts(setting, Settings{}));
    for (const Setting& any : AllSettings()) {
      EXPECT_EQ(ValueTexts(any, *unpacked), ValueTexts(any, settings)) << any.flag;
    }
  }
}

TEST(PackedSettingsTest, ATextThatWasSetToNothingDoesNotComeBackAsItsDefault) {
  Settings settings;
  settings.sysfs_path = "";
  const auto unpacked = UnpackSettings(PackSettings(settings));
  ASSERT_TRUE(unpacked.ok()) << unpacked.status();
  EXPECT_EQ(unpacked->sysfs_path, "");
}

TEST(PackedSettingsTest, ADurationComesBackToTheNanosecond) {
  Settings settings;
  settings.fast_period = std::chrono::nanoseconds(1'234'500'001);
  const auto unpacked = UnpackSettings(PackSettings(settings));
  ASSERT_TRUE(unpacked.ok()) << unpacked.status();
  EXPECT_EQ(unpacked->fast_period, settings.fast_period);
}

TEST(PackedSettingsTest, TheNameOfTheFileIsLeftOut) {
  Settings settings;
  settings.config_file = "exporter.yml";
  const std::string packed = PackSettings(settings);
  EXPECT_EQ(packed.find("exporter.yml"), std::string::npos);
  EXPECT_EQ(UnpackSettings(packed)->config_file, "");
}

TEST(PackedSettingsTest, EveryTruncationIsRefused) {
  const std::string packed = PackSettings(Settings{});
  for (std::size_t size = 0; size < packed.size(); ++size) Error(packed.substr(0, size));
}

TEST(PackedSettingsTest, BytesBehindTheLastPairAreRefused) {
  EXPECT_THAT(Error(PackSettings(Settings{}) + "x"), HasSubstr("go on for 1 bytes"));
}

TEST(PackedSettingsTest, GarbageIsRefusedInWords) {
  EXPECT_THAT(Error("rubbish"), HasSubstr("do not begin with a number of pairs"));
  EXPECT_THAT(Error(Packed({"99999999999999999999"})), HasSubstr("do not begin with a number"));
  EXPECT_THAT(Error(Packed({"-1"})), HasSubstr("do not begin with a number"));
  EXPECT_THAT(Error(Packed({"18446744073709551615"})), HasSubstr("end after 0 of"));
  EXPECT_THAT(Error(Packed({"1", "--no\nsuch", "x"})),
              HasSubstr("--no\\nsuch: unknown flag; they are of another version"));
  EXPECT_THAT(Error(Packed({"1", "--config.file", "x"})), HasSubstr("--config.file: unknown flag"));
}

TEST(PackedSettingsTest, AValueIsCheckedAsOnTheCommandLine) {
  EXPECT_THAT(Error(Packed({"1", "--sampling.fast-period", "1ns"})),
              HasSubstr("--sampling.fast-period: \"1ns\" has no known unit"));
  EXPECT_THAT(Error(Packed({"2", "--driver", "sim", "--driver", "sim"})),
              HasSubstr("--driver: given 2 times; give it once"));
}

}  // namespace
}  // namespace ascend
