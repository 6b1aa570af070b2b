#include "collectors/all.h"

namespace ascend {
namespace {

using R = PcieReading;
using B = PcieBandwidthReading;

constexpr Source kSysfs = {.host = "/sys/bus/pci/devices"};
constexpr Source kErrorCount = {.dcmi = "dcmi_get_device_pcie_error_cnt"};
constexpr Source kToolCount = {.tool = "npu-smi info -t pcie-err"};
constexpr Source kBothCount = {.dcmi = "dcmi_get_device_pcie_error_cnt",
                               .tool = "npu-smi info -t pcie-err"};
constexpr Source kBandwidth = {.dcmi = "dcmi_get_pcie_link_bandwidth_info"};
constexpr nanoseconds kProfilingTime = std::chrono::milliseconds(100);

consteval MetricSpec Errors(std::string_view kind, Source source) {
  return {.name = "ascend_npu_pcie_errors_total",
          .help =
              "Errors of the PCIe link by the driver's counters, and by those that the kernel "
              "keeps (correctable, nonfatal, fatal).",
          .zh =
              "PCIe 链路的错误数：来自驱动的计数器，以及内核 AER 的计数器（"
              "correctable、nonfatal、fatal）。",
          .labels = {{{"kind", kind}}},
          .source = source};
}
consteval MetricSpec Transmit(std::string_view kind) {
  return {.name = "ascend_npu_pcie_transmit_bandwidth_bytes_per_second",
          .help =
              "Mean rate to the host while the driver measured it: writes (posted), reads "
              "(nonposted) and answers to reads (completion).",
          .zh =
              "驱动测量期间发往主机方向的平均速率：写（posted）、"
              "读（nonposted）和读应答（completion）。",
          .labels = {{{"kind", kind}}},
          .chips = "910B, 950",
          .source = kBandwidth};
}
consteval MetricSpec Receive(std::string_view kind) {
  return {.name = "ascend_npu_pcie_receive_bandwidth_bytes_per_second",
          .help =
              "Mean rate from the host while the driver measured it: writes (posted), reads "
              "(nonposted) and answers to reads (completion).",
          .zh =
              "驱动测量期间来自主机方向的平均速率：写（posted）、"
              "读（nonposted）和读应答（completion）。",
          .labels = {{{"kind", kind}}},
          .chips = "910B, 950",
          .source = kBandwidth};
}

constexpr auto kRows =
    RowsFor(Metric<&R::speed>({.name = "ascend_npu_pcie_link_speed_transfers_per_second",
                               .help = "Speed of the PCIe link per lane.",
                               .zh = "PCIe 链路当前每条 lane 的速率。",
                               .source = kSysfs}),
            Metric<&R::max_speed>({.name = "ascend_npu_pcie_link_speed_max_transfers_per_second",
                                   .help = "Highest speed per lane that the chip can do.",
                                   .zh = "芯片支持的每条 lane 的最高 PCIe 速率。",
                                   .source = kSysfs}),
            Metric<&R::lanes>({.name = "ascend_npu_pcie_link_width_lanes",
                               .help = "Lanes that the PCIe link uses.",
                               .zh = "PCIe 链路当前使用的 lane 数。",
                               .source = kSysfs}),
            Metric<&R::max_lanes>({.name = "ascend_npu_pcie_link_width_max_lanes",
                                   .help = "Most lanes that the chip can use.",
                                   .zh = "芯片支持的最大 PCIe lane 数。",
                                   .source = kSysfs}),
            Counter<&R::errors, &PcieErrors::symbol_unlock>(Errors("symbol_unlock", kErrorCount)),
            Counter<&R::errors, &PcieErrors::pcs_receive>(Errors("pcs_receive", kErrorCount)),
            Counter<&R::errors, &PcieErrors::phy_lane>(Errors("phy_lane", kErrorCount)),
            Counter<&R::errors, &PcieErrors::data_link_lcrc>(Errors("data_link_lcrc", kBothCount)),
            Counter<&R::errors, &PcieErrors::data_link_dcrc>(Errors("data_link_dcrc", kErrorCount)),
            Counter<&R::errors, &PcieErrors::transmit>(Errors("transmit", kToolCount)),
            Counter<&R::errors, &PcieErrors::receive>(Errors("receive", kToolCount)),
            Counter<&R::errors, &PcieErrors::ecrc>(Errors("ecrc", kToolCount)),
            Counter<&R::errors, &PcieErrors::retry>(Errors("retry", kToolCount)),
            Counter<&R::errors, &PcieErrors::correctable>(Errors("correctable", kSysfs)),
            Counter<&R::errors, &PcieErrors::nonfatal>(Errors("nonfatal", kSysfs)),
            Counter<&R::errors, &PcieErrors::fatal>(Errors("fatal", kSysfs)));

constexpr auto kBandwidthRows = RowsFor(Metric<&B::transmit_posted>(Transmit("posted")),
                                        Metric<&B::transmit_nonposted>(Transmit("nonposted")),
                                        Metric<&B::transmit_completion>(Transmit("completion")),
                                        Metric<&B::receive_posted>(Receive("posted")),
                                        Metric<&B::receive_nonposted>(Receive("nonposted")),
                                        Metric<&B::receive_completion>(Receive("completion")));

absl::Status Collect(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const auto reading = driver.ReadPcie(address, sink.pci_address());
  if (!reading.ok()) return reading.status();
  Emit(&*reading, reading->refused, kRows, sink);
  return absl::OkStatus();
}

absl::Status CollectBandwidth(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const auto reading = driver.ReadPcieBandwidth(address, kProfilingTime);
  if (!reading.ok()) return reading.status();
  Emit(&*reading, reading->refused, kBandwidthRows, sink);
  return absl::OkStatus();
}

}  // namespace

constexpr Collector kPcieCollector = {.name = "pcie",
                                      .topic = Topic::kLinks,
                                      .group = Group::kLinks,
                                      .rows = kRows,
                                      .collect = &Collect};

constexpr Collector kPcieBandwidthCollector = {
    .name = "pcie_bandwidth",
    .topic = Topic::kLinks,
    .group = Group::kLinks,
    .rows = kBandwidthRows,
    .collect = &CollectBandwidth,
    .by_default = Default::kOff,
    .sleeps = kProfilingTime,
    .cost = kSleepsFor100Ms,
    .privilege = {"root on the host or in a privileged container", "主机上或特权容器内的 root"}};

}  // namespace ascend
