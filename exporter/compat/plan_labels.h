// The labels of the npu-exporter's series.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/compat/plan.h"

namespace ascend {

using LabelMap = std::map<std::string, std::string>;  // the npu-exporter sorts them, too

// Names devices as the npu-exporter does.
class VendorLabels {
 public:
  // Both must outlive it.
  VendorLabels(std::span<const SourceSeries> source, const CompatOptions& options);

  // The labels there of `series`, which is one of `device` (empty: of the node). None where the
  // npu-exporter would show no series. `aicores` as text.
  [[nodiscard]] std::optional<LabelMap> Make(const VendorName& row, const SeriesName& series,
                                             std::string_view device,
                                             std::string_view aicores) const;

  // The devices of which `series` tells: one, or all of a card.
  [[nodiscard]] std::vector<std::string_view> DevicesOf(const SeriesName& series) const;

 private:
  void AddChip(std::string_view device, LabelMap& labels) const;
  bool AddPod(std::string_view device, std::string_view vnpu, LabelMap& labels) const;
  static bool AddExtra(const VendorName& row, const SeriesName& series, std::string_view aicores,
                       LabelMap& labels);

  const CompatOptions& options_;
  std::map<std::string_view, const SeriesName*> chips_;  // ascend_npu_info, by device
};

// `name{a="x"} `, or `name ` without labels.
std::string HeadOf(std::string_view name, const LabelMap& labels);

}  // namespace ascend
