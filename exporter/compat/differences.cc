#include "exporter/compat/differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "exporter/compat/explanation.h"
#include "exporter/compat/page_index.h"
#include "exporter/compat/plan.h"
#include "exporter/settings/quoted.h"

namespace ascend {
namespace {

const VendorName* RowOf(const SeriesName& series) {
  return FindVendorName(series.name, !series.Label("port").empty());
}

std::string DeviceText(const DeviceId& device) {
  return device.text.empty() ? "" : fmt::format("device {}", OneLine(device.text));
}

// "device 3, udie 0, port 4: NAME", or the name alone.
std::string Where(const SeriesKey& key) {
  const std::string place = DeviceText(key.device) + key.rest;
  const std::string name = OneLine(key.name);
  return place.empty() ? name : fmt::format("{}: {}", place, name);
}

class Comparer {
 public:
  Comparer(const MetricsPage& there, const MetricsPage& here)
      : there_page_(there), there_(there), here_(here) {}

  Comparison Run() {
    ComparePageFormats();
    CompareDevices();
    CompareIdentities();
    CompareFaults();
    for (const auto& [key, sample] : there_.series) CompareThere(key, sample);
    for (const auto& [key, sample] : here_.series) CompareHere(key, sample);
    SayPresence();
    return std::move(result_);
  }

 private:
  void Say(const Explanation& why, std::string text) {
    if (!why.words.empty()) text += ": " + why.words;
    (why.known ? result_.explained : result_.unexplained).push_back(std::move(text));
  }

  void ComparePageFormats() {
    if (there_page_.bad_lines > 0) {
      Say({false, ""}, fmt::format("{} lines there are no samples; the first is {}",
                                   there_page_.bad_lines, there_page_.first_bad));
    }
    if (there_.with_timestamp > 0) {
      Say({true, "here a value that is not renewed ends"},
          fmt::format("{} samples there carry a timestamp", there_.with_timestamp));
    }
    if (there_.with_pod > 0 && here_.with_pod == 0) {
      Say({true, "which pod holds which chip is not told yet"},
          fmt::format("{} series there carry a pod's labels, here they are empty",
                      there_.with_pod));
    }
  }

  void CompareDevices() {
    for (const DeviceId& device : there_.devices) {
      if (!here_.devices.contains(device)) {
        Say({false, "this program does not know it"}, DeviceText(device) + " is only there");
      }
    }
    for (const DeviceId& device : here_.devices) {
      if (!there_.devices.contains(device)) {
        Say({false, "the npu-exporter does not know it"}, DeviceText(device) + " is only here");
      }
    }
  }

  // Whether both pages know the device, or it is of none.
  [[nodiscard]] bool Shared(const DeviceId& device) const {
    return device.text.empty() ||
           (there_.devices.contains(device) && here_.devices.contains(device));
  }

  void CompareIdentities() {
    for (const auto& [device, labels] : there_.identities) {
      const auto known = here_.identities.find(device);
      if (known == here_.identities.end() || !Shared(device)) continue;
      for (const auto& [label, there] : labels) {
        const auto found = known->second.find(label);
        const std::string_view here = found == known->second.end() ? "" : found->second;
        if (there == here) continue;
        const std::string place = DeviceText(device);
        Say(ExplainLabel(label, there, here),
            fmt::format("{}{}label {} {} there, {} here", place, place.empty() ? "" : ": ", label,
                        Quoted(there), Quoted(here)));
      }
    }
  }

  // The codes of a device are a set; the names only number them.
  void CompareFaults() {
    for (const DeviceId& device : there_.devices) {
      if (!here_.devices.contains(device)) continue;
      std::vector<double> only_there, only_here;
      const std::set<double>& there = there_.faults[device];
      const std::set<double>& here = here_.faults[device];
      std::ranges::set_difference(there, here, std::back_inserter(only_there));
      std::ranges::set_difference(here, there, std::back_inserter(only_here));
      result_.equal += there.size() - only_there.size();
      for (double code : only_there) SayFault(device, code, "there");
      for (double code : only_here) SayFault(device, code, "here");
    }
  }

  void SayFault(const DeviceId& device, double code, std::string_view where) {
    const bool is_code = code >= 0 && code <= 4294967295.0;
    const std::string text =
        is_code ? fmt::format("{:08X}", static_cast<std::uint64_t>(code)) : NumberText(code);
    Say({false, "it may have come or gone between the two looks"},
        fmt::format("{}: fault code {} is only {}", DeviceText(device), text, where));
  }

