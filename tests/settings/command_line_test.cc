#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "exporter/settings/settings.h"

namespace ascend {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<ParsedCommandLine> Parse(std::vector<std::string> words) {
  std::vector<const char*> argv = {"ascend-exporter"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data());
}

Invocation Read(const std::vector<std::string>& words) {
  const auto parsed = Parse(words);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.ok() ? parsed->invocation : Invocation{};
}

std::string Error(const std::vector<std::string>& words) {
  const auto parsed = Parse(words);
  EXPECT_FALSE(parsed.ok());
  const std::string message(parsed.status().message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

std::string WriteFile(const std::string& name, const std::string& text) {
  const std::string path = fmt::format("{}{}-{}", ::testing::TempDir(), getpid(), name);
  std::ofstream(path) << text;
  return path;
}

TEST(CommandLineTest, WithoutWordsServesWithTheDefaults) {
  const Invocation invocation = Read({});
  EXPECT_EQ(invocation.command, Command::kServe);
  EXPECT_THAT(invocation.settings.listen_addresses, ElementsAre(":10910"));
  EXPECT_EQ(invocation.settings.driver, "auto");
}

TEST(CommandLineTest, TakesAValueBehindABlankOrAnEqualsSign) {
  EXPECT_EQ(Read({"--driver", "sim"}).settings.driver, "sim");
  EXPECT_EQ(Read({"--driver=sim"}).settings.driver, "sim");
}

TEST(CommandLineTest, CollectsEveryListenAddressInOrder) {
  const Invocation invocation =
      Read({"--web.listen-address", "127.0.0.1:1", "--web.listen-address=[::1]:2"});
  EXPECT_THAT(invocation.settings.listen_addresses, ElementsAre("127.0.0.1:1", "[::1]:2"));
}

TEST(CommandLineTest, AListenAddressIsNotSplitAtCommas) {
  EXPECT_EQ(Error({"--web.listen-address=:1,:2"}),
            "--web.listen-address: \":1,:2\" is not an address; write host:port, [::1]:port or "
            ":port, one at a time");
}

TEST(CommandLineTest, AListenAddressTakesOnlyOneWord) {
  EXPECT_EQ(Error({"--web.listen-address", ":1", ":2"}),
            "\":2\": is no command and no flag; see ascend-exporter --help");
}

TEST(CommandLineTest, RefusesAddressesThatNobodyCanListenOn) {
  for (const char* address : {"", "10910", "host", ":65536", ":-1", ":", "::1:80", "[::1]", "a b:1",
                              "http://a:1", "[:1", "a,b:1"}) {
    EXPECT_THAT(Error({std::string("--web.listen-address=") + address}),
                HasSubstr("is not an address; write host:port"))
        << address;
  }
}

TEST(CommandLineTest, AnEmptyValueIsNotTakenFromTheNextWord) {
  const Invocation invocation = Read({"--dcmi.library=", "metrics"});
  EXPECT_EQ(invocation.settings.dcmi_library, "");
  EXPECT_EQ(invocation.command, Command::kMetrics);
}

TEST(CommandLineTest, ASwitchNeedsNoValueAndTakesOneOnlyBehindAnEqualsSign) {
  EXPECT_TRUE(Read({"--dcmi.allow-untrusted-library"}).settings.dcmi_allow_untrusted_library);
  EXPECT_FALSE(
      Read({"--dcmi.allow-untrusted-library=false"}).settings.dcmi_allow_untrusted_library);
  const Invocation invocation = Read({"--dcmi.allow-untrusted-library", "metrics"});
  EXPECT_TRUE(invocation.settings.dcmi_allow_untrusted_library);
  EXPECT_EQ(invocation.command, Command::kMetrics);
}

TEST(CommandLineTest, ASwitchThatIsNeitherTrueNorFalseIsRefused) {
  EXPECT_EQ(Error({"--dcmi.allow-untrusted-library=maybe"}),
            "--dcmi.allow-untrusted-library: \"maybe\" is neither true nor false");
  EXPECT_EQ(Error({"--dcmi.allow-untrusted-library="}),
            "--dcmi.allow-untrusted-library: \"\" is neither true nor false");
}

TEST(CommandLineTest, CommandsAreKnownBeforeAndBehindTheFlags) {
  EXPECT_EQ(Read({"healthcheck"}).command, Command::kHealthcheck);
  EXPECT_EQ(Read({"metrics"}).command, Command::kMetrics);
  EXPECT_EQ(Read({"simulate"}).command, Command::kSimulate);
  for (const auto& words : {std::vector<std::string>{"metrics", "--driver", "sim"},
                            std::vector<std::string>{"--driver", "sim", "metrics"}}) {
    const Invocation invocation = Read(words);
    EXPECT_EQ(invocation.command, Command::kMetrics);
    EXPECT_EQ(invocation.settings.driver, "sim");
  }
}

TEST(CommandLineTest, HealthcheckTakesAUrl) {
  EXPECT_EQ(Read({"healthcheck"}).healthcheck_url, "");
  EXPECT_EQ(Read({"healthcheck", "--url", "http://[::1]:1/x"}).healthcheck_url, "http://[::1]:1/x");
  EXPECT_THAT(Error({"healthcheck", "--url", "https://a"}), HasSubstr("is not a URL"));
}

TEST(CommandLineTest, MetricsAreListedInTwoLanguages) {
  EXPECT_EQ(Read({"metrics"}).language, Language::kEnglish);
  EXPECT_EQ(Read({"metrics", "--language=en"}).language, Language::kEnglish);
  EXPECT_EQ(Read({"metrics", "--language", "zh"}).language, Language::kChinese);
  EXPECT_EQ(Error({"metrics", "--language", "de"}),
            "--language: \"de\" is no language of the list; want en or zh");
}

TEST(CommandLineTest, SimulateTakesVirtualTimes) {
  const Invocation defaults = Read({"simulate"});
  EXPECT_EQ(defaults.simulate_for, std::chrono::minutes(1));
  EXPECT_EQ(defaults.simulate_every, std::chrono::seconds(30));
  const Invocation invocation = Read({"simulate", "--for", "24h", "--every=5m"});
  EXPECT_EQ(invocation.simulate_for, std::chrono::hours(24));
  EXPECT_EQ(invocation.simulate_every, std::chrono::minutes(5));
}

TEST(CommandLineTest, SimulateThatWouldPrintNothingIsRefused) {
  EXPECT_EQ(Error({"simulate", "--every", "5m"}),
            "--every: 5m is longer than --for 1m, so no page would be printed");
  EXPECT_EQ(Error({"simulate", "--for", "0s"}), "--for: 0s is below the least, 1s");
  EXPECT_EQ(Error({"simulate", "--for", "60"}),
            "--for: \"60\" has no unit; write a duration such as 250ms, 1s or 5m");
}

TEST(CommandLineTest, AFlagOfAnotherCommandIsRefused) {
  EXPECT_EQ(Error({"metrics", "--url", "http://a:1"}),
            "--url: only for the command healthcheck, and behind it");
  EXPECT_EQ(Error({"--for", "1h"}), "--for: only for the command simulate, and behind it");
}

TEST(CommandLineTest, AnUnknownFlagPointsToTheNearestAndToHelp) {
  EXPECT_EQ(Error({"--web.listen_address=:1"}),
            "--web.listen_address: unknown flag; did you mean --web.listen-address? See "
            "ascend-exporter --help");
  EXPECT_EQ(Error({"-driver", "sim"}),
            "-driver: unknown flag; did you mean --driver? See ascend-exporter --help");
  EXPECT_EQ(Error({"--collector.textfile"}),
            "--collector.textfile: unknown flag; see ascend-exporter --help");
}

TEST(CommandLineTest, AStrayWordIsRefused) {
  EXPECT_EQ(Error({"serve"}), "\"serve\": is no command and no flag; see ascend-exporter --help");
  EXPECT_THAT(Error({"metrics", "simulate"}), HasSubstr("\"simulate\": is no command"));
}

TEST(CommandLineTest, AFlagWithoutItsValueIsNamed) {
  EXPECT_EQ(Error({"--driver"}), "--driver: needs a value");
  EXPECT_EQ(Error({"--driver", "--dcmi.library", "x"}),
            "--driver: needs a value, but \"--dcmi.library\" follows");
}

TEST(CommandLineTest, AFlagGivenTwiceIsRefused) {
  EXPECT_EQ(Error({"--driver=sim", "--driver=dcmi"}), "--driver: given 2 times; give it once");
  EXPECT_EQ(Error({"simulate", "--for=1h", "--for=2h"}), "--for: given 2 times; give it once");
}

TEST(CommandLineTest, AnUnknownDriverNamesTheAllowedOnes) {
  EXPECT_EQ(Error({"--driver=cuda"}), "--driver: \"cuda\" is not one of auto, dcmi, npu-smi, sim");
}

TEST(CommandLineTest, ControlCharactersStayOnOneLine) {
  EXPECT_EQ(Error({"--driver=a\nb"}), "--driver: \"a\\nb\" is not one of auto, dcmi, npu-smi, sim");
  EXPECT_THAT(Error({"--a\nb"}), HasSubstr("--a\\nb: unknown flag"));
  EXPECT_THAT(Error({"--dcmi.library=/a\tb"}), HasSubstr("has a control character"));
}

TEST(CommandLineTest, ALongValueIsCut) {
  EXPECT_LT(Error({"--driver=" + std::string(100'000, 'x')}).size(), 400U);
}

TEST(CommandLineTest, TheTelemetryPathMayNotHideAPageOfTheServer) {
  EXPECT_EQ(Read({"--web.telemetry-path=/npu/metrics"}).settings.telemetry_path, "/npu/metrics");
  EXPECT_EQ(Error({"--web.telemetry-path=metrics"}),
            "--web.telemetry-path: \"metrics\" does not begin with /; write a path such as "
            "/metrics");
  for (const char* path : {"/", "/-/healthy", "/-/ready", "/-/reload", "/-/metrics"}) {
    EXPECT_THAT(Error({std::string("--web.telemetry-path=") + path}),
                HasSubstr("is a page of the exporter itself"));
  }
  EXPECT_THAT(Error({"--web.telemetry-path=/a?b"}), HasSubstr("is not a plain path"));
}

TEST(CommandLineTest, ACountOutsideItsBoundsIsRefused) {
  EXPECT_EQ(Read({"--devices.expected=0"}).settings.devices_expected, 0);
  EXPECT_EQ(Error({"--devices.expected", "-1"}), "--devices.expected: -1 is below the least, 0");
  EXPECT_EQ(Error({"--devices.expected=99999999999"}),
            "--devices.expected: 99999999999 is above the most, 1024");
  for (const char* text : {"", "8x", "1.5", "+1", " 1"}) {
    EXPECT_THAT(Error({std::string("--devices.expected=") + text}),
                HasSubstr("is not a whole number; write one such as 8"));
  }
}

TEST(CommandLineTest, FlagsWinOverTheFileWhereverTheyStand) {
  const std::string path = WriteFile("wins.yml",
                                     "driver: dcmi\n"
                                     "log: {level: debug}\n"
                                     "web: {listen_address: [\":1\"]}\n");
  for (const auto& words :
       {std::vector<std::string>{"--driver=sim", "--web.listen-address=:2", "--config.file", path},
        std::vector<std::string>{"--config.file", path, "--driver=sim",
                                 "--web.listen-address=:2"}}) {
    const Settings settings = Read(words).settings;
    EXPECT_EQ(settings.driver, "sim");
    EXPECT_THAT(settings.listen_addresses, ElementsAre(":2"));
    EXPECT_EQ(settings.log_level, "debug");
    EXPECT_EQ(settings.config_file, path);
  }
}

TEST(CommandLineTest, AnErrorOfTheFileNamesItAsGiven) {
  const std::string path = WriteFile("bad.yml", "\n\nsampling: {fast_period: 1}\n");
  EXPECT_EQ(Error({"--config.file", path}),
            path +
                ":3: sampling.fast_period: \"1\" has no unit; write a duration such as 250ms, "
                "1s or 5m");
}

TEST(CommandLineTest, AFileThatCannotBeReadIsNamedWithTheReason) {
  const std::string missing = ::testing::TempDir() + "no-such-file.yml";
  EXPECT_EQ(Error({"--config.file", missing}),
            missing +
                ": cannot be read: No such file or directory; check the path of "
                "--config.file and its mode");
  const std::string folder = ::testing::TempDir();
  EXPECT_THAT(Error({"--config.file", folder}), HasSubstr("cannot be read: Is a directory"));
}

TEST(CommandLineTest, AFileAboveOneMebibyteIsRefused) {
  const std::string largest = "#" + std::string((1 << 20) - 2, ' ') + "\n";
  Read({"--config.file", WriteFile("largest.yml", largest)});
  const std::string path = WriteFile("larger.yml", largest + "\n");
  EXPECT_EQ(Error({"--config.file", path}),
            path + ": is larger than 1 MiB; this is no file of settings");
}

TEST(CommandLineTest, VersionNamesReleaseAndRevision) {
  const auto parsed = Parse({"--version"});
  ASSERT_TRUE(parsed.ok() && parsed->early_exit.has_value());
  EXPECT_THAT(parsed->early_exit->text,
              ::testing::MatchesRegex("ascend-exporter [0-9.]+ \\(revision .+\\)\n"));
}

TEST(CommandLineTest, HelpAndVersionReadNoFileAndForgiveOtherFlags) {
  for (const char* flag : {"--help", "-h", "--version"}) {
    const auto parsed = Parse({"--config.file=/no/such/file", "--driver=cuda", "--nonsense", flag});
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_TRUE(parsed->early_exit.has_value());
  }
  EXPECT_FALSE(Parse({})->early_exit.has_value());
}

TEST(CommandLineTest, ParseTakesSeveralFilesAndStandardInput) {
  const Invocation parse = Read({"parse", "table.txt", "-", "ecc.txt"});
  EXPECT_EQ(parse.command, Command::kParse);
  EXPECT_THAT(parse.parse_files, ElementsAre("table.txt", "-", "ecc.txt"));
  EXPECT_THAT(Error({"parse"}), HasSubstr("parse: needs a file behind it"));
}

}  // namespace
}  // namespace ascend
