#include "hal/npu_smi/topology_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxLabels = 256;
constexpr std::string_view kAffinity = "CPU Affinity";

constexpr std::array<std::pair<std::string_view, LinkPath>, 10> kPaths = {{
    {"HCCS", LinkPath::kHccs},
    {"HCCS_SW", LinkPath::kHccsSwitch},
    {"XLink", LinkPath::kHccs},
    {"XLink_SW", LinkPath::kHccsSwitch},
    {"SIO", LinkPath::kSio},
    {"UB", LinkPath::kUb},
    {"PIX", LinkPath::kPix},
    {"PXB", LinkPath::kPxb},
    {"PHB", LinkPath::kPhb},
    {"SYS", LinkPath::kSys},
}};

enum class LabelKind : std::uint8_t { kNpu, kPhysical, kNic };
struct Label {
  LabelKind kind = LabelKind::kNpu;
  std::int32_t number = 0;
  friend bool operator==(const Label&, const Label&) = default;
};

std::optional<Label> ParseLabel(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, LabelKind>, 3> kKinds = {
      {{"NPU", LabelKind::kNpu}, {"Phy-ID", LabelKind::kPhysical}, {"NIC", LabelKind::kNic}}};
  for (const auto& [prefix, kind] : kKinds) {
    if (!word.starts_with(prefix)) continue;
    const auto number = ParseWhole<std::int32_t>(word.substr(prefix.size()));
    if (number && *number >= 0) return Label{kind, *number};
  }
  return std::nullopt;
}

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = Trim(line); !line.empty() && words.size() <= 2 * kMaxLabels; line = Trim(line)) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    words.push_back(word);
    line.remove_prefix(word.size());
  }
  return words;
}

bool IsPath(std::string_view word) {
  return word == "NA" ||
         std::ranges::find(kPaths, word, &decltype(kPaths)::value_type::first) != kPaths.end();
}

std::optional<LinkPath> PathOf(std::string_view word) {
  const auto path = std::ranges::find(kPaths, word, &decltype(kPaths)::value_type::first);
  return path == kPaths.end() ? std::nullopt : std::optional(path->second);
}

// A list of ranges: "0-23", "0-63,128-191".
bool IsCpuList(std::string_view text) {
  return !text.empty() && StartsWithDigit(text) &&
         text.find_first_not_of("0123456789-,") == std::string_view::npos;
}

class TopologyReader {
 public:
  void ReadLine(std::string_view line) {
    if (done_) return;
    std::vector<std::string_view> words = WordsOf(line);
    if (columns_.empty()) return ReadHeader(line, words);
    const std::optional<Label> label = ParseLabel(words[0]);
    if (!label) {
      done_ = true;  // the legend, whose words depend on the chip
      return;
    }
    if (label->kind == LabelKind::kNic) return;
    if (std::ranges::find(columns_, *label) == columns_.end() || !seen_.insert(*label)) {
      return matrix.unknown.Add(line);
    }
    words.erase(words.begin());
    ReadRow(*label, words, line);
  }

  TopologyMatrix matrix;

 private:
  // The few labels that were seen.
  struct Labels {
    std::vector<Label> list;
    bool insert(Label label) {
      if (std::ranges::find(list, label) != list.end()) return false;
      list.push_back(label);
      return true;
    }
  };

  void ReadHeader(std::string_view line, const std::vector<std::string_view>& words) {
    std::vector<Label> columns;
    for (const std::string_view word : words) {
      const std::optional<Label> label = ParseLabel(word);
      if (!label) break;
      columns.push_back(*label);
    }
    const bool affinity = line.ends_with(kAffinity) || Has(line, kAffinity);
    const std::size_t expected = columns.size() + (affinity ? 2 : 0);
    Labels once;
    const bool distinct = std::ranges::all_of(columns, [&](Label l) { return once.insert(l); });
    const bool one_kind = !columns.empty() && std::ranges::all_of(columns, [&](Label l) {
      return l.kind == LabelKind::kNic || l.kind == columns[0].kind;
    });
    if (columns.empty() || columns.size() > kMaxLabels || expected != words.size() || !distinct ||
        !one_kind) {
      return matrix.unknown.Add(line);
    }
    columns_ = std::move(columns);
    affinity_ = affinity;
    matrix.physical = columns_[0].kind == LabelKind::kPhysical;
  }

  void ReadRow(Label row, std::vector<std::string_view> words, std::string_view line) {
    TopologyRow entry{row.number, {}};
    if (!words.empty() && IsCpuList(words.back())) {
      if (affinity_) entry.cpu_affinity = words.back();
      words.pop_back();
    }
    matrix.rows.push_back(std::move(entry));
    // The cell of the chip itself says whether the others are where they are taken to be.
    const auto own = static_cast<std::size_t>(std::ranges::find(columns_, row) - columns_.begin());
    if (words.size() != columns_.size() || words[own] != "X") return matrix.unknown.Add(line);
    bool strange = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i == own || columns_[i].kind == LabelKind::kNic) continue;
      strange = strange || !IsPath(words[i]);
      matrix.cells.push_back({row.number, columns_[i].number, PathOf(words[i])});
    }
    if (strange) matrix.unknown.Add(line);
  }

  std::vector<Label> columns_;
  Labels seen_;
  bool affinity_ = false;
  bool done_ = false;
};

}  // namespace

TopologyMatrix ParseTopology(std::string_view text) {
  TopologyReader reader;
  ForEachLine(text, reader.matrix.unknown, [&](std::string_view line) { reader.ReadLine(line); });
  return std::move(reader.matrix);
}

}  // namespace ascend::npu_smi
