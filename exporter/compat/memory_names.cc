// Memory and its errors, and slices of a chip.
#include <array>

#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

constexpr Scale kMebibytes{.over = 1048576};
constexpr Scale kKibibytes{.over = 1024};
constexpr Scale kPercent{.times = 100};
constexpr std::string_view kErrors = "ascend_npu_ecc_errors_total";
constexpr std::string_view kLifetime = "ascend_npu_ecc_lifetime_errors_total";
constexpr LabelMatch kHbm{"memory", "hbm"};
constexpr LabelMatch kSingle{"severity", "single_bit"};
constexpr LabelMatch kDouble{"severity", "double_bit"};

constexpr Words kVnpu{
    "The labels `v_dev_id` and `aicore_count` are `vnpu` and the value of "
    "`ascend_npu_vnpu_aicores` "
    "here; the slice has its series whether or not a pod holds it.",
    "标签 `v_dev_id` 在这里是 `vnpu`，`aicore_count` 是 `ascend_npu_vnpu_aicores` 的值；无论是否被 "
    "Pod "
    "占用，切片都有自己的序列。"};

constexpr std::array kNames = {
    VendorName{.name = "npu_chip_info_total_memory",
               .family = "ascend_npu_ddr_total_bytes",
               .unit = "MB",
               .scale = kMebibytes,
               .failure = Failure::kLastValue},
    VendorName{.name = "npu_chip_info_used_memory",
               .family = "ascend_npu_ddr_used_bytes",
               .unit = "MB",
               .scale = kMebibytes,
               .motion = Motion::kDrifts,
               .failure = Failure::kLastValue},
    VendorName{.name = "npu_chip_info_hbm_used_memory",
               .family = "ascend_npu_hbm_used_bytes",
               .unit = "MB",
               .scale = kMebibytes,
               .motion = Motion::kDrifts},
    VendorName{.name = "npu_chip_info_hbm_total_memory",
               .family = "ascend_npu_hbm_total_bytes",
               .unit = "MB",
               .scale = kMebibytes},
    VendorName{.name = "npu_chip_info_hbm_temperature",
               .family = "ascend_npu_hbm_temperature_celsius",
               .unit = "°C",
               .motion = Motion::kHeat},
    VendorName{.name = "npu_chip_info_hbm_bandwidth_utilization",
               .family = "ascend_npu_hbm_bandwidth_utilization_ratio",
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "npu_chip_info_hbm_utilization",
               .family = "ascend_npu_hbm_utilization_ratio",
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "npu_chip_info_hbm_ecc_enable_flag",
               .family = "ascend_npu_ecc_enabled",
               .match = kHbm},
    VendorName{.name = "npu_chip_info_hbm_ecc_single_bit_error_cnt",
               .family = kErrors,
               .match = kHbm,
               .also = kSingle,
               .motion = Motion::kEvents},
    VendorName{.name = "npu_chip_info_hbm_ecc_double_bit_error_cnt",
               .family = kErrors,
               .match = kHbm,
               .also = kDouble,
               .motion = Motion::kFixed},
    VendorName{.name = "npu_chip_info_hbm_ecc_total_single_bit_error_cnt",
               .family = kLifetime,
               .match = kHbm,
               .also = kSingle,
               .motion = Motion::kEvents},
    VendorName{.name = "npu_chip_info_hbm_ecc_total_double_bit_error_cnt",
               .family = kLifetime,
               .match = kHbm,
               .also = kDouble,
               .motion = Motion::kFixed},
    VendorName{.name = "npu_chip_info_hbm_ecc_single_bit_isolated_pages_cnt",
               .rule = Rule::kNone,
               .note = {"The driver never fills this field: it is always 0, whatever happened.",
                        "驱动从不填写该字段：无论发生什么都是 0。"}},
    VendorName{.name = "npu_chip_info_hbm_ecc_double_bit_isolated_pages_cnt",
               .family = "ascend_npu_ecc_isolated_pages",
               .match = kHbm,
               .motion = Motion::kFixed},
    VendorName{.name = "vnpu_pod_aicore_utilization",
               .family = "ascend_npu_vnpu_utilization_ratio",
               .unit = "%",
               .scale = kPercent,
               .shape = Shape::kVnpu,
               .motion = Motion::kLoad,
               .note = kVnpu},
    VendorName{.name = "vnpu_pod_total_memory",
               .family = "ascend_npu_vnpu_memory_total_bytes",
               .unit = "KB",
               .scale = kKibibytes,
               .shape = Shape::kVnpu,
               .note = kVnpu},
    VendorName{.name = "vnpu_pod_used_memory",
               .family = "ascend_npu_vnpu_memory_used_bytes",
               .unit = "KB",
               .scale = kKibibytes,
               .shape = Shape::kVnpu,
               .motion = Motion::kDrifts,
               .note = kVnpu},
};

}  // namespace

std::span<const VendorName> MemoryNames() { return kNames; }

}  // namespace ascend
