// What Huawei's npu-exporter calls things, and what each is here. One table: the compatibility
// page, `compare` and docs/migration.md are made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/compat/words.h"

namespace ascend {

// How its value is made of the series here that a row names.
enum class Rule : std::uint8_t {
  kValue,        // the value, scaled
  kSum,          // the sum of all that match, scaled
  kState,        // 1 where the state is ok, 0 where it is another, none where it is unknown
  kFaultCode,    // the number in label `code` of the fault that stands at the place in the name
  kDecibels,     // a power in watts as dBm
  kCountSeries,  // how many series there are
  kCards,        // how many cards there are
  kProfilingMs,  // how long the driver measures, where it has measured
  kOne,          // always 1
  kNone,         // nothing here is the same; the row's note says why
};

// The labels beside those of the chip.
enum class Shape : std::uint8_t {
  kNode,      // no label at all
  kVersion,   // exporterVersion
  kVersions,  // driverVersion and exporterVersion
  kChip,      // id, model_name, vdie_id, pcie_bus_info, namespace, pod_name, container_name
  kNamed,     // the same, model_name being called name
  kSerial,    // and serial_number
  kProduct,   // and product_type
  kPcie,      // and pcie_bw_type
  kProcess,   // and process_id, container_id
  kOfPod,     // those of the chip, only for a chip that a pod holds
  kVnpu,      // id, model_name, v_dev_id, aicore_count, is_virtual and those of the pod
  kContainer  // npuID, containerID, containerName and those of the chip without id
};

// Whether the series are those of a chip with one port or of the ports of a 950.
enum class Ports : std::uint8_t { kNone, kAlways, kWhereKnown };

// How a value moves between two looks at it; says what `compare` tolerates.
enum class Motion : std::uint8_t {
  kFixed,    // not at all
  kEvents,   // counts what is rare
  kTraffic,  // counts what is frequent
  kHeat,     // slowly
  kDrifts,   // with the load
  kLoad,     // from nothing to all within a second
};

// What the npu-exporter shows where its reading fails.
enum class Failure : std::uint8_t { kNoSeries, kMinusOne, kZero, kLastValue, kNotAvailable };

// `value` may be alternatives, "hung|unknown", or "!lost" for all but one.
struct LabelMatch {
  std::string_view name, value;
};
[[nodiscard]] bool Accepts(const LabelMatch& match, std::string_view value);

// value there = value here * times / over; both are exact.
struct Scale {
  double times = 1, over = 1;
};

struct VendorName {
  std::string_view name;  // "{}" stands for the number of a link or the place of a fault
  // Alternatives stand for each other where a chip has only one of them.
  std::string_view family{};
  LabelMatch match{};       // the series of the family that are meant; no name: all
  LabelMatch also{};        // a second label
  std::string_view unit{};  // there; empty: a count
  Scale scale{};
  Rule rule = Rule::kValue;
  Shape shape = Shape::kChip;
  Ports ports = Ports::kNone;
  Motion motion = Motion::kFixed;
  Failure failure = Failure::kNoSeries;
  std::string_view collector{};  // not empty: off here until --collectors.enable names it
  Words note{};
};

// In the order of the migration table: by group, as the npu-exporter documents them.
std::vector<VendorName> VendorNames();
// Its parts.
std::span<const VendorName> ChipNames();
std::span<const VendorName> MemoryNames();
std::span<const VendorName> LinkNames();
std::span<const VendorName> NetworkNames();
std::vector<VendorName> UbNames();

// The row that `name` belongs to, null if there is none. `with_port`: the series has a port label.
const VendorName* FindVendorName(std::string_view name, bool with_port);

// What to write in PromQL for the value there, `ascend_npu_hbm_used_bytes / 1048576`; empty for
// Rule::kNone.
std::string ExpressionOf(const VendorName& row);
// The series here, `ascend_npu_utilization_ratio{engine="aicore"}`; empty for Rule::kNone.
std::string SelectorOf(const VendorName& row);

}  // namespace ascend