  void CompareThere(const SeriesKey& key, const IndexedSample& there) {
    if (!Shared(key.device)) return;
    if (there.times > 1) {
      Absent({true, fmt::format("{} times there, once here", there.times)}, key, "");
    }
    const VendorName* row = RowOf(there.sample->series);
    const auto found = here_.series.find(key);
    if (found == here_.series.end()) {
      const bool has_name = here_.names.contains(key.name);
      const Explanation why = ExplainOnlyThere(row, *there.sample, has_name);
      // What explains one value is said with the value.
      const bool by_value =
          why.known && row != nullptr && row->rule != Rule::kNone &&
          ExplainOnlyThere(row, Neutral(*there.sample), has_name).words != why.words;
      if (by_value) {
        Say(why,
            fmt::format("{} {} there, absent here", Where(key), NumberText(there.sample->value)));
      } else {
        Absent(why, key, "only there");
      }
      return;
    }
    CompareValues(key, row, there.sample->value, found->second.sample->value);
  }

  // The same series with a value that nothing is said of.
  static PageSample Neutral(const PageSample& sample) {
    PageSample neutral = sample;
    neutral.value = 1;
    return neutral;
  }

  void CompareValues(const SeriesKey& key, const VendorName* row, double there, double here) {
    if (there == here) {
      ++result_.equal;
      return;
    }
    Say(ExplainValues(row, there, here),
        fmt::format("{} {} there, {} here", Where(key), NumberText(there), NumberText(here)));
  }

  void CompareHere(const SeriesKey& key, const IndexedSample& here) {
    if (!Shared(key.device) || there_.series.contains(key)) return;
    const VendorName* row = RowOf(here.sample->series);
    if (row != nullptr) Absent(ExplainOnlyHere(*row, here.sample->value), key, "only here");
  }

  // Collects what is the same for many devices.
  void Absent(const Explanation& why, const SeriesKey& key, std::string_view where) {
    const std::string name = OneLine(key.name) + (where.empty() ? "" : " ") + std::string(where);
    absent_[{why.known, name, why.words}].push_back(
        key.device.text.empty() ? "" : OneLine(key.device.text) + key.rest);
  }

  void SayPresence() {
    for (auto& [what, places] : absent_) {
      const auto& [known, name, words] = what;
      Say({known, words}, name + PlacesText(places));
    }
  }

  // " (devices 0, 1)"; empty for what is of no device.
  static std::string PlacesText(std::vector<std::string> places) {
    if (places.front().empty()) return "";
    const std::size_t count = places.size();
    places.resize(std::min(count, kMaxPlaces));
    const bool members = std::ranges::any_of(
        places, [](const std::string& place) { return place.find(',') != std::string::npos; });
    std::string text = fmt::format("{}", fmt::join(places, members ? "; " : ", "));
    if (count > kMaxPlaces) text += fmt::format(" and {} more", count - kMaxPlaces);
    return fmt::format(" ({} {})", count == 1 ? "device" : "devices", text);
  }

  static constexpr std::size_t kMaxPlaces = 64;

  const MetricsPage& there_page_;
  PageIndex there_, here_;
  std::map<std::tuple<bool, std::string, std::string>, std::vector<std::string>> absent_;
  Comparison result_;
};

}  // namespace

MetricsPage InVendorNames(const MetricsPage& page) {
  std::vector<SourceSeries> source;
  std::vector<std::optional<double>> values;
  CompatOptions options;
  for (const PageSample& sample : page.samples) {
    if (sample.series.name == "ascend_exporter_build_info") {
      options.version = VersionThere(sample.series.Label("version"));
    }
    if (!sample.series.name.starts_with("ascend_npu_")) continue;
    source.push_back({sample.series, values.size()});
    values.emplace_back(sample.value);
  }
  if (source.empty()) return page;
  std::string text;
  CompatPlan(source, values, options).Encode(values, text);
  const absl::StatusOr<MetricsPage> renamed = ReadMetricsPage(text);
  return renamed.ok() ? *renamed : MetricsPage();
}

Comparison ComparePages(const MetricsPage& there, const MetricsPage& here) {
  return Comparer(there, here).Run();
}

std::string TolerancesText() {
  std::string text;
  for (const auto& [motion, what] :
       {std::pair{Motion::kHeat, "of temperatures"},
        std::pair{Motion::kDrifts, "of power, voltage, clocks, memory in use, optical power"},
        std::pair{Motion::kEvents, "of counted errors"},
        std::pair{Motion::kTraffic, "of counted traffic"},
        std::pair{Motion::kLoad, "of utilisation and bandwidth"}}) {
    text += fmt::format("  {}: {} tolerated\n", what, ToleranceText(motion));
  }
  return text;
}

}  // namespace ascend
