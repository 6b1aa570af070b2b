#include "exporter/compat/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include "exporter/compat/plan_labels.h"
#include "exporter/compat/value.h"
#include "exporter/page/number.h"
#include "exporter/page/text.h"

namespace ascend {
namespace {

constexpr std::size_t kFaultsWithNumber = 9;  // error_code_1 to error_code_9

double NumberIn(std::string_view text, int base) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return static_cast<double>(number);
}

bool Matches(const LabelMatch& match, const SeriesName& series) {
  return match.name.empty() || Accepts(match, series.Label(match.name));
}

bool FitsPorts(const VendorName& row, const SeriesName& series) {
  if (row.ports == Ports::kWhereKnown) return true;
  return (row.ports == Ports::kAlways) != series.Label("port").empty();
}

// What the series stands for in the value there; none if it takes no part in it.
std::optional<double> MeaningOf(const VendorName& row, const SeriesName& series) {
  switch (row.rule) {
    case Rule::kState: {
      const std::string_view state = series.Label("state");
      if (state == "unknown") return std::nullopt;
      return state == "ok" ? 1 : 0;
    }
    case Rule::kFaultCode:
      return NumberIn(series.Label("code"), 16);
    case Rule::kCards:
      return NumberIn(series.Label("card"), 10);
    default:
      return 0;
  }
}

// The name there, and the place that it means among the faults of a device.
struct TargetName {
  std::string name;
  std::size_t place = 0;
};

std::vector<TargetName> NamesOf(const VendorName& row, const SeriesName& series) {
  const std::size_t hole = row.name.find("{}");
  if (hole == std::string_view::npos) return {{std::string(row.name), 0}};
  const std::string stem(row.name.substr(0, hole));
  if (row.rule != Rule::kFaultCode) return {{stem + std::string(series.Label("link")), 0}};
  std::vector<TargetName> names;
  for (std::size_t i = 1; i <= kFaultsWithNumber; ++i)
    names.push_back({fmt::format("{}{}", stem, i), i});
  return names;
}

std::string HelpOf(const VendorName& row) {
  const std::string expression = ExpressionOf(row);
  return expression.empty() ? std::string(row.note.english)
                            : fmt::format("As {} of ascend-exporter.", expression);
}

class Builder {
 public:
  Builder(std::span<const SourceSeries> source, Values values, const CompatOptions& options)
      : values_(values), labels_(source, options) {
    for (const SourceSeries& one : source) {
      by_family_[one.series.name].push_back(&one);
      if (one.series.name == "ascend_npu_vnpu_aicores") aicores_[SliceOf(one.series)] = one.value;
    }
  }

  void Add(const VendorName& row) {
    if (row.rule == Rule::kNone) return;
    if (row.rule == Rule::kOne) return AddSeries(row, {}, {std::string(row.name), 0}, "");
    std::string_view alternatives = row.family;
    while (!alternatives.empty()) {
      const std::string_view family = alternatives.substr(0, alternatives.find('|'));
      alternatives.remove_prefix(std::min(family.size() + 1, alternatives.size()));
      for (const SourceSeries* one : by_family_[std::string(family)]) AddSource(row, *one);
    }
  }

  std::vector<CompatPlan::Family> TakeFamilies() {
    std::vector<CompatPlan::Family> families;
    for (auto& [name, pending] : pending_) {
      for (auto& [key, series] : pending.series) pending.family.series.push_back(std::move(series));
      families.push_back(std::move(pending.family));
    }
    return families;
  }
  std::vector<CompatPlan::LabelValue> TakeLabelValues() { return std::move(label_values_); }

 private:
  using Slice = std::pair<std::string_view, std::string_view>;  // device, vNPU
  struct Pending {
    CompatPlan::Family family;
    std::map<std::vector<std::string>, CompatPlan::Series> series;  // by their label values
  };

