// The values in texts of the vendor's tools: the project's own, and captures in the folder that
// ASCEND_NPU_SMI_SAMPLES names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "tests/hal/npu_smi/describe.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {
namespace {

const std::string kQueries = kFixtures + "/queries";

// File and description, from lines with a tab between them.
std::map<std::string, std::string> Descriptions(const std::string& path) {
  std::map<std::string, std::string> descriptions;
  for (const std::string& line : Lines(ReadFile(path))) {
    const std::size_t tab = line.find('\t');
    descriptions[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return descriptions;
}

TEST(VendorTextTest, EveryTextGivesItsValuesAndNoOther) {
  const auto descriptions = Descriptions(kQueries + "/values.tsv");
  EXPECT_GE(descriptions.size(), 50U);
  for (const auto& [file, description] : descriptions) {
    EXPECT_EQ(Describe(ReadFile(kQueries + "/" + file)), description) << file;
  }
}

TEST(VendorTextTest, EveryFixtureHasItsValues) {
  const auto descriptions = Descriptions(kQueries + "/values.tsv");
  for (const auto& entry : std::filesystem::directory_iterator(kQueries)) {
    if (entry.path().extension() != ".txt") continue;
    EXPECT_TRUE(descriptions.contains(entry.path().filename())) << entry.path();
  }
}

TEST(VendorTextTest, CapturesOfRealToolsGiveTheirValues) {
  const char* const folder = std::getenv("ASCEND_NPU_SMI_SAMPLES");
  const auto descriptions = Descriptions(kQueries + "/captures.tsv");
  ASSERT_GE(descriptions.size(), 70U);
  if (folder == nullptr || *folder == '\0') return;
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = ReadFile(entry.path());
    const auto description = descriptions.find(entry.path().filename());
    if (description == descriptions.end()) {
      EXPECT_EQ(NameOf(Identify(text)), "npu-smi info") << entry.path();
      continue;
    }
    EXPECT_EQ(Describe(text), description->second) << entry.path();
    ++found;
  }
  EXPECT_EQ(found, descriptions.size());
}

TEST(VendorTextTest, LineEndsAndBlanksDoNotMatter) {
  for (const auto& [file, description] : Descriptions(kQueries + "/values.tsv")) {
    std::string changed;
    for (const std::string& line : Lines(ReadFile(kQueries + "/" + file))) {
      changed += line + "  \r\n";
    }
    EXPECT_EQ(Describe(changed), description) << file;
  }
}

TEST(VendorTextTest, TablesOfAllFamiliesAreToldApartFromOtherTexts) {
  for (const std::string& name : FixtureNames()) {
    EXPECT_EQ(Identify(Fixture(name)), VendorText::kInfo) << name;
  }
  EXPECT_EQ(Identify(""), VendorText::kUnknown);
  EXPECT_EQ(Identify("Hello\nworld: 5\n"), VendorText::kUnknown);
  EXPECT_EQ(Identify(std::string_view("\0\xff|+:\n", 6)), VendorText::kUnknown);
}

// The words of a description: what a shorter text may have is a part of them.
std::vector<std::string> WordsOf(const std::string& description) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < description.size();) {
    const std::size_t end = std::min(description.find_first_of(" ;", at), description.size());
    words.push_back(description.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool IsNumber(const std::string& word) {
  return !word.empty() && word.find_first_not_of("-.0123456789") == std::string::npos;
}

// "name number" pairs in which a cut may not have changed the number.
std::map<std::string, int> NumbersOf(const std::string& description) {
  std::map<std::string, int> numbers;
  const std::vector<std::string> words = WordsOf(description);
  for (std::size_t i = 1; i < words.size(); ++i) {
    // Counts of what was not read, and of what is not kept.
    if (words[i - 1] == "unknown" || words[i - 1] == "informations") continue;
    if (words[i - 1] == "others") continue;
    if (IsNumber(words[i])) ++numbers[words[i - 1] + " " + words[i]];
  }
  return numbers;
}

TEST(VendorTextTest, ACutTextHasNoNumberThatTheWholeDoesNotHave) {
  for (const auto& [file, description] : Descriptions(kQueries + "/values.tsv")) {
    const std::string text = ReadFile(kQueries + "/" + file);
    const VendorText form = Identify(text);
    const auto whole = NumbersOf(OfForm(form, text));
    for (std::size_t length = 0; length < text.size(); ++length) {
      for (const auto& [number, count] : NumbersOf(OfForm(form, text.substr(0, length)))) {
        const auto in_whole = whole.find(number);
        ASSERT_TRUE(in_whole != whole.end() && count <= in_whole->second)
            << file << " cut to " << length << ": " << number;
      }
    }
  }
}

}  // namespace
}  // namespace ascend::npu_smi
