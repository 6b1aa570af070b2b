#include "exporter/metrics_doc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "collectors/ranges.h"
#include "exporter/engine/sampling_plan.h"
#include "exporter/metrics_families.h"
#include "exporter/metrics_prose.h"
#include "exporter/page/own_metrics.h"
#include "exporter/series_table.h"
#include "exporter/settings/duration.h"

namespace ascend {
namespace {

constexpr std::string_view kNothing = "—";
constexpr std::string_view kElse = "else ";  // in a source: where the call before is not there

std::string_view TypeOf(const Row& row) {
  if (row.kind == Kind::kInfo) return "info";
  return row.is_counter() ? "counter" : "gauge";
}

// Every switch of a collector: its name, and the options of its rows.
std::vector<std::string_view> SwitchesOf(const Collector& collector) {
  std::vector<std::string_view> names = {collector.name};
  for (const Row& row : collector.rows) {
    if (!row.spec.option.empty() && names.back() != row.spec.option) {
      names.push_back(row.spec.option);
    }
  }
  return names;
}

// "2^53" for the powers of two that are limits of numbers, else "200".
std::string Limit(double value) {
  int exponent = 0;
  const bool power = std::frexp(value, &exponent) == 0.5;
  return power && exponent > 50 ? fmt::format("2^{}", exponent - 1) : fmt::format("{:g}", value);
}

// "21.5 G".
std::string Magnitude(double value) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"", "k", "M", "G"};
  std::size_t prefix = 0;
  for (; value >= 1000 && prefix + 1 < kPrefixes.size(); ++prefix) value /= 1000;
  return fmt::format("{:.3g} {}", value, kPrefixes[prefix]);
}

// Writes the document in one language.
class Writer {
 public:
  explicit Writer(Language language) : chinese_(language == Language::kChinese) {}

  std::string Write() {
    out_ = In(prose::kIntroduction);
    Groups();
    Collectors();
    const std::vector<MetricFamily> families = AllMetricFamilies();
    for (std::size_t topic = 0; topic < prose::kTopics.size(); ++topic) {
      Section(static_cast<Topic>(topic), families);
    }
    OwnMetricsTable();
    Ranges();
    Wraps(families);
    Series();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string_view In(const Bilingual& text) const {
    return chinese_ ? text.zh : text.en;
  }

  [[nodiscard]] std::string_view NameOf(Unit unit) const {
    for (const prose::UnitText& entry : prose::kUnits) {
      if (entry.unit == unit) return In(entry.text);
    }
    return kNothing;
  }

  void Groups() {
    const SamplingOptions options;
    out_ += In(prose::kGroups);
    for (std::size_t i = 0; i < kGroups; ++i) {
      out_ += fmt::format("| {0} | {1} | `--sampling.{0}-period` | {2} |\n", kGroupNames[i],
                          FormatDuration(options.periods[i]), FormatDuration(options.deadlines[i]));
    }
  }

  void Collectors() {
    out_ += In(prose::kBehindGroups);
    for (const Collector* collector : AllCollectors()) {
      for (std::string_view name : SwitchesOf(*collector)) {
        const bool on = name == collector->name && collector->by_default == Default::kOn;
        const auto group = static_cast<std::size_t>(collector->group);
        const bool of_rows = name != collector->name;
        out_ += fmt::format(
            "| `{}` | {}{} | {} | {} | {} |\n", name, kGroupNames[group],
            collector->once ? In(prose::kOnce) : "", In(on ? prose::kOn : prose::kOff),
            In(of_rows ? prose::kOnlySeries : collector->cost), In(collector->privilege));
      }
    }
  }

  void Section(Topic topic, const std::vector<MetricFamily>& families) {
    out_ += fmt::format("\n## {}\n\n{}", In(prose::kTopics[static_cast<std::size_t>(topic)]),
                        In(prose::kMeaningHead));
    std::vector<Origin> origins;
    for (const MetricFamily& family : families) {
      if (family.topic != topic) continue;
      const Row& row = *family.first;
      out_ += fmt::format("| `{}` | {} | {} | {} | {} | {}{} | {} |\n", row.spec.name, TypeOf(row),
                          NameOf(row.unit), Labels(family), Chips(family), Codes(family.collectors),
                          family.by_default ? "" : In(prose::kOffByDefault),
                          chinese_ ? row.spec.zh : row.spec.help);
      AddOrigin(family, origins);
    }
    out_ += In(prose::kSourceHead);
    for (const Origin& origin : origins) {
      out_ += fmt::format("| {} | {} |\n", origin.cells, origin.metrics);
    }
  }

  // Families that come from the same calls share a line.
  struct Origin {
    std::string cells, metrics;
  };
  void AddOrigin(const MetricFamily& family, std::vector<Origin>& origins) const {
    const std::string cells =
        fmt::format("{} | {} | {} | {}", Codes(family.dcmi), Codes(family.dcmiv2),
                    Codes(family.tool), Codes(family.host));
    auto origin = std::ranges::find(origins, cells, &Origin::cells);
    if (origin == origins.end()) origin = origins.insert(origin, {cells, {}});
    origin->metrics += fmt::format("{}`{}`", origin->metrics.empty() ? "" : In(prose::kComma),
                                   family.first->spec.name);
  }

  static std::string Labels(const MetricFamily& family) {
    std::string text;
    for (const LabelValues& label : family.labels) {
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ", label.name);
      std::string values;
      for (const std::string& value : label.values)
        values += (values.empty() ? ": " : ", ") + value;
      text += values;
    }
    return text.empty() ? std::string(kNothing) : text;
  }

  [[nodiscard]] std::string Chips(const MetricFamily& family) const {
    if (family.chips.size() == kChipNames.size()) return std::string(In(prose::kAllChips));
    std::string text;
    for (const std::string& name : family.chips) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  // "a 1, else b 2" as `a 1`, else `b 2`.
  [[nodiscard]] std::string Code(std::string_view text) const {
    std::string code;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(", "), text.size());
      std::string_view part = text.substr(0, end);
      text.remove_prefix(std::min(end + 2, text.size()));
      const bool otherwise = part.starts_with(kElse);
      if (!code.empty()) code += In(otherwise ? prose::kElse : prose::kComma);
      if (otherwise) part.remove_prefix(kElse.size());
      code += fmt::format("`{}`", part);
    }
    return code;
  }

