#include "collectors/faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectors/all.h"

namespace ascend {
namespace {

struct KnownFault {
  std::uint32_t code;
  FaultAction action;
};

constexpr KnownFault kKnownFaults[] = {
#include "collectors/fault_codes.inc"
};
static_assert(std::ranges::is_sorted(kKnownFaults, {}, &KnownFault::code));

std::string CodeLabel(std::uint32_t code) { return fmt::format("code=\"{:08X}\"", code); }

std::string CodeAndActionLabels(std::uint32_t code) {
  const auto action = static_cast<std::size_t>(ActionOf(code));
  return fmt::format("code=\"{:08X}\",action=\"{}\"", code, kFaultActionNames[action]);
}

constexpr std::string_view kCall = "dcmi_get_device_errorcode_v2";

consteval std::array<Row, 2 + kFaultActions> MakeRows() {
  std::array<Row, 2 + kFaultActions> rows{};
  rows[kFaultActive] = EngineRow(
      {.spec = {.name = "ascend_npu_fault",
                .help = "1 while the chip reports the fault; the action is what the vendor's "
                        "cluster manager does about it by default.",
                .source = kCall},
       .open_labels = &CodeAndActionLabels});
  rows[kFaultLast] = EngineRow({.spec = {.name = "ascend_npu_fault_last_timestamp_seconds",
                                         .help = "When the fault was last seen to begin.",
                                         .source = kCall},
                                .unit = Unit::kTimestamp,
                                .open_labels = &CodeLabel});
  for (std::size_t i = 0; i < kFaultActions; ++i) {
    rows[kFaultCount + i] =
        EngineRow({.spec = {.name = "ascend_npu_faults_total",
                            .help = "Faults that began since the exporter sees the chip; one that "
                                    "begins again counts again.",
                            .labels = {{{"action", kFaultActionNames[i]}}},
                            .source = kCall},
                   .kind = Kind::kCounter});
  }
  return rows;
}
constexpr auto kRows = MakeRows();

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  std::array<std::uint32_t, kMaxFaultCodes> codes;
  const absl::StatusOr<std::size_t> count = driver.ReadFaults(address, codes);
  if (!count.ok()) return count.status();
  const std::span active = std::span(codes).first(std::min(*count, codes.size()));
  std::ranges::sort(active);
  for (auto run = active.begin(); run != active.end();) {
    const auto end = std::find_if(run, active.end(), [&](std::uint32_t c) { return c != *run; });
    sink.Put(kFaultActive, static_cast<double>(end - run), *run);
    run = end;
  }
  return absl::OkStatus();
}

}  // namespace

FaultAction ActionOf(std::uint32_t code) {
  const auto* known = std::ranges::lower_bound(kKnownFaults, code, {}, &KnownFault::code);
  return known != std::end(kKnownFaults) && known->code == code ? known->action
                                                                : FaultAction::kUnknown;
}

constexpr Collector kFaultsCollector = {
    .name = "faults", .group = Group::kHealth, .rows = kRows, .collect = &Collect};

}  // namespace ascend
