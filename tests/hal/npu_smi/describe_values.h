// The values of the key-value queries as one line of words; see describe.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/board.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/hccn_text.h"
#include "hal/npu_smi/hccs_text.h"
#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/known_keys.h"
#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/refusal.h"
#include "hal/npu_smi/topology_text.h"
#include "hal/npu_smi/watch_text.h"
#include "hal/vendor_text.h"

namespace ascend::npu_smi {

// Names with values, joined by blanks; those without a value are left out.
class Line {
 public:
  template <typename T>
  Line& Add(std::string_view name, const std::optional<T>& value) {
    if (value) parts_.push_back(fmt::format("{} {}", name, *value));
    return *this;
  }
  Line& Add(std::string_view name, std::string_view value) {
    if (!value.empty()) parts_.push_back(fmt::format("{} {}", name, value));
    return *this;
  }
  Line& Say(std::string_view word) {
    if (!word.empty()) parts_.emplace_back(word);
    return *this;
  }
  Line& Unknown(const UnknownLines& unknown) {
    if (unknown.count > 0) parts_.push_back(fmt::format("unknown {}", unknown.count));
    return *this;
  }
  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(parts_, " ")); }

 private:
  std::vector<std::string> parts_;
};

inline std::string Of(const CommonValues& v) {
  return Line()
      .Add("memory", v.memory_percent)
      .Add("hbm", v.hbm_percent)
      .Add("aicore", v.aicore_percent)
      .Add("rated", v.aicore_rated_mhz)
      .Add("mhz", v.aicore_mhz)
      .Add("aicores", v.aicores)
      .Add("celsius", v.celsius)
      .Add("watts", v.watts)
      .Add("rated_watts", v.rated_watts)
      .text();
}

inline std::string Of(const UsageValues& v) {
  return Line()
      .Add("memory_mb", v.memory_mb)
      .Add("memory", v.memory_percent)
      .Add("memory_bandwidth", v.memory_bandwidth_percent)
      .Add("ddr_mb", v.ddr_mb)
      .Add("ddr", v.ddr_percent)
      .Add("ddr_bandwidth", v.ddr_bandwidth_percent)
      .Add("hugepages", v.hugepages)
      .Add("hugepages_used", v.hugepages_percent)
      .Add("hbm_mb", v.hbm_mb)
      .Add("hbm", v.hbm_percent)
      .Add("hbm_bandwidth", v.hbm_bandwidth_percent)
      .Add("aicore", v.aicore_percent)
      .Add("vector", v.vector_percent)
      .Add("cube", v.cube_percent)
      .Add("aicpu", v.aicpu_percent)
      .Add("ctrlcpu", v.ctrlcpu_percent)
      .Add("npu", v.npu_percent)
      .Add("vdec", v.vdec_percent)
      .Add("vpc", v.vpc_percent)
      .Add("venc", v.venc_percent)
      .Add("jpege", v.jpege_percent)
      .Add("jpegd", v.jpegd_percent)
      .text();
}

inline std::string Of(const MemoryValues& v) {
  return Line()
      .Add("ddr_mb", v.ddr_mb)
      .Add("ddr_total_mb", v.ddr_total_mb)
      .Add("ddr_mhz", v.ddr_mhz)
      .Add("hbm_mb", v.hbm_mb)
      .Add("hbm_mhz", v.hbm_mhz)
      .Add("hbm_celsius", v.hbm_celsius)
      .Add("manufacturer", v.hbm_manufacturer)
      .text();
}

inline std::string Of(const PowerValues& v) {
  return Line()
      .Add("watts", v.watts)
      .Add("card_watts", v.card_watts)
      .Add("rated_watts", v.rated_watts)
      .text();
}

inline std::string Of(const TemperatureValues& v) {
  return Line()
      .Add("celsius", v.celsius)
      .Add("lm75a", v.lm75a_celsius)
      .Add("lm75b", v.lm75b_celsius)
      .text();
}

