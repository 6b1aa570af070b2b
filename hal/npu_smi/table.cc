#include "hal/npu_smi/table.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/chip_rows.h"

namespace ascend::npu_smi {
namespace {

// No machine has this many; the bounds keep the time for absurd input small.
constexpr std::size_t kMaxChips = 1024;
constexpr std::size_t kMaxProcessRows = 16384;
constexpr std::size_t kMaxIncomplete = 64;
constexpr std::size_t kMaxLinesKept = 5;

constexpr std::string_view kIdle = "No running processes found in NPU";

struct ProcessLayout {
  std::size_t cells = 4;
  std::size_t pid = 1;
  std::size_t name = 2;
  std::size_t memory = 3;
  bool in_mb = true;  // 23.0.rc1 heads the column with "(B)"; nothing shows that it means it
};

bool IsHeader(const Row& row) {
  if (StartsWithDigit(row[0])) return false;  // the name of a process may contain anything
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    for (const std::string_view word : {"NPU", "Chip", "Bus-Id", "Process"}) {
      if (Has(row[cell], word)) return true;
    }
  }
  return false;
}

bool IsMcu(std::string_view name) { return name == "Mcu" || name == "MCU" || name == "mcu"; }

class TableReader {
 public:
  void ReadLine(std::string_view line);
  InfoTable Finish();

 private:
  void ReadRow(const Row& row, std::string_view line);
  void ReadVersions(std::string_view cell);
  void ReadHeader(const Row& row);
  void ReadChipRow(const Row& row, std::string_view line);
  void AddChip(const Row& second, std::string_view line);
  void ReadIdleNpu(const Row& row, std::string_view line);
  void ReadProcess(const Row& row, std::string_view line);
  void AddProcessNpu(std::int32_t npu);
  void DropPending();
  void Incomplete(std::string problem);
  void NotUnderstood(std::string_view line);

