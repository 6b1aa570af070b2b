// Tables that a grammar makes, whole and broken: a value that is read is the one that was printed
// for that chip, or it is absent; it is never another number.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "fmt/format.h"
#include "hal/npu_smi/table.h"

namespace ascend::npu_smi {
namespace {

constexpr int kSeeds = 2000;

enum class Layout { kDevice, kHbm, kPhyId, k950 };

// What is printed for one chip, in words.
struct Printed {
  int npu = 0;
  int chip = 0;
  int second_id = 0;
  std::string name, health, power, temperature, load, bus;
  std::array<std::string, 2> ddr, hbm;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {
    layout_ = static_cast<Layout>(Below(4));
    const int npus = 1 + Below(4);
    const bool pairs = layout_ == Layout::kPhyId || (layout_ == Layout::kDevice && Below(2) == 0);
    int npu = Below(3000);
    for (int n = 0; n < npus; ++n, npu += 1 + Below(300)) {
      for (int chip = 0; chip < (pairs ? 2 : 1); ++chip) chips_.push_back(MakeChip(npu, chip));
    }
  }

  // The text of the table, and then something that befalls it.
  std::string Text() {
    std::vector<std::string> lines = Lines();
    if (Below(4) == 0) InsertJunk(lines);
    if (Below(4) == 0) lines.erase(lines.begin() + Below(static_cast<int>(lines.size())));
    if (Below(6) == 0) Narrow(lines);
    const std::string end = Below(4) == 0 ? "\r\n" : Below(4) == 0 ? "  \n" : "\n";
    std::string text;
    for (const std::string& line : lines) text += line + end;
    if (Below(3) == 0) text.resize(static_cast<std::size_t>(Below(static_cast<int>(text.size()))));
    if (Below(6) == 0)
      text.erase(0, static_cast<std::size_t>(Below(1 + static_cast<int>(text.size() / 2))));
    return text;
  }

  [[nodiscard]] const Printed* Find(int npu, int chip) const {
    for (const Printed& printed : chips_) {
      if (printed.npu == npu && printed.chip == chip) return &printed;
    }
    return nullptr;
  }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  std::string OneOf(std::initializer_list<const char*> words) {
    return *(words.begin() + Below(static_cast<int>(words.size())));
  }
  std::string Blanks() { return std::string(static_cast<std::size_t>(1 + Below(12)), ' '); }

  std::string Number(int bound) {
    switch (Below(12)) {
      case 0:
        return OneOf({"NA", "-", "N/A"});
      case 1:
        return OneOf({"4294967295", "18446744073709551616", "99999999999999999999999", "32765"});
      default:
        return std::to_string(Below(bound));
    }
  }
  std::array<std::string, 2> Pair(int bound) {
    const int total = Below(bound);
    return {std::to_string(Below(total + 1)),
            Below(20) == 0 ? Number(bound) : std::to_string(total)};
  }

  Printed MakeChip(int npu, int chip) {
    constexpr int kMegabytes = 140'000;
    Printed printed;
    printed.npu = npu;
    printed.chip = chip;
    printed.second_id = Below(4096);
    printed.name = OneOf({"910B3", "Ascend910", "310P3", "Ascend950PR", "910A", "X900"});
    printed.health = OneOf({"OK", "Warning", "Alarm", "Critical", "UNKNOWN", "odd"});
    printed.power = Below(6) == 0 ? Number(700) : fmt::format("{}.{}", Below(700), Below(10));
    printed.temperature = Below(8) == 0 ? "-3" : Number(110);
    printed.load = Number(101);
    printed.bus = Below(6) == 0 ? "NA" : fmt::format("0000:{:02X}:00.0", Below(256));
    printed.ddr = Pair(kMegabytes);
    printed.hbm = Pair(kMegabytes);
    return printed;
  }

  std::string Cells(std::initializer_list<std::string> cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + Blanks() + "|";
    return extra_cell_ ? row + " 77 |" : row;
  }
  std::string PairText(const std::array<std::string, 2>& pair) {
    return pair[0] + (Below(2) == 0 ? "" : Blanks()) + "/" + Blanks() + pair[1];
  }

  void Header(std::vector<std::string>& lines) {
    // A column that nobody knows, before or after those that are known.
    const std::string before = extra_column_ == 1 ? "Fan(rpm)" + Blanks() : "";
    const std::string after = extra_column_ == 2 ? Blanks() + "Fan(rpm)" : "";
    const std::string first =
        before + "Power(W)" + Blanks() + "Temp(C)" + Blanks() + "Hugepages-Usage(page)" + after;
    const std::string load = layout_ == Layout::k950 ? "NPU Util(%)" : "AICore(%)";
    const std::string second = before + load + Blanks() + "Memory-Usage(MB)" +
                               (layout_ == Layout::kDevice ? "" : Blanks() + "HBM-Usage(MB)") +
                               after;
    lines.push_back("| npu-smi 24.1.rc3" + Blanks() + "Version: 24.1.rc3" + Blanks() + "|");
    if (layout_ == Layout::k950) {
      lines.push_back(Cells({"NPU ID", "Name", "Health", first}));
      lines.push_back(Cells({"", "", "Bus-Id", second}));
    } else {
      constexpr const char* kIds[] = {"Chip  Device", "Chip", "Chip  Phy-ID"};
      lines.push_back(Cells({"NPU" + Blanks() + "Name", "Health", first}));
      lines.push_back(Cells({kIds[static_cast<int>(layout_)], "Bus-Id", second}));
    }
    lines.emplace_back("+====+====+====+");
  }

