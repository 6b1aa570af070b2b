// The readings of DcmiDriver about the PCIe link.
#include "hal/dcmi/driver.h"
#include "hal/pcie_sysfs.h"

namespace ascend::dcmi {
namespace {

// The library's "MB/ms": 2^20 bytes.
constexpr double kMegabytePerMillisecond = 1048576.0 * 1000;
constexpr std::size_t kMean = 2;  // behind the least and the most
constexpr std::int64_t kMaxProfilingMs = 2000;

bool KnowsAnything(const PcieReading& reading) {
  const PcieErrors none;
  return reading.speed || reading.max_speed || reading.lanes || reading.max_lanes ||
         !(reading.errors == none);
}

}  // namespace

absl::StatusOr<PcieReading> DcmiDriver::ReadPcie(DeviceAddress at, std::string_view pci_address) {
  PcieReading reading = ReadPcieSysfs(sysfs_, pci_address);
  const bool kernel_knows = KnowsAnything(reading);
  Room<ChipPcieErrRate> room(Room<ChipPcieErrRate>::kOnes);
  const int code =
      lacks_.Of(at).Ask(Question::kPcieErrors, [&] { return f_.pcie_error_cnt(at, &room.value); });
  if (code == kOk) {
    Border border(reading.refused);
    const ChipPcieErrRate& counts = room.value;
    reading.errors.symbol_unlock = border.Events(counts.symbol_unlock_counter);
    reading.errors.pcs_receive = border.Events(counts.pcs_rx_err_cnt);
    reading.errors.phy_lane = border.Events(counts.phy_lane_err_counter);
    reading.errors.data_link_lcrc = border.Events(counts.dl_lcrc_err_num);
    reading.errors.data_link_dcrc = border.Events(counts.dl_dcrc_err_num);
    return reading;
  }
  // Without an address the kernel could not be asked: that is of the moment, no lack of the chip.
  if (kernel_knows || (pci_address.empty() && IsUnsupported(code))) return reading;
  return StatusOf(f_.pcie_error_cnt.name, code);
}

absl::StatusOr<PcieBandwidthReading> DcmiDriver::ReadPcieBandwidth(DeviceAddress at,
                                                                   nanoseconds window) {
  Room<PcieLinkBandwidthInfo> room(Room<PcieLinkBandwidthInfo>::kOnes);
  room.value.profiling_time = static_cast<std::int32_t>(Milliseconds(window, 1, kMaxProfilingMs));
  const int code = f_.pcie_link_bandwidth_info(at, &room.value);
  if (code != kOk) return StatusOf(f_.pcie_link_bandwidth_info.name, code);
  PcieBandwidthReading reading;
  Border border(reading.refused);
  const auto flow = [&](const std::uint32_t(&of)[3]) {
    return border.Flow(of[kMean], kMegabytePerMillisecond);
  };
  reading.transmit_posted = flow(room.value.tx_p_bw);
  reading.transmit_nonposted = flow(room.value.tx_np_bw);
  reading.transmit_completion = flow(room.value.tx_cpl_bw);
  reading.receive_posted = flow(room.value.rx_p_bw);
  reading.receive_nonposted = flow(room.value.rx_np_bw);
  reading.receive_completion = flow(room.value.rx_cpl_bw);
  return reading;
}

}  // namespace ascend::dcmi