  InfoTable table_;
  ChipLayout chips_;
  ProcessLayout processes_;
  bool in_processes_ = false;
  std::optional<Row> pending_;  // the first row of a chip, until its second row comes
};

void TableReader::ReadLine(std::string_view line) {
  line = Trim(line);
  if (line.empty() || line.starts_with('+') || line == "...") return;
  const std::optional<Row> row = SplitRow(line);
  if (!row) return NotUnderstood(line);
  if ((*row)[0] == "...") return;  // left out by whoever wrote the report
  ReadRow(*row, line);
}

void TableReader::ReadRow(const Row& row, std::string_view line) {
  if (row.count == 1 && row[0].starts_with("npu-smi ")) return ReadVersions(row[0]);
  if (row[0].starts_with(kIdle)) return ReadIdleNpu(row, line);
  if (IsHeader(row)) return ReadHeader(row);
  if (in_processes_) return ReadProcess(row, line);
  ReadChipRow(row, line);
}

void TableReader::ReadVersions(std::string_view cell) {
  constexpr std::string_view kField = "Version:";
  const std::size_t field = cell.find(kField);
  table_.tool_version = SplitWords(cell.substr(0, field))[1];
  if (field != std::string_view::npos) {
    table_.driver_version = SplitWords(cell.substr(field + kField.size()))[0];
  }
}

void TableReader::ReadHeader(const Row& row) {
  if (ReadChipHeader(row, chips_)) {
    in_processes_ = false;
    table_.hbm_column = chips_.second.Has(Column::kHbm);
    table_.npu_util_column = chips_.second.Has(Column::kNpuUtil);
    table_.phy_id_column = chips_.second_id == SecondId::kPhyId;
    table_.device_column = chips_.second_id == SecondId::kDevice;
    return;
  }
  ProcessLayout layout;
  layout.cells = row.count;
  bool has_pid = false;
  for (std::size_t cell = 0; cell < row.count; ++cell) {
    if (row[cell] == "Process id") {
      layout.pid = cell;
      has_pid = true;
    }
    if (row[cell] == "Process name") layout.name = cell;
    if (row[cell].starts_with("Process memory")) {
      layout.memory = cell;
      layout.in_mb = Has(row[cell], "(MB)");
    }
  }
  if (!has_pid) return;
  DropPending();
  processes_ = layout;
  in_processes_ = true;
  table_.process_table = true;
}

void TableReader::ReadChipRow(const Row& row, std::string_view line) {
  if (FindBusCell(row, chips_)) return AddChip(row, line);
  DropPending();
  if (!MayBeFirstRow(row, chips_)) return NotUnderstood(line);
  pending_ = row;
}

void TableReader::AddChip(const Row& second, std::string_view line) {
  // The tool leaves out the first row of a chip whose health is out of range, not the second.
  if (!pending_) return Incomplete(fmt::format("a chip without its first row: {}", Quotable(line)));
  const Row first = *std::exchange(pending_, std::nullopt);
  std::optional<Chip> chip = ReadChip(first, second, chips_);
  if (!chip || table_.chips.size() >= kMaxChips) return NotUnderstood(line);
  if (IsMcu(chip->name)) return;
  const auto same = [&](const Chip& other) {
    return other.npu == chip->npu && other.chip == chip->chip;
  };
  if (std::ranges::any_of(table_.chips, same)) {
    return Incomplete(fmt::format("NPU {} chip {} is listed twice; its first entry is used",
                                  chip->npu, chip->chip));
  }
  table_.chips.push_back(*std::move(chip));
}

void TableReader::ReadIdleNpu(const Row& row, std::string_view line) {
  const auto npu = ParseWhole<std::int32_t>(Trim(row[0].substr(kIdle.size())));
  if (!npu) return NotUnderstood(line);
  AddProcessNpu(*npu);
}

void TableReader::ReadProcess(const Row& row, std::string_view line) {
  const Words ids = SplitWords(row[0]);
  const auto npu = ParseWhole<std::int32_t>(ids[0]);
  const auto chip = ids.count < 2 ? 0 : ParseWhole<std::int32_t>(ids[1]);
  const auto pid = ParseWhole<std::int32_t>(row[processes_.pid]);
  if (!npu || !chip || !pid || *pid <= 0 || table_.processes.size() >= kMaxProcessRows) {
    return NotUnderstood(line);
  }
  // Bars in the name of a process look like more cells.
  const std::size_t extra =
      row.closed && row.count > processes_.cells ? row.count - processes_.cells : 0;
  const std::string_view name = row[processes_.name];
  const std::string_view name_end = row[processes_.name + extra];
  Process process{*npu, *chip, *pid, {}, {}};
  if (name.data() != nullptr && name_end.data() != nullptr) {
    process.name = Trim(
        {name.data(), static_cast<std::size_t>(name_end.data() + name_end.size() - name.data())});
  }
  if (processes_.in_mb) {
    process.memory_mb = ParseWhole<std::uint64_t>(row[processes_.memory + extra]);
  }
  table_.processes.push_back(std::move(process));
  AddProcessNpu(*npu);
}

void TableReader::AddProcessNpu(std::int32_t npu) {
  if (table_.process_npus.size() >= kMaxChips) return;
  if (std::ranges::find(table_.process_npus, npu) == table_.process_npus.end()) {
    table_.process_npus.push_back(npu);
  }
}

void TableReader::DropPending() {
  if (!pending_) return;
  const Row row = *std::exchange(pending_, std::nullopt);
  Incomplete(fmt::format("a chip without its second row: NPU {}", Quotable(row[0])));
}

void TableReader::Incomplete(std::string problem) {
  if (table_.incomplete.size() < kMaxIncomplete) table_.incomplete.push_back(std::move(problem));
}

void TableReader::NotUnderstood(std::string_view line) {
  ++table_.not_understood;
  if (table_.not_understood_lines.size() < kMaxLinesKept) {
    table_.not_understood_lines.push_back(Quotable(line));
  }
}

InfoTable TableReader::Finish() {
  DropPending();
  return std::move(table_);
}

}  // namespace

InfoTable ParseInfoTable(std::string_view text) {
  TableReader reader;
  while (!text.empty()) {
    bool ended = false;
    std::string_view line = TakeLine(text, ended);
    if (!ended && !Trim(line).ends_with('|')) {
      // Cut off in the middle of the line, perhaps of a number: its last word is not trusted.
      line = line.substr(0, line.find_last_of(" \t|/") + 1);
    }
    reader.ReadLine(line);
  }
  return reader.Finish();
}

}  // namespace ascend::npu_smi