  [[nodiscard]] std::string Codes(const std::vector<std::string>& texts) const {
    if (texts.empty()) return std::string(kNothing);
    std::string codes;
    for (const std::string& text : texts) {
      codes.append(codes.empty() ? "" : In(prose::kSemicolon)).append(Code(text));
    }
    return codes;
  }

  void OwnMetricsTable() {
    out_ += In(prose::kOwnHead);
    for (const OwnFamily& family : OwnFamilies()) {
      out_ += fmt::format("| `{}` | {} | {} | {} |\n", family.name, family.type, family.labels,
                          chinese_ ? family.zh : family.help);
    }
  }

  void Ranges() {
    out_ += In(prose::kRanges);
    const auto line = [&](std::string_view name, const PhysicalRange& range) {
      out_ += fmt::format("| {} | {:g} | {} |\n", name, range.least, Limit(range.most));
    };
    for (const UnitRange& entry : kPhysicalRanges) line(NameOf(entry.unit), entry.range);
    line(In(prose::kCounts), kCountRange);
    line(In(prose::kCounters), kCounterRange);
  }

  void Wraps(const std::vector<MetricFamily>& families) {
    const SamplingOptions options;
    const double period = static_cast<double>(
        options.periods[static_cast<std::size_t>(Group::kLinks)].count() / 1'000'000'000);
    out_ += In(prose::kWraps);
    for (const MetricFamily& family : families) {
      if (family.first->range == nullptr) continue;
      const bool sio = family.first->spec.name.starts_with("ascend_npu_sio_");
      const bool bytes = family.first->unit == Unit::kBytes;
      const double quarter = (sio ? 0x1p14 : 0x1p30) * (bytes ? kHccsFlitBytes : 1);
      out_ += fmt::format("| `{}` | {}{} | {}{} | {}{}/s |\n", family.first->spec.name,
                          sio ? 16 : 32, sio ? "" : In(prose::kOnlyFallback), Magnitude(quarter),
                          bytes ? "B" : "", Magnitude(quarter / period), bytes ? "B" : "");
    }
  }

  void Series() {
    out_ += In(prose::kSeries);
    for (const SeriesCount& count : kSeriesCounts) {
      out_ += fmt::format("| {} | `{}` | {} | {} |\n", count.chips, count.machine, count.by_default,
                          count.all);
    }
  }

  const bool chinese_;
  std::string out_;
};

}  // namespace

std::string MetricsDocument(Language language) { return Writer(language).Write(); }

}  // namespace ascend
