// Every row against the decided names, against the other language and against the calls that the
// driver knows.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/engine_rows.h"

namespace ascend {
namespace {

struct Decided {
  std::string_view name, type, labels;
};
constexpr Decided kDecided[] = {
#include "tests/collectors/decided_names.inc"
};

// A key for which every kind of open set prints all its labels.
constexpr std::uint32_t kSampleKey = 0x1001;

// Also of the collectors that are off by default.
std::vector<const Row*> AllRows() {
  std::vector<const Row*> rows;
  for (const Collector* collector : AllCollectors()) {
    for (const Row& row : collector->rows) rows.push_back(&row);
  }
  for (const Row& row : DeviceRows()) rows.push_back(&row);
  for (const Row& row : NodeRows()) rows.push_back(&row);
  return rows;
}

std::vector<std::string> Parts(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

std::string TypeOf(const Row& row) {
  if (row.kind == Kind::kInfo) return "info";
  return row.is_counter() ? "counter" : "gauge";
}

std::string LabelsOf(const Row& row) {
  std::set<std::string> names;
  if (row.scope == Scope::kDevice) names.insert("device");
  if (row.scope == Scope::kCard) names.insert("card");
  for (const Label& label : row.spec.labels) {
    if (!label.name.empty()) names.emplace(label.name);
  }
  if (!row.state_label.empty()) names.emplace(row.state_label);
  for (std::string_view name : row.text_labels) names.emplace(name);
  if (row.key_labels != nullptr) {
    for (const std::string& label : Parts(row.key_labels(kSampleKey), ",")) {
      names.insert(label.substr(0, label.find('=')));
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

TEST(NamesTest, FamiliesAreTheDecidedOnesWithTheirTypesAndLabels) {
  std::map<std::string, std::string> decided;
  for (const Decided& family : kDecided) {
    const std::string what = std::string(family.type) + " {" + std::string(family.labels) + "}";
    EXPECT_TRUE(decided.emplace(family.name, what).second) << family.name << " is there twice";
  }
  std::set<std::string> made;
  for (const Row* row : AllRows()) {
    const std::string name(row->spec.name);
    made.insert(name);
    const auto found = decided.find(name);
    ASSERT_NE(found, decided.end()) << name << " is no decided name";
    EXPECT_EQ(TypeOf(*row) + " {" + LabelsOf(*row) + "}", found->second) << name;
  }
  for (const auto& [name, what] : decided)
    EXPECT_TRUE(made.contains(name)) << name << " has no row";
}

TEST(NamesTest, RowsOfAFamilySayTheSameInBothLanguages) {
  std::map<std::string_view, const Row*> families;
  std::map<std::string_view, std::string_view> meanings;
  for (const Row* row : AllRows()) {
    const Row& first = *families.try_emplace(row->spec.name, row).first->second;
    EXPECT_EQ(row->spec.zh, first.spec.zh) << row->spec.name;
    const auto [known, fresh] = meanings.try_emplace(row->spec.zh, row->spec.help);
    EXPECT_EQ(known->second, row->spec.help) << "one translation of two texts";
    EXPECT_EQ(row->spec.help.find_first_of("|\n"), std::string_view::npos) << row->spec.name;
    EXPECT_EQ(row->spec.zh.find_first_of("|\n"), std::string_view::npos) << row->spec.name;
  }
}

TEST(NamesTest, WindowsSayWhatTheyCoverAndWhenTheyBegin) {
  int windows = 0;
  for (const Row* row : AllRows()) {
    if (!row->is_window()) continue;
    ++windows;
    EXPECT_NE(row->spec.help.find("between 60 and 61 sixtieths"), std::string_view::npos);
    EXPECT_NE(row->spec.help.find("sampling.window"), std::string_view::npos);
    EXPECT_NE(row->spec.help.find("begins anew with the exporter"), std::string_view::npos);
    EXPECT_NE(row->spec.zh.find("60 至 61 个六十分之一"), std::string_view::npos);
    EXPECT_NE(row->spec.zh.find("重启后重新开始"), std::string_view::npos);
  }
  EXPECT_GT(windows, 0);
}

TEST(NamesTest, CostAndPrivilegeAreToldInBothLanguages) {
  std::set<std::string_view> names;
  for (const Collector* collector : AllCollectors()) {
    EXPECT_TRUE(names.insert(collector->name).second) << collector->name;
    EXPECT_EQ(collector->cost.en.empty(), collector->cost.zh.empty()) << collector->name;
    EXPECT_EQ(collector->privilege.en.empty(), collector->privilege.zh.empty()) << collector->name;
    EXPECT_FALSE(collector->by_default == Default::kOff && collector->cost.en.empty())
        << collector->name << " is off by default and does not say what it costs";
  }
}

TEST(NamesTest, ChipsAreNamedAsTheFamiliesAre) {
  const std::set<std::string> known = {"310", "310B", "310P", "310P (Duo)",
                                       "910", "910B", "910C", "950"};
  for (const Row* row : AllRows()) {
    for (const std::string& chip : Parts(row->spec.chips, ", ")) {
      EXPECT_TRUE(known.contains(chip)) << row->spec.name << ": " << chip;
    }
  }
}

// The name in quotes, or nothing of "kNone".
std::string Unquoted(const std::string& argument) {
  const std::size_t begin = argument.find('"');
  if (begin == std::string::npos) return "";
  return argument.substr(begin + 1, argument.rfind('"') - begin - 1);
}

// The names of one call in both interfaces, as the driver looks them up; either may be empty.
std::map<std::string, std::string> CallsOfTheDriver() {
  std::ifstream file(ASCEND_SOURCE_DIR "/hal/dcmi/functions.cc");
  std::stringstream source;
  source << file.rdbuf();
  std::map<std::string, std::string> calls;
  for (const std::string& part : Parts(source.str(), ">(")) {
    const std::vector<std::string> names = Parts(part.substr(0, part.find(')')), ",");
    if (names.size() != 2) continue;
    calls[Unquoted(names[0])] = Unquoted(names[1]);
    calls[Unquoted(names[1])] = Unquoted(names[0]);
  }
  return calls;
}

std::vector<std::string> NamesIn(std::string_view source) {
  std::vector<std::string> names;
  for (const std::string& part : Parts(source, ", ")) {
    for (const std::string& word : Parts(part, " ")) {
      if (word.starts_with("dcmi")) names.push_back(word);
    }
  }
  return names;
}

TEST(NamesTest, SourcesAreCallsThatTheDriverMakes) {
  const std::map<std::string, std::string> calls = CallsOfTheDriver();
  ASSERT_GT(calls.size(), 50U);
  for (const Row* row : AllRows()) {
    const Source& source = row->spec.source;
    std::vector<std::string> second = NamesIn(source.dcmiv2);
    for (const std::string& name : NamesIn(source.dcmi)) {
      const auto call = calls.find(name);
      ASSERT_NE(call, calls.end()) << row->spec.name << ": " << name;
      if (!source.dcmiv2.empty()) continue;
      EXPECT_EQ(call->second, "dcmiv2_" + name.substr(5))
          << row->spec.name << ": say what 950 has instead";
    }
    for (const std::string& name : second) {
      EXPECT_TRUE(calls.contains(name)) << row->spec.name << ": " << name;
    }
    if (source.dcmiv2 != Source::kNone) continue;
    for (const std::string& name : NamesIn(source.dcmi)) EXPECT_EQ(calls.at(name), "") << name;
  }
}

}  // namespace
}  // namespace ascend
