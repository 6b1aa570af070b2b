#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "exporter/settings/settings.h"

namespace ascend {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Settings Read(const std::string& text) {
  Settings settings;
  const absl::Status status = ApplyConfigText(text, "exporter.yml", settings);
  EXPECT_TRUE(status.ok()) << status;
  return settings;
}

std::string Error(const std::string& text) {
  Settings settings;
  settings.driver = "dcmi";
  const absl::Status status = ApplyConfigText(text, "exporter.yml", settings);
  EXPECT_FALSE(status.ok()) << text;
  EXPECT_EQ(settings.driver, "dcmi") << "a refused file changed something";
  const std::string message(status.message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

TEST(ConfigTextTest, AnEmptyFileChangesNothing) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n", "{}\n", "sampling:\n"}) {
    EXPECT_EQ(Read(text).fast_period, std::chrono::seconds(1)) << text;
  }
}

TEST(ConfigTextTest, LaysTheFileOverWhatWasSet) {
  Settings settings;
  settings.log_level = "error";
  ASSERT_TRUE(ApplyConfigText("driver: sim\n", "exporter.yml", settings).ok());
  EXPECT_EQ(settings.driver, "sim");
  EXPECT_EQ(settings.log_level, "error");
}

TEST(ConfigTextTest, ReadsNestedKeys) {
  const Settings settings = Read(
      "sampling: {fast_period: 250ms}\n"
      "npu_smi:\n"
      "  path: /opt/npu-smi\n"
      "devices: {expected: 8}\n"
      "dcmi: {allow_untrusted_library: true}\n"
      "web:\n"
      "  listen_address: [\":1\", \"[::1]:2\"]\n");
  EXPECT_EQ(settings.fast_period, std::chrono::milliseconds(250));
  EXPECT_EQ(settings.npu_smi_path, "/opt/npu-smi");
  EXPECT_EQ(settings.devices_expected, 8);
  EXPECT_TRUE(settings.dcmi_allow_untrusted_library);
  EXPECT_THAT(settings.listen_addresses, ElementsAre(":1", "[::1]:2"));
}

TEST(ConfigTextTest, AMisspeltKeyGetsTheNearestOne) {
  EXPECT_EQ(Error("driver: sim\n\n\n\n\nsampling:\n  fast_perod: 1s\n"),
            "exporter.yml:7: sampling.fast_perod: unknown key; did you mean fast_period?");
  EXPECT_EQ(Error("sampling: {fast-period: 1s}\n"),
            "exporter.yml:1: sampling.fast-period: unknown key; did you mean fast_period?");
  EXPECT_EQ(Error("smapling: {fast_period: 1s}\n"),
            "exporter.yml:1: smapling: unknown key; did you mean sampling?");
}

TEST(ConfigTextTest, AnUnknownKeyWithoutANeighbourPointsToHelp) {
  for (const char* key : {"kubernetes", "\"\"", "<<", "\"~\""}) {
    EXPECT_THAT(Error(std::string(key) + ": {}\n"),
                HasSubstr("unknown key; ascend-exporter --help lists all keys"));
  }
  EXPECT_THAT(Error("config: {file: a.yml}\n"), HasSubstr("exporter.yml:1: config: unknown key"));
  EXPECT_THAT(Error("web: {web: {telemetry_path: /x}}\n"), HasSubstr("web.web: unknown key"));
  EXPECT_THAT(Error("web: {\"\": 1}\n"), HasSubstr("unknown key"));
}

TEST(ConfigTextTest, ADottedKeyIsToldToNest) {
  EXPECT_EQ(Error("sampling.fast_period: 1s\n"),
            "exporter.yml:1: sampling.fast_period: unknown key; write what is behind the point "
            "below sampling:");
}

TEST(ConfigTextTest, ADurationNeedsAUnit) {
  EXPECT_EQ(Error("sampling:\n\n  fast_period: 1\n"),
            "exporter.yml:3: sampling.fast_period: \"1\" has no unit; write a duration such as "
            "250ms, 1s or 5m");
  EXPECT_THAT(Error("sampling: {fast_period: 0}\n"), HasSubstr("\"0\" has no unit"));
}

TEST(ConfigTextTest, BoundsHoldForTheFileToo) {
  EXPECT_EQ(Error("sampling: {fast_period: 9ms}\n"),
            "exporter.yml:1: sampling.fast_period: 9ms is below the least, 10ms");
  EXPECT_EQ(Error("sampling: {memory_period: 99ms}\n"),
            "exporter.yml:1: sampling.memory_period: 99ms is below the least, 100ms");
}

TEST(ConfigTextTest, AKeySetTwiceIsRefused) {
  EXPECT_EQ(Error("sampling:\n  fast_period: 1s\n  health_period: 1s\n  fast_period: 1s\n"),
            "exporter.yml:4: sampling.fast_period: was set in line 2 already; keep one");
  EXPECT_EQ(Error("web:\nlog:\nweb:\n"),
            "exporter.yml:3: web: was set in line 1 already; keep one");
}

TEST(ConfigTextTest, AWrongTypeIsNamed) {
  EXPECT_EQ(Error("driver: [sim]\n"),
            "exporter.yml:1: driver: must be one value (auto, dcmi, npu-smi, sim), not a list");
  EXPECT_EQ(Error("devices: {expected: {n: 1}}\n"),
            "exporter.yml:1: devices.expected: must be one value (0 to 1024), not a map");
  EXPECT_EQ(Error("dcmi:\n  library:\n"),
            "exporter.yml:2: dcmi.library: must be one value (a path), not nothing");
  EXPECT_EQ(Error("web: {listen_address: \":1\"}\n"),
            "exporter.yml:1: web.listen_address: must be a list, such as [\":10910\"]");
  EXPECT_EQ(Error("collectors: {enable: fans}\n"),
            "exporter.yml:1: collectors.enable: must be a list, such as [\"NAME\"]");
  EXPECT_EQ(Error("web: {listen_address: [[\":1\"]]}\n"),
            "exporter.yml:1: web.listen_address: must be a list of texts, but an item is not a "
            "text");
  EXPECT_EQ(Error("sampling: 1s\n"),
            "exporter.yml:1: sampling: is a section; write its settings below it, such as "
            "fast_period: ...");
  EXPECT_EQ(Error("dcmi: {allow_untrusted_library: yes}\n"),
            "exporter.yml:1: dcmi.allow_untrusted_library: \"yes\" is neither true nor false");
}

TEST(ConfigTextTest, AListNamesTheLineOfItsWrongItem) {
  EXPECT_THAT(Error("web:\n  listen_address:\n    - \":1\"\n    - nowhere\n"),
              StartsWith("exporter.yml:4: web.listen_address: \"nowhere\" is not an address"));
  EXPECT_EQ(Error("web: {listen_address: []}\n"),
            "exporter.yml:1: web.listen_address: is empty; give at least one");
}

TEST(ConfigTextTest, AFileThatIsNoMapIsRefused) {
  for (const char* text : {"[1, 2]\n", "hello\n", "- driver: sim\n"}) {
    EXPECT_EQ(Error(text),
              "exporter.yml:1: is not a map of settings; write lines such as driver: auto");
  }
  EXPECT_EQ(Error("? [a]\n: b\n"),
            "exporter.yml:1: has a key that is no plain text; write name: value");
}

TEST(ConfigTextTest, ASecondDocumentIsNotSilentlyIgnored) {
  EXPECT_EQ(Error("log: {level: info}\n---\ndriver: sim\n"),
            "exporter.yml:2: is not part of the one map of settings; put all settings into it");
  EXPECT_EQ(Read("---\ndriver: sim\n...\n").driver, "sim");
}

// The first of these keeps LoadAll of yaml-cpp busy for ever.
TEST(ConfigTextTest, AStrayCommaOrBracketEndsTheReading) {
  for (const char* text : {", a\n", "]\n", "}\n", "driver: sim\n, log: 1\n"}) {
    EXPECT_THAT(Error(text), StartsWith("exporter.yml:")) << text;
  }
}

TEST(ConfigTextTest, BrokenYamlIsRefusedWithItsLine) {
  EXPECT_THAT(Error("driver: sim\nlog: {level: info\n"), HasSubstr("is not YAML: "));
  EXPECT_THAT(Error("driver: sim\nlog: level: info\n"),
              StartsWith("exporter.yml:2: is not YAML: "));
  EXPECT_THAT(Error("driver: *nobody\n"), StartsWith("exporter.yml:1: is not YAML: "));
  EXPECT_THAT(Error(std::string(100'000, '[')), HasSubstr("is not YAML: "));
}

TEST(ConfigTextTest, ControlCharactersStayOnOneLine) {
  EXPECT_EQ(Error("driver: \"a\\nb\"\n"),
            "exporter.yml:1: driver: \"a\\nb\" is not one of auto, dcmi, npu-smi, sim");
  EXPECT_THAT(Error("\"a\\nb\": 1\n"), StartsWith("exporter.yml:1: a\\nb: unknown key"));
  EXPECT_THAT(Error("dcmi: {library: \"/a\\0b\"}\n"), HasSubstr("has a control character"));
}

}  // namespace
}  // namespace ascend
