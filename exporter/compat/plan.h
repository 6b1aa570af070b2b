// The npu-exporter's page, made of series and values from here.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/compat/series.h"
#include "exporter/compat/vendor_table.h"
#include "exporter/page/layout.h"

namespace ascend {

struct Pod {
  std::string pod_namespace, pod_name, container_name;
};

struct CompatOptions {
  std::string version{};  // of this program, as the label exporterVersion tells it
  // The pod that holds a device, or a slice of it where `vnpu` is not empty; none if nobody does.
  // Null: nobody knows.
  std::function<std::optional<Pod>(std::string_view device, std::string_view vnpu)> pod_of{};
};

// A series here, and where its value lies.
struct SourceSeries {
  SeriesName series;
  std::size_t value = 0;
};
using Values = std::span<const std::optional<double>>;

// The label exporterVersion of this program's `version`.
std::string VersionThere(std::string_view version);

// Every series of the layout's pages; values as in its snapshots.
std::vector<SourceSeries> SourceOf(const Layout& layout);

// What changes only with the series: the text before each value and what each is made of. Immutable
// after construction.
class CompatPlan {
 public:
  // `values` tell what becomes a label there.
  CompatPlan(std::span<const SourceSeries> source, Values values, const CompatOptions& options);

  // Whether what became labels is still as it was.
  [[nodiscard]] bool Fits(Values values) const;
  // Appends the page in the text format 0.0.4, in the npu-exporter's order.
  void Encode(Values values, std::string& out) const;

  // A value here that takes part in one there. `meaning` is what it stands for: a fault code, 0 or
  // 1 of a state, a card.
  struct Part {
    std::size_t value = 0;
    double meaning = 0;
  };
  struct Series {
    std::string head;
    std::size_t place = 0;  // among the faults of the device
    std::vector<Part> parts;
  };
  struct Family {
    std::string head;
    Rule rule = Rule::kValue;
    Scale scale;
    std::vector<Series> series;
  };
  struct LabelValue {
    std::size_t value = 0;
    std::optional<double> was;
  };

 private:
  std::vector<Family> families_;
  std::vector<LabelValue> label_values_;
};

}  // namespace ascend
