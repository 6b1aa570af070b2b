// The queries of hccn_tool that print tables on 950: -link_stat, -speed and -dev_info.
#include <algorithm>
#include <array>
#include <span>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/hccn_lines.h"
#include "hal/npu_smi/hccn_text.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxRows = 1024;
constexpr std::uint32_t kMostPort = 255;  // see PortIndex
constexpr double kMegabitsPerGigabit = 1000;

// Which cell has which title. The columns are known by their titles, in any order.
class Header {
 public:
  // Whether the row is a header, which has all of `needed`; it is taken over if so.
  bool Take(const Row& row, std::span<const std::string_view> needed) {
    const auto has = [&](std::string_view title) { return CellOf(row, title) != row.count; };
    const bool header = std::ranges::all_of(needed, has);
    if (header) row_ = row;
    // The rows after the titles of another table are not ours.
    if (!header && !StartsWithDigit(row[0])) row_ = Row();
    return header;
  }
  [[nodiscard]] bool known() const { return row_.count > 0; }
  [[nodiscard]] std::size_t count() const { return row_.count; }
  // The cell under the title; empty if there is no such column.
  [[nodiscard]] std::string_view Cell(const Row& row, std::string_view title) const {
    return row[CellOf(row_, title)];
  }

 private:
  static std::size_t CellOf(const Row& row, std::string_view title) {
    for (std::size_t cell = 0; cell < row.count; ++cell) {
      if (row[cell] == title) return cell;
    }
    return row.count;
  }
  Row row_;
};

// Calls `read` with the rows under a header that has all of `needed` titles, `other` with the lines
// that are neither rows nor rules. Rows that are not as wide as the header are unknown.
template <typename Read, typename Other>
void ForEachRow(std::string_view text, std::span<const std::string_view> needed,
                UnknownLines& unknown, const Read& read, const Other& other) {
  Header header;
  ForEachLine(text, unknown, [&](std::string_view line) {
    line = Trim(line);
    if (line.starts_with('+')) return;
    const std::optional<Row> row = SplitRow(line);
    if (!row) {
      if (!other(line)) unknown.Add(line);
    } else if (!header.Take(*row, needed)) {
      const bool whole = header.known() && row->closed && row->count == header.count();
      if (!whole || !read(header, *row)) unknown.Add(line);
    }
  });
}

// "400 G" or, where the unit is not printed, "200".
std::optional<double> Gigabits(std::string_view text) {
  const Words words = SplitWords(text);
  const bool plain = words.count == 1 || (words.count == 2 && words[1] == "G");
  return plain ? ParseWhole<double>(words[0]) : std::nullopt;
}

std::optional<bool> IsUpRecord(std::string_view words) {
  if (words == "LINK UP" || words == "LINK_UP") return true;
  if (words == "LINK DOWN" || words == "LINK_DOWN") return false;
  return std::nullopt;
}

// "Tue Aug  1 14:43:40 2022    LINK UP": the state is at the end.
std::optional<LinkRecord> ReadRecord(std::string_view line) {
  for (const std::string_view state : {"LINK UP", "LINK DOWN"}) {
    if (!line.ends_with(state)) continue;
    const std::string_view time = Trim(line.substr(0, line.size() - state.size()));
    return LinkRecord{*IsUpRecord(state), std::string(time)};
  }
  return std::nullopt;
}

bool ReadHistoryLine(std::string_view line, HccnLinkHistory& history) {
  const std::size_t bracket = line.find(']');
  if (line.starts_with("[dev") && bracket != std::string_view::npos) {
    line = Trim(line.substr(bracket + 1));
  }
  if (auto record = ReadRecord(line); record && history.records.size() < kMaxRows) {
    history.records.push_back(*std::move(record));
    return true;
  }
  const std::optional<KeyValue> pair = SplitPair(line);
  if (!pair) return false;
  const auto number = ParseWhole<double>(pair->value);
  if (pair->key == "link up count") history.up_count = number;
  if (pair->key == "link down count") history.down_count = number;
  constexpr std::array<std::string_view, 4> kKnown = {"link up count", "link down count",
                                                      "current time", "link change records"};
  return std::ranges::find(kKnown, pair->key) != kKnown.end();
}

std::string TextOf(std::string_view cell) {
  return IsNoValue(cell) ? std::string() : std::string(cell);
}

}  // namespace

HccnLinkHistory ParseHccnLinkHistory(std::string_view text) {
  constexpr std::array<std::string_view, 2> kNeeded = {"Link_Status", "Time_Stamp"};
  HccnLinkHistory history;
  const auto read = [&](const Header& header, const Row& row) {
    const auto up = IsUpRecord(header.Cell(row, "Link_Status"));
    if (!up || history.records.size() >= kMaxRows) return false;
    history.records.push_back({*up, std::string(header.Cell(row, "Time_Stamp"))});
    return true;
  };
  ForEachRow(text, kNeeded, history.unknown, read,
             [&](std::string_view line) { return ReadHistoryLine(line, history); });
  return history;
}

HccnSpeed ParseHccnSpeed(std::string_view text) {
  constexpr std::array<std::string_view, 2> kNeeded = {"Speed", "Width"};
  HccnSpeed speed;
  const auto read = [&](const Header& header, const Row& row) {
    if (speed.megabits_per_second) return false;  // one port is asked for
    const auto gigabits = Gigabits(header.Cell(row, "Speed"));
    if (gigabits) speed.megabits_per_second = *gigabits * kMegabitsPerGigabit;
    speed.udie = ParseWhole<std::int32_t>(header.Cell(row, "UDie"));
    speed.port = ParseWhole<std::int32_t>(header.Cell(row, "Port"));
    speed.capability = TextOf(header.Cell(row, "Cap"));
    speed.width = TextOf(header.Cell(row, "Width"));
    speed.status = TextOf(header.Cell(row, "Status"));
    return true;
  };
  ForEachRow(text, kNeeded, speed.unknown, read, [&](std::string_view line) {
    const auto pair = SplitHccnPair(line);
    if (!pair || pair->key != "Speed") return false;
    const Words words = SplitWords(pair->value);
    // "Mb/s", whose slash is a word of its own.
    const bool megabits = words.count == 4 && words[1] == "Mb" && words[3] == "s";
    if (megabits) speed.megabits_per_second = ParseWhole<double>(words[0]);
    return megabits || pair->value.starts_with("Unknown");
  });
  return speed;
}

HccnPorts ParseHccnPorts(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNeeded = {"UdieID", "PortID", "Link Status"};
  HccnPorts ports;
  const auto read = [&](const Header& header, const Row& row) {
    const auto udie = ParseWhole<std::uint32_t>(header.Cell(row, "UdieID"));
    const auto number = ParseWhole<std::uint32_t>(header.Cell(row, "PortID"));
    if (!udie || !number || ports.ports.size() >= kMaxRows) return false;
    if (*udie > kMostPort || *number > kMostPort) return false;
    const auto same = [&](const HccnPort& port) {
      return port.udie == *udie && port.port == *number;
    };
    if (std::ranges::any_of(ports.ports, same)) return false;
    ports.ports.push_back(
        {*udie, *number, Gigabits(header.Cell(row, "Speed")), TextOf(header.Cell(row, "PortType")),
         LinkStateOf(header.Cell(row, "Link Status")), TextOf(header.Cell(row, "Media Type"))});
    return true;
  };
  ForEachRow(text, kNeeded, ports.unknown, read, [](std::string_view) { return false; });
  return ports;
}

}  // namespace ascend::npu_smi