  void ChipRows(const Printed& chip, std::vector<std::string>& lines) {
    const std::string fan = std::to_string(Below(110));
    const std::string before = extra_column_ == 1 ? fan + Blanks() : "";
    const std::string after = extra_column_ == 2 ? Blanks() + fan : "";
    const std::string first =
        before + chip.power + Blanks() + chip.temperature + Blanks() + PairText({"0", "0"}) + after;
    const std::string second = before + chip.load + Blanks() + PairText(chip.ddr) +
                               (layout_ == Layout::kDevice ? "" : Blanks() + PairText(chip.hbm)) +
                               after;
    if (layout_ == Layout::k950) {
      lines.push_back(Cells({std::to_string(chip.npu), chip.name, chip.health, first}));
      lines.push_back(Cells({"", "", chip.bus, second}));
    } else {
      const std::string ids = layout_ == Layout::kHbm
                                  ? std::to_string(chip.chip)
                                  : fmt::format("{}{}{}", chip.chip, Blanks(), chip.second_id);
      lines.push_back(Cells({std::to_string(chip.npu) + Blanks() + chip.name, chip.health, first}));
      lines.push_back(Cells({ids, chip.bus, second}));
    }
    lines.emplace_back(Below(2) == 0 ? "+----+----+" : "+====+====+");
  }

  std::vector<std::string> Lines() {
    extra_column_ = Below(8) == 0 ? 1 + Below(2) : 0;
    extra_cell_ = Below(8) == 0;
    std::vector<std::string> lines = {"+-----------+"};
    Header(lines);
    for (const Printed& chip : chips_) ChipRows(chip, lines);
    if (Below(2) == 0) {
      lines.push_back("| NPU     Chip | Process id | Process name | Process memory(MB) |");
      lines.push_back(
          fmt::format("| {} {} | 4242 | trainer | 31002 |", chips_[0].npu, chips_[0].chip));
    }
    if (Below(3) == 0) lines.emplace_back("[WARNING]The driver package may not be complete.");
    return lines;
  }

  void InsertJunk(std::vector<std::string>& lines) {
    for (int i = 0; i < 1 + Below(3); ++i) {
      const std::string junk = OneOf({"", "...", "| ... |", "root@host:~# npu-smi info", "| | | |",
                                      "\x01\xff\x80", "+", "||||||||||||||||||||||||||", "5 / 7"});
      lines.insert(lines.begin() + Below(static_cast<int>(lines.size())), junk);
    }
  }

  // As by an editor: runs of blanks become one, or all lines are cut at one column.
  void Narrow(std::vector<std::string>& lines) {
    const bool cut = Below(2) == 0;
    const auto width = static_cast<std::size_t>(20 + Below(80));
    for (std::string& line : lines) {
      if (cut) {
        line = line.substr(0, width);
      } else {
        std::string narrow;
        for (const char c : line) {
          if (c != ' ' || narrow.empty() || narrow.back() != ' ') narrow += c;
        }
        line = narrow;
      }
    }
  }

  std::mt19937 random_;
  Layout layout_ = Layout::kHbm;
  int extra_column_ = 0;  // 1: at the front of the numbers; 2: at their end
  bool extra_cell_ = false;
  std::vector<Printed> chips_;
};

void ExpectNumber(const std::optional<double>& value, const std::string& printed) {
  if (!value) return;
  EXPECT_FALSE(printed.empty());
  EXPECT_EQ(*value, std::strtod(printed.c_str(), nullptr)) << printed;
  EXPECT_EQ(printed.find_first_not_of("-.0123456789"), std::string::npos) << printed;
}

void ExpectUsage(const std::optional<Usage>& usage, const std::array<std::string, 2>& printed) {
  if (!usage) return;
  EXPECT_EQ(std::to_string(usage->used), printed[0]);
  EXPECT_EQ(std::to_string(usage->total), printed[1]);
}

TEST(NpuSmiTablePropertyTest, AValueThatIsReadIsTheOneThatWasPrintedForItsChip) {
  std::size_t read = 0;
  for (unsigned seed = 0; seed < kSeeds && !::testing::Test::HasFailure(); ++seed) {
    Generator generator(seed);
    const std::string text = generator.Text();
    SCOPED_TRACE(fmt::format("seed {}:\n{}", seed, text));
    for (const Chip& chip : ParseInfoTable(text).chips) {
      const Printed* const printed = generator.Find(chip.npu, chip.chip);
      ASSERT_NE(printed, nullptr) << chip.npu << " " << chip.chip;
      ExpectNumber(chip.power_watts, printed->power);
      ExpectNumber(chip.temperature_celsius, printed->temperature);
      ExpectNumber(chip.aicore_percent, printed->load);
      ExpectNumber(chip.npu_percent, printed->load);
      ExpectUsage(chip.ddr, printed->ddr);
      ExpectUsage(chip.hbm, printed->hbm);
      for (const auto& id : {chip.phy_id, chip.device_id}) {
        EXPECT_EQ(id.value_or(printed->second_id), printed->second_id);
      }
      read += chip.hbm || chip.ddr ? 1 : 0;
    }
  }
  EXPECT_GE(read, kSeeds / 2U);
}

TEST(NpuSmiTablePropertyTest, WholeTablesAreReadWhole) {
  // The grammar would prove nothing if what it makes were not read at all.
  std::size_t chips = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    chips += ParseInfoTable(Generator(seed).Text()).chips.size();
  }
  EXPECT_GE(chips, 150U);
}

}  // namespace
}  // namespace ascend::npu_smi
