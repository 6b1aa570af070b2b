// How many values a reading holds, whatever it is of.
#pragma once

#include "hal/npu_driver.h"

namespace ascend {

template <class... Optionals>
int CountValues(const Optionals&... fields) {
  return (0 + ... + (fields.has_value() ? 1 : 0));
}
inline int ValuesOf(const TemperatureReading& r) { return CountValues(r.chip); }
inline int ValuesOf(const PowerReading& r) { return CountValues(r.chip); }
inline int ValuesOf(const CardPowerReading& r) { return CountValues(r.card); }
inline int ValuesOf(const UtilizationReading& r) {
  return CountValues(r.aicore, r.vector, r.cube, r.aicpu, r.ctrlcpu, r.overall);
}
inline int ValuesOf(const HbmReading& r) {
  return CountValues(r.used, r.total, r.temperature, r.utilization, r.bandwidth_utilization);
}
inline int ValuesOf(const DdrReading& r) {
  return CountValues(r.used, r.total, r.bandwidth_utilization, r.hugepages_used,
                     r.hugepages_capacity);
}
inline int ValuesOf(const EccCounts& c) {
  return CountValues(c.enabled, c.single_bit, c.double_bit, c.lifetime_single_bit,
                     c.lifetime_double_bit, c.isolated_pages, c.pending_isolated_pages);
}
inline int ValuesOf(const PowerLimitReading& r) { return CountValues(r.limit); }
inline int ValuesOf(const VoltageReading& r) { return CountValues(r.chip); }
inline int ValuesOf(const ClockReading& r) {
  return CountValues(r.aicore, r.vectorcore, r.ctrlcpu, r.hbm, r.ddr, r.aicore_max);
}
inline int ValuesOf(const SensorReading& r) {
  return CountValues(r.cluster, r.peripheral, r.aicore, r.ntc1, r.ntc2, r.ntc3, r.ntc4, r.soc,
                     r.fp_max, r.n_die, r.hbm);
}
inline int ValuesOf(const ThrottleReading& r) {
  return CountValues(r.thermal, r.edp_software, r.edp_hardware, r.power_brake, r.power_cap, r.svfd,
                     r.load_aware);
}
inline int ValuesOf(const CoreUtilizationReading& r) {
  int values = 0;
  for (const CoreLoad& core : r.aicores) values += CountValues(core.busy);
  for (const CoreLoad& core : r.vector_cores) values += CountValues(core.busy);
  return values;
}
inline int ValuesOf(const MediaReading& r) {
  return CountValues(r.vdec, r.vpc, r.venc, r.jpege, r.jpegd);
}
inline int ValuesOf(const CompatibilityReading& r) { return CountValues(r.fits); }
inline int ValuesOf(const HccsReading& r) {
  int values = CountValues(r.up);
  for (const HccsLink& link : r.links) {
    values += CountValues(link.lanes, link.lanes_expected, link.transmitted, link.received,
                          link.crc_errors, link.retries);
  }
  return values;
}
inline int ValuesOf(const HccsBandwidthReading& r) {
  int values = 0;
  for (const auto& link : r.links) values += CountValues(link.transmit, link.receive);
  return values;
}
inline int ValuesOf(const SioReading& r) {
  return CountValues(r.transmit_errors, r.receive_errors);
}
inline int ValuesOf(const PcieReading& r) {
  const PcieErrors& e = r.errors;
  return CountValues(r.speed, r.max_speed, r.lanes, r.max_lanes, e.symbol_unlock, e.pcs_receive,
                     e.phy_lane, e.data_link_lcrc, e.data_link_dcrc);
}
inline int ValuesOf(const PcieBandwidthReading& r) {
  return CountValues(r.transmit_posted, r.transmit_nonposted, r.transmit_completion,
                     r.receive_posted, r.receive_nonposted, r.receive_completion);
}
inline int ValuesOf(const NetworkHealthReading& r) { return CountValues(r.state); }
inline int ValuesOf(const NetworkCountersReading& r) {
  int values = 0;
  for (const auto& value : r.ports[0].values) values += CountValues(value);
  return values;
}
inline int ValuesOf(const NetworkBandwidthReading& r) {
  return CountValues(r.ports[0].transmit, r.ports[0].receive);
}
inline int ValuesOf(const EccReading& r) {
  return ValuesOf(r.hbm) + ValuesOf(r.ddr) + ValuesOf(r.sram) + ValuesOf(r.npu);
}

}  // namespace ascend
