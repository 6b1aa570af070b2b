#include "hal/npu_smi/watch_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxRows = std::size_t{1} << 16;

struct WatchColumn {
  std::string_view title;
  std::optional<double> WatchRow::*member;  // null: an id
};
constexpr std::array<WatchColumn, 11> kColumns = {{
    {"NpuID(Idx)", nullptr},
    {"ChipId(Idx)", nullptr},
    {"Pwr(W)", &WatchRow::watts},
    {"Temp(C)", &WatchRow::celsius},
    {"AI Core(%)", &WatchRow::aicore_percent},
    {"AI Cpu(%)", &WatchRow::aicpu_percent},
    {"Ctrl Cpu(%)", &WatchRow::ctrlcpu_percent},
    {"Memory(%)", &WatchRow::memory_percent},
    {"Memory BW(%)", &WatchRow::memory_bandwidth_percent},
    {"NPU Util(%)", &WatchRow::npu_percent},
    {"AI Cube(%)", &WatchRow::cube_percent},
}};

using Layout = std::vector<const WatchColumn*>;

// The columns of a header, from left to right; empty if there is a title that nobody knows.
Layout ReadHeader(std::string_view line) {
  Layout layout;
  for (line = Trim(line); !line.empty(); line = Trim(line)) {
    const auto next = std::ranges::find_if(
        kColumns, [&](const WatchColumn& column) { return line.starts_with(column.title); });
    if (next == kColumns.end() || layout.size() == kColumns.size()) return {};
    layout.push_back(&*next);
    line.remove_prefix(next->title.size());
  }
  return layout;
}

std::optional<WatchRow> ReadRow(std::string_view line, const Layout& layout) {
  const Words words = SplitWords(line);
  if (layout.empty() || words.count != layout.size()) return std::nullopt;
  WatchRow row;
  std::optional<std::int32_t> npu;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (layout[i]->member != nullptr) {
      row.*layout[i]->member = ParseWhole<double>(words[i]);
    } else if (layout[i] == &kColumns[0]) {
      npu = ParseWhole<std::int32_t>(words[i]);
    } else {
      row.chip = ParseWhole<std::int32_t>(words[i]);
    }
  }
  if (!npu || *npu < 0) return std::nullopt;
  row.npu = *npu;
  return row;
}

}  // namespace

WatchText ParseWatch(std::string_view text) {
  WatchText watch;
  Layout layout;
  ForEachLine(text, watch.unknown, [&](std::string_view line) {
    if (Trim(line).starts_with(kColumns[0].title)) {
      layout = ReadHeader(line);
      if (layout.empty()) watch.unknown.Add(line);
      return;
    }
    const auto row = ReadRow(line, layout);
    if (row && watch.rows.size() < kMaxRows) {
      watch.rows.push_back(*row);
    } else {
      watch.unknown.Add(line);
    }
  });
  return watch;
}

}  // namespace ascend::npu_smi
