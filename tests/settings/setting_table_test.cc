#include "exporter/settings/setting_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/settings/commands.h"
#include "exporter/settings/settings.h"

namespace ascend {
namespace {

using ::testing::HasSubstr;

// A value for every setting that differs from its default.
const std::map<std::string_view, std::vector<std::string>>& OtherValues() {
  static const std::map<std::string_view, std::vector<std::string>> kValues = {
      {"--isolation", {"none"}},
      {"--front.user", {"nobody"}},
      {"--path.state", {"/var/lib/ascend-exporter"}},
      {"--web.enable-lifecycle", {"true"}},
      {"--web.listen-address", {"127.0.0.1:9100", "[::1]:9100"}},
      {"--web.telemetry-path", {"/npu"}},
      {"--compat.path", {"/metrics/huawei"}},
      {"--compat.listen-address", {":8082", "[::1]:8082"}},
      {"--driver", {"npu-smi"}},
      {"--dcmi.library", {"/opt/dcmi/libdcmi.so"}},
      {"--dcmi.allow-untrusted-library", {"true"}},
      {"--npu-smi.path", {"/opt/bin/npu-smi"}},
      {"--hccn-tool.path", {"/opt/bin/hccn_tool"}},
      {"--path.sysfs", {"/host/sys"}},
      {"--sim.scenario", {"16x910c"}},
      {"--log.level", {"debug"}},
      {"--log.format", {"json"}},
      {"--sampling.fast-period", {"250ms"}},
      {"--sampling.health-period", {"2s"}},
      {"--sampling.memory-period", {"3s"}},
      {"--sampling.links-period", {"20s"}},
      {"--sampling.network-period", {"40s"}},
      {"--sampling.identity-period", {"4m"}},
      {"--sampling.fast-deadline", {"5s"}},
      {"--sampling.health-deadline", {"6s"}},
      {"--sampling.memory-deadline", {"7s"}},
      {"--sampling.links-deadline", {"9s"}},
      {"--sampling.network-deadline", {"11s"}},
      {"--sampling.identity-deadline", {"8s"}},
      {"--sampling.window", {"5m"}},
      {"--collectors.enable", {"core_utilization", "network_pfc_priority"}},
      {"--collectors.disable", {"fans"}},
      {"--devices.discovery-period", {"9s"}},
      {"--devices.lost-retention", {"36h"}},
      {"--devices.expected", {"8"}},
      {"--devices.release-for", {"3m"}},
  };
  return kValues;
}

std::vector<std::string> AllValues(const Settings& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : AllSettings()) {
    texts.push_back(
        fmt::format("{} {}", setting.flag, fmt::join(ValueTexts(setting, settings), " ")));
  }
  return texts;
}

Settings ByFlag(const Setting& setting, const std::vector<std::string>& texts) {
  std::vector<std::string> words = {"ascend-exporter"};
  for (const std::string& text : texts) words.push_back(fmt::format("{}={}", setting.flag, text));
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const auto parsed = ParseCommandLine(static_cast<int>(argv.size()), argv.data());
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.ok() ? parsed->invocation.settings : Settings{};
}

Settings ByFile(const Setting& setting, const std::vector<std::string>& texts) {
  std::string value = fmt::format("\"{}\"", fmt::join(texts, "\", \""));
  if (TakesList(setting)) value = fmt::format("[{}]", value);
  const std::string key = FileKey(setting);
  const std::size_t point = key.find('.');
  const std::string text =
      point == std::string::npos
          ? fmt::format("{}: {}\n", key, value)
          : fmt::format("{}:\n  {}: {}\n", key.substr(0, point), key.substr(point + 1), value);
  Settings settings;
  const absl::Status status = ApplyConfigText(text, "exporter.yml", settings);
  EXPECT_TRUE(status.ok()) << status;
  return settings;
}

TEST(SettingTableTest, EverySettingIsSetByFlagAndByFileAlike) {
  for (const Setting& setting : AllSettings()) {
    if (FileKey(setting).empty()) continue;
    SCOPED_TRACE(setting.flag);
    ASSERT_TRUE(OtherValues().contains(setting.flag)) << "give it another value in this test";
    const std::vector<std::string>& texts = OtherValues().at(setting.flag);
    const Settings by_flag = ByFlag(setting, texts);
    EXPECT_EQ(ValueTexts(setting, by_flag), texts);
    EXPECT_NE(ValueTexts(setting, Settings{}), texts) << "the other value is the default";
    EXPECT_EQ(AllValues(by_flag), AllValues(ByFile(setting, texts)));
  }
}

TEST(SettingTableTest, EverySettingChangesNothingButItself) {
  for (const Setting& setting : AllSettings()) {
    if (FileKey(setting).empty()) continue;
    const std::vector<std::string> before = AllValues(Settings{});
    const std::vector<std::string> after =
        AllValues(ByFlag(setting, OtherValues().at(setting.flag)));
    ASSERT_EQ(before.size(), after.size());
    EXPECT_EQ(std::inner_product(before.begin(), before.end(), after.begin(), 0, std::plus<>(),
                                 std::not_equal_to<>()),
              1)
        << setting.flag;
  }
}

TEST(SettingTableTest, EveryFlagIsListedOnce) {
  std::set<std::string_view> flags;
  for (const Setting& setting : AllSettings()) {
    EXPECT_TRUE(flags.insert(setting.flag).second) << setting.flag;
  }
}

TEST(SettingTableTest, EveryDefaultIsAnAllowedValue) {
  for (const Setting& setting : AllSettings()) {
    const std::vector<std::string> texts = ValueTexts(setting, Settings{});
    if (texts.empty()) {
      EXPECT_FALSE(setting.unset.empty()) << setting.flag;
      continue;
    }
    Settings settings;
    EXPECT_TRUE(Assign(setting, texts, settings).ok()) << setting.flag;
  }
}

TEST(SettingTableTest, BothSourcesGiveTheSameReason) {
  for (const Setting& setting : AllSettings()) {
    if (FileKey(setting).empty() || IsSwitch(setting)) continue;
    SCOPED_TRACE(setting.flag);
    const std::string bad = "\tbad";
    const std::string word = fmt::format("{}={}", setting.flag, bad);
    const char* argv[] = {"ascend-exporter", word.c_str()};
    const auto by_flag = ParseCommandLine(2, argv);
    ASSERT_FALSE(by_flag.ok());
    Settings settings;
    const absl::Status reason = Assign(setting, {bad}, settings);
    EXPECT_EQ(std::string(by_flag.status().message()),
              fmt::format("{}: {}", setting.flag, std::string(reason.message())));
  }
}

std::string Help() {
  const char* argv[] = {"ascend-exporter", "--help"};
  return ParseCommandLine(2, argv)->early_exit->text;
}

TEST(HelpTest, ShowsEverySettingWithDefaultAndKey) {
  const std::string help = Help();
  for (const Setting& setting : AllSettings()) {
    const std::size_t start = help.find(fmt::format("\n  {}", setting.flag));
    ASSERT_NE(start, std::string::npos) << setting.flag;
    const std::string part = help.substr(start, help.find("\n  -", start + 1) - start);
    EXPECT_THAT(part, HasSubstr(std::string(setting.help)));
    EXPECT_THAT(part, HasSubstr(fmt::format("Default: {}.", DefaultText(setting))));
    if (!FileKey(setting).empty()) {
      EXPECT_THAT(part, HasSubstr(fmt::format("(key {})", FileKey(setting))));
    }
  }
}

TEST(HelpTest, ShowsEveryCommandWithItsFlags) {
  const std::string help = Help();
  for (const CommandRow& row : kCommands) {
    EXPECT_THAT(help, HasSubstr(fmt::format("\n  {}\n      {}\n", row.name, row.help)));
  }
  for (const CommandFlag& flag : kCommandFlags) {
    EXPECT_THAT(help, HasSubstr(fmt::format("      {} {}: ", flag.flag, flag.value)));
  }
}

TEST(HelpTest, FitsAScreenOfHundredColumns) {
  std::istringstream lines(Help());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

constexpr std::string_view kBegin = "<!-- begin of the table of settings -->\n";
constexpr std::string_view kEnd = "<!-- end of the table of settings -->\n";
const char kDocument[] = ASCEND_SOURCE_DIR "/docs/configuration.md";

std::string ReadDocument() {
  std::ifstream file(kDocument);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string SettingsAsMarkdown() {
  std::string text;
  std::string_view group;
  for (const Setting& setting : AllSettings()) {
    if (setting.group != group) {
      group = setting.group;
      text += fmt::format(
          "\n### {}\n\n| flag | key | default | allowed | meaning |\n"
          "|---|---|---|---|---|\n",
          group);
    }
    const std::string key = FileKey(setting);
    const bool plain = ValueTexts(setting, Settings{}).empty();
    text += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", setting.flag,
                        key.empty() ? "only a flag" : fmt::format("`{}`", key),
                        plain ? DefaultText(setting) : fmt::format("`{}`", DefaultText(setting)),
                        BoundsText(setting), setting.help,
                        TakesList(setting) ? " A list; the flag may be repeated." : "");
  }
  return text + "\n";
}

// With ASCEND_UPDATE_DOCS set, the table in the document is written anew.
TEST(ConfigurationDocumentTest, ListsEverySettingAsTheTableHasIt) {
  std::string document = ReadDocument();
  const std::size_t begin = document.find(kBegin);
  const std::size_t end = document.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << kDocument;
  const std::size_t start = begin + kBegin.size();
  if (std::getenv("ASCEND_UPDATE_DOCS") != nullptr) {
    document.replace(start, end - start, SettingsAsMarkdown());
    std::ofstream(kDocument) << document;
    return;
  }
  EXPECT_EQ(document.substr(start, end - start), SettingsAsMarkdown())
      << "run this test once with ASCEND_UPDATE_DOCS=1";
}

TEST(ConfigurationDocumentTest, NamesEveryCommandAndItsFlags) {
  const std::string document = ReadDocument();
  for (const CommandRow& row : kCommands) {
    EXPECT_THAT(document, HasSubstr(fmt::format("`{}", row.name)));
  }
  for (const CommandFlag& flag : kCommandFlags) {
    EXPECT_THAT(document, HasSubstr(fmt::format("{} {}", flag.flag, flag.value)));
  }
  for (const char* flag : {"`--help`", "`--version`"}) EXPECT_THAT(document, HasSubstr(flag));
}

TEST(ConfigurationDocumentTest, ItsExampleIsAFileThatLoads) {
  const std::string document = ReadDocument();
  constexpr std::string_view kFence = "```yaml\n";
  const std::size_t start = document.find(kFence);
  ASSERT_NE(start, std::string::npos);
  const std::size_t text_start = start + kFence.size();
  const std::string example =
      document.substr(text_start, document.find("```", text_start) - text_start);
  Settings settings;
  const absl::Status status = ApplyConfigText(example, "exporter.yml", settings);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(settings.fast_period, std::chrono::milliseconds(250));
  EXPECT_EQ(settings.devices_expected, 8);
}

}  // namespace
}  // namespace ascend