inline std::string Of(const EccValues::Memory& v) {
  return Line()
      .Add("single", v.single_bit)
      .Add("double", v.double_bit)
      .Add("lifetime_single", v.lifetime_single_bit)
      .Add("lifetime_double", v.lifetime_double_bit)
      .Add("single_pages", v.single_bit_pages)
      .Add("double_pages", v.double_bit_pages)
      .Add("pending_single_pages", v.pending_single_bit_pages)
      .Add("pending_double_pages", v.pending_double_bit_pages)
      .text();
}
inline std::string Of(const EccValues& v) {
  return Line().Add("ddr", Of(v.ddr)).Add("hbm", Of(v.hbm)).text();
}

inline std::string Of(const SensorValues& v) {
  return Line()
      .Add("soc", v.soc_celsius)
      .Add("sfp", v.sfp_celsius)
      .Add("n_die", v.n_die_celsius)
      .Add("hbm", v.hbm_celsius)
      .text();
}

inline std::string Of(const SioValues& v) {
  return Line().Add("tx", v.transmit_errors).Add("rx", v.receive_errors).text();
}

inline std::string Of(const PcieErrorValues& v) {
  return Line()
      .Add("tx", v.transmit)
      .Add("rx", v.receive)
      .Add("lcrc", v.lcrc)
      .Add("ecrc", v.ecrc)
      .Add("retry", v.retry)
      .text();
}

inline std::string Of(const SuperPodValues& v) {
  return Line()
      .Add("sdid", v.sdid)
      .Add("size", v.size)
      .Add("pod", v.super_pod_id)
      .Add("server", v.server_index)
      .text();
}

inline std::string Of(const BoardValues& v) {
  constexpr std::string_view kFits[] = {"fits", "does not fit", "fit not told"};
  return Line()
      .Add("product", v.product)
      .Add("model", v.model)
      .Add("manufacturer", v.manufacturer)
      .Add("serial", v.serial)
      .Add("software", v.software_version)
      .Add("firmware", v.firmware_version)
      .Say(v.compatibility ? kFits[static_cast<std::size_t>(*v.compatibility)] : "")
      .Add("board", v.board_id)
      .Add("main_board", v.main_board_id)
      .Add("pcb", v.pcb_id)
      .Add("bom", v.bom_id)
      .Add("bus", v.bus_id)
      .Add("slot", v.slot_id)
      .Add("class", v.class_id)
      .Add("pci_vendor", v.pci_vendor)
      .Add("pci_device", v.pci_device)
      .Add("subsystem_vendor", v.subsystem_vendor)
      .Add("subsystem_device", v.subsystem_device)
      .Add("type", v.chip_type)
      .Add("name", v.chip_name)
      .Add("npu_name", v.npu_name)
      .Add("version", v.chip_version)
      .Add("die", v.die_id)
      .Add("position", v.chip_position)
      .Add("faulty", v.faulty_chips)
      .text();
}

inline std::string_view WordFor(std::optional<Health> health) {
  constexpr std::string_view kWords[] = {"OK", "Warning", "Alarm", "Critical", "UNKNOWN"};
  return health ? kWords[static_cast<std::size_t>(*health)] : "?";
}

inline std::string Of(const HealthValues& v) {
  Line line;
  line.Say(WordFor(v.state));
  if (v.codes) line.Say(fmt::format("codes [{:08X}]", fmt::join(*v.codes, " ")));
  return line.Say(fmt::format("informations {}", v.informations.size())).text();
}

inline std::string Of(const FaultEvents& v) {
  Line line;
  line.Add("count", v.count);
  for (const FaultEvent& event : v.events) {
    if (event.id) line.Say(fmt::format("event {:08X}", *event.id));
    line.Add("severity", event.severity);
  }
  return line.text();
}

inline std::string Of(const HccsValues& v) {
  Line line;
  if (v.healthy) line.Say(*v.healthy ? "healthy" : "not healthy");
  line.Add("first_error_lane", v.first_error_lane);
  for (const HccsLinkValues& link : v.links) {
    line.Say(fmt::format("; link {}", link.link))
        .Add("mode", link.lane_mode)
        .Add("lanes", link.lanes_in_use)
        .Add("tx", link.transmit_packets)
        .Add("rx", link.receive_packets)
        .Add("retries", link.retries)
        .Add("errors", link.errors);
  }
  return line.text();
}

}  // namespace ascend::npu_smi
