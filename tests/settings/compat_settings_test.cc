// The settings and commands of the npu-exporter's names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exporter/settings/help.h"
#include "exporter/settings/settings.h"

namespace ascend {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<ParsedCommandLine> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ascend-exporter");
  return ParseCommandLine(static_cast<int>(words.size()), words.data());
}
Invocation Read(const std::vector<const char*>& words) {
  const auto parsed = Parse(words);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.ok() ? parsed->invocation : Invocation{};
}
std::string Error(const std::vector<const char*>& words) {
  const auto parsed = Parse(words);
  EXPECT_FALSE(parsed.ok());
  return std::string(parsed.status().message());
}

TEST(CompatSettingsTest, AreOffByDefault) {
  EXPECT_EQ(Read({}).settings.compat_path, "");
  EXPECT_THAT(Read({}).settings.compat_listen_addresses, IsEmpty());
}

TEST(CompatSettingsTest, TakeAPathAndSeveralAddresses) {
  const Settings settings = Read({"--compat.path=/metrics/huawei", "--compat.listen-address=:8082",
                                  "--compat.listen-address", "[::1]:1"})
                                .settings;
  EXPECT_EQ(settings.compat_path, "/metrics/huawei");
  EXPECT_THAT(settings.compat_listen_addresses, ElementsAre(":8082", "[::1]:1"));
}

TEST(CompatSettingsTest, ThePathIsNoPageThatIsThereAlready) {
  EXPECT_THAT(Error({"--compat.path=/-/ready"}), HasSubstr("is a page of the exporter itself"));
  EXPECT_THAT(Error({"--compat.path=metrics"}), HasSubstr("does not begin with /"));
  EXPECT_THAT(Error({"--compat.path=/metrics"}),
              HasSubstr("--compat.path: /metrics is the path of the metrics page already"));
  EXPECT_THAT(Error({"--compat.path=/a", "--web.telemetry-path=/a"}), HasSubstr("write another"));
}

TEST(CompareCommandTest, TakesTheUrlBehindItAndAnotherOne) {
  const Invocation plain = Read({"compare", "http://127.0.0.1:8082/metrics"});
  EXPECT_EQ(plain.command, Command::kCompare);
  EXPECT_EQ(plain.compare_url, "http://127.0.0.1:8082/metrics");
  EXPECT_EQ(plain.compare_with, "");
  const Invocation both = Read({"compare", "--with", "http://b:2/", "http://a:1/"});
  EXPECT_EQ(both.compare_url, "http://a:1/");
  EXPECT_EQ(both.compare_with, "http://b:2/");
}

TEST(CompareCommandTest, SaysWhatIsMissingOrTooMuch) {
  EXPECT_THAT(Error({"compare"}), HasSubstr("compare: needs a URL behind it, such as http://"));
  EXPECT_THAT(Error({"compare", "127.0.0.1:8082"}), HasSubstr("URL: \"127.0.0.1:8082\" is not"));
  EXPECT_THAT(Error({"compare", "http://a/", "http://b/"}), HasSubstr("\"http://b/\""));
  EXPECT_THAT(Error({"compare", "http://a/", "--with=x"}), HasSubstr("--with"));
  EXPECT_THAT(Error({"metrics", "--with=http://a/"}), HasSubstr("only for the command compare"));
}

TEST(MigrationCommandTest, TakesALanguage) {
  EXPECT_EQ(Read({"migration"}).command, Command::kMigration);
  EXPECT_EQ(Read({"migration"}).language, Language::kEnglish);
  EXPECT_EQ(Read({"migration", "--language=zh"}).language, Language::kChinese);
  EXPECT_THAT(Error({"migration", "--language=fr"}), HasSubstr("--language"));
}

TEST(CompatSettingsTest, HelpNamesThem) {
  for (const char* text :
       {"--compat.path PATH", "--compat.listen-address ADDRESS", "  compare\n",
        "      URL (required): The npu-exporter's page", "--with URL", "  migration\n"}) {
    EXPECT_THAT(HelpText(), HasSubstr(text));
  }
}

}  // namespace
}  // namespace ascend