  void AddSource(const VendorName& row, const SourceSeries& source) {
    const SeriesName& series = source.series;
    if (!Matches(row.match, series) || !Matches(row.also, series) || !FitsPorts(row, series))
      return;
    if (!MeaningOf(row, series)) return;
    for (const TargetName& target : NamesOf(row, series)) {
      if (row.shape == Shape::kNode || row.shape == Shape::kVersions) {
        AddSeries(row, source, target, "");
      } else {
        for (std::string_view device : labels_.DevicesOf(series)) {
          AddSeries(row, source, target, device);
        }
      }
    }
  }

  void AddSeries(const VendorName& row, const SourceSeries& source, const TargetName& target,
                 std::string_view device) {
    const std::string aicores = row.shape == Shape::kVnpu ? AiCores(source.series) : "";
    const auto labels = labels_.Make(row, source.series, device, aicores);
    if (!labels) return;
    Pending& pending = pending_[target.name];
    if (pending.family.head.empty()) {
      pending.family.rule = row.rule;
      pending.family.scale = row.scale;
      AppendFamilyHead(pending.family.head, target.name, HelpOf(row), "gauge");
    }
    std::vector<std::string> key;
    for (const auto& [label, value] : *labels) key.push_back(value);
    CompatPlan::Series& series = pending.series[std::move(key)];
    if (series.head.empty()) series.head = HeadOf(target.name, *labels);
    series.place = target.place;
    if (row.rule != Rule::kOne) {
      series.parts.push_back({source.value, MeaningOf(row, source.series).value_or(0)});
    }
  }

  static Slice SliceOf(const SeriesName& series) {
    return {series.Label("device"), series.Label("vnpu")};
  }

  // The number of AI cores of a slice, a label there and a value here.
  std::string AiCores(const SeriesName& slice) {
    const auto found = aicores_.find(SliceOf(slice));
    if (found == aicores_.end()) return "";
    const std::optional<double> cores = values_[found->second];
    label_values_.push_back({found->second, cores});
    if (!cores) return "";
    std::array<char, kMaxNumberSize> text;
    return {text.data(), WriteNumber(text.data(), *cores)};
  }

  Values values_;
  VendorLabels labels_;
  std::unordered_map<std::string, std::vector<const SourceSeries*>> by_family_;
  std::map<Slice, std::size_t> aicores_;  // where the values lie
  std::map<std::string, Pending> pending_;
  std::vector<CompatPlan::LabelValue> label_values_;
};

}  // namespace

std::string VersionThere(std::string_view version) {
  return fmt::format("ascend-exporter-{}", version);
}

std::vector<SourceSeries> SourceOf(const Layout& layout) {
  std::vector<SourceSeries> source;
  source.reserve(layout.lines.size());
  std::size_t begin = 0;
  for (const Layout::Line& line : layout.lines) {
    std::string_view head(layout.heads.data() + begin, line.head_end - begin);
    begin = line.head_end;
    if (std::optional<SeriesName> series = TakeSeries(head)) {
      source.push_back({*std::move(series), line.value});
    }
  }
  return source;
}

CompatPlan::CompatPlan(std::span<const SourceSeries> source, Values values,
                       const CompatOptions& options) {
  Builder builder(source, values, options);
  for (const VendorName& row : VendorNames()) builder.Add(row);
  families_ = builder.TakeFamilies();
  label_values_ = builder.TakeLabelValues();
}

bool CompatPlan::Fits(Values values) const {
  return std::ranges::all_of(
      label_values_, [&](const LabelValue& label) { return values[label.value] == label.was; });
}

void CompatPlan::Encode(Values values, std::string& out) const {
  std::array<char, kMaxNumberSize> number;
  for (const Family& family : families_) {
    bool headed = false;
    for (const Series& series : family.series) {
      const std::optional<double> value = VendorValue(family, series, values);
      if (!value) continue;
      if (!headed) out += family.head;
      headed = true;
      out += series.head;
      out.append(number.data(), WriteNumber(number.data(), *value));
      out += '\n';
    }
  }
}

}  // namespace ascend
