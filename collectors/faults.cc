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

constexpr std::array<std::string_view, 2> kDetailLabels = {"severity", "description"};

std::string CodeLabel(std::uint32_t code) { return fmt::format("code=\"{:08X}\"", code); }

std::string CodeAndActionLabels(std::uint32_t code) {
  const auto action = static_cast<std::size_t>(ActionOf(code));
  return fmt::format("code=\"{:08X}\",action=\"{}\"", code, kFaultActionNames[action]);
}

constexpr Source kCall = {.dcmi = "dcmi_get_device_errorcode_v2",
                          .dcmiv2 = "dcmiv2_get_device_error_code_list",
                          .tool = "npu-smi info -t health"};
// Where the driver sends events, those that are over before they are asked for count, too.
constexpr Source kEvents = {
    .dcmi = "dcmi_get_device_errorcode_v2, dcmi_subscribe_fault_event",
    .dcmiv2 = "dcmiv2_get_device_error_code_list, dcmiv2_subscribe_fault_event",
    .tool = "npu-smi info -t health"};
constexpr Source kDetails = {
    .dcmi = "dcmi_get_device_errorcode_string, dcmi_get_device_current_fault_event",
    .dcmiv2 = "dcmiv2_get_device_error_info, dcmiv2_get_device_current_fault_event",
    .tool = "npu-smi info -t health"};

consteval std::array<Row, kFaultRows> MakeRows() {
  std::array<Row, kFaultRows> rows{};
  rows[kFaultActive] =
      HandRow({.spec = {.name = "ascend_npu_fault",
                        .help = "1 while the chip reports the fault; the action is what the "
                                "vendor's cluster manager does about it by default.",
                        .zh = "芯片上报该故障期间为 1；action 是厂商集群管理软件默认对该故障"
                              "采取的动作。",
                        .source = kCall},
               .key_labels = &CodeAndActionLabels});
  rows[kFaultLast] = HandRow({.spec = {.name = "ascend_npu_fault_last_timestamp_seconds",
                                       .help = "When the fault was last seen to begin.",
                                       .zh = "最近一次观察到该故障开始的时间。",
                                       .source = kEvents},
                              .unit = Unit::kTimestamp,
                              .key_labels = &CodeLabel});
  rows[kFaultInfo] =
      HandRow({.spec = {.name = "ascend_npu_fault_info",
                        .help = "What the vendor says of a fault; 1 while the chip reports it.",
                        .zh = "厂商给出的故障级别和描述；芯片上报该故障期间为 1。",
                        .source = kDetails},
               .kind = Kind::kInfo,
               .key_labels = &CodeLabel,
               .text_labels = kDetailLabels});
  for (std::size_t i = 0; i < kFaultActions; ++i) {
    rows[kFaultCount + i] =
        HandRow({.spec = {.name = "ascend_npu_faults_total",
                          .help = "Faults that began since the exporter sees the chip; one that "
                                  "begins again counts again.",
                          .zh = "exporter 开始监控该芯片以来发生的故障次数；"
                                "同一故障再次发生会再次计数。",
                          .labels = {{{"action", kFaultActionNames[i]}}},
                          .source = kEvents},
                 .kind = Kind::kCounter});
  }
  return rows;
}
constexpr auto kRows = MakeRows();

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  absl::StatusOr<FaultsReading> reading = driver.ReadFaults(address);
  if (!reading.ok()) return reading.status();
  const std::span<std::uint32_t> active = reading->active.items();
  std::ranges::sort(active);
  for (auto run = active.begin(); run != active.end();) {
    const auto end = std::find_if(run, active.end(), [&](std::uint32_t c) { return c != *run; });
    sink.Put(kFaultActive, static_cast<double>(end - run), *run);
    const FaultDetail detail = driver.DetailOf(address, *run);
    if (!detail.description.empty()) {
      const auto severity = static_cast<std::size_t>(detail.severity);
      sink.PutText(kFaultInfo, *run, {kFaultSeverityNames[severity], detail.description.view()});
    }
    run = end;
  }
  sink.ReportFaultEvents(reading->events);
  return absl::OkStatus();
}

}  // namespace

FaultAction ActionOf(std::uint32_t code) {
  const auto* known = std::ranges::lower_bound(kKnownFaults, code, {}, &KnownFault::code);
  return known != std::end(kKnownFaults) && known->code == code ? known->action
                                                                : FaultAction::kUnknown;
}

constexpr Collector kFaultsCollector = {.name = "faults",
                                        .topic = Topic::kState,
                                        .group = Group::kHealth,
                                        .rows = kRows,
                                        .collect = &Collect};

}  // namespace ascend
