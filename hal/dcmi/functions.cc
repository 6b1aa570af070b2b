#include "hal/dcmi/functions.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "hal/driver_state.h"

namespace ascend::dcmi {
namespace {

// A function and what it is called in each interface; null where an interface does not have it.
struct Row {
  const char* v1;
  const char* v2;
  Symbol& (*slot)(Functions&);
  bool required;
};

template <auto Member>
constexpr Row Required(const char* v1, const char* v2) {
  return {v1, v2, [](Functions& functions) -> Symbol& { return functions.*Member; }, true};
}

template <auto Member>
constexpr Row Optional(const char* v1, const char* v2) {
  return {v1, v2, [](Functions& functions) -> Symbol& { return functions.*Member; }, false};
}

constexpr const char* kInitV1 = "dcmi_init";
constexpr const char* kInitV2 = "dcmiv2_init";
constexpr const char* kNone = nullptr;

using F = Functions;
constexpr std::array kRows = {
    Required<&F::init>(kInitV1, kInitV2),
    Optional<&F::dcmi_version>("dcmi_get_dcmi_version", "dcmiv2_get_dcmi_version"),
    Optional<&F::driver_version>("dcmi_get_driver_version", "dcmiv2_get_driver_version"),
    Optional<&F::driver_health>("dcmi_get_driver_health", "dcmiv2_get_driver_health"),
    Required<&F::card_list>("dcmi_get_card_list", kNone),
    Required<&F::device_num_in_card>("dcmi_get_device_num_in_card", kNone),
    Required<&F::device_logic_id>("dcmi_get_device_logic_id", kNone),
    Required<&F::device_list>(kNone, "dcmiv2_get_device_list"),
    Optional<&F::phy_id>("dcmi_get_device_phyid_from_logicid", "dcmiv2_get_chip_phy_id_by_dev_id"),
    Optional<&F::device_type>("dcmi_get_device_type", "dcmiv2_get_device_type"),

    Optional<&F::chip_info_v2>("dcmi_get_device_chip_info_v2", "dcmiv2_get_device_chip_info"),
    Optional<&F::chip_info>("dcmi_get_device_chip_info", kNone),
    Optional<&F::board_info>("dcmi_get_device_board_info", "dcmiv2_get_device_board_info"),
    Optional<&F::die_v2>("dcmi_get_device_die_v2", "dcmiv2_get_device_die_id"),
    Optional<&F::card_elabel_v2>("dcmi_get_card_elabel_v2", "dcmiv2_get_device_elabel_info"),
    Optional<&F::pcie_info_v2>("dcmi_get_device_pcie_info_v2", "dcmiv2_get_device_pcie_info"),
    Optional<&F::component_version>("dcmi_get_device_component_static_version",
                                    "dcmiv2_get_device_component_static_version"),

    Optional<&F::health>("dcmi_get_device_health", "dcmiv2_get_device_health"),
    Optional<&F::errorcode_v2>("dcmi_get_device_errorcode_v2", "dcmiv2_get_device_error_code_list"),
    Optional<&F::errorcode_string>("dcmi_get_device_errorcode_string",
                                   "dcmiv2_get_device_error_info"),
    Optional<&F::current_fault_event>("dcmi_get_device_current_fault_event",
                                      "dcmiv2_get_device_current_fault_event"),
    Optional<&F::subscribe_fault_event>("dcmi_subscribe_fault_event",
                                        "dcmiv2_subscribe_fault_event"),
    Optional<&F::compatibility>("dcmi_get_device_compatibility", "dcmiv2_get_device_compatibility"),

    Optional<&F::temperature>("dcmi_get_device_temperature", "dcmiv2_get_device_temperature"),
    Optional<&F::power_info>("dcmi_get_device_power_info", "dcmiv2_get_device_power_info"),
    Optional<&F::mcu_power_info>("dcmi_mcu_get_power_info", kNone),
    Optional<&F::voltage>("dcmi_get_device_voltage", "dcmiv2_get_device_voltage"),
    Optional<&F::frequency>("dcmi_get_device_frequency", "dcmiv2_get_device_frequency"),
    Optional<&F::aicore_info>("dcmi_get_device_aicore_info", "dcmiv2_get_device_aicore_info"),
    Optional<&F::sensor_info>("dcmi_get_device_sensor_info", "dcmiv2_get_device_sensor_info"),
    Optional<&F::fan_count>("dcmi_get_device_fan_count", kNone),
    Optional<&F::fan_speed>("dcmi_get_device_fan_speed", kNone),
    Optional<&F::multi_utilization_rate>("dcmi_get_device_multi_utilization_rate",
                                         "dcmiv2_get_device_multi_utilization_rate"),
    Optional<&F::utilization_rate>("dcmi_get_device_utilization_rate",
                                   "dcmiv2_get_device_utilization_rate"),
    Optional<&F::dvpp_ratio_info>("dcmi_get_device_dvpp_ratio_info", kNone),

    Optional<&F::hbm_info>("dcmi_get_device_hbm_info", "dcmiv2_get_device_hbm_info"),
    Optional<&F::memory_info_v3>("dcmi_get_device_memory_info_v3", kNone),
    Optional<&F::ecc_info>("dcmi_get_device_ecc_info", "dcmiv2_get_device_ecc_info"),
    Optional<&F::resource_info>("dcmi_get_device_resource_info", "dcmiv2_get_device_proc_mem_info"),

    Optional<&F::device_info>("dcmi_get_device_info", "dcmiv2_get_device_info"),
    Optional<&F::topo_info>("dcmi_get_topo_info_by_device_id", "dcmiv2_get_topo_info_by_device_id"),
    Optional<&F::affinity_cpu_info>("dcmi_get_affinity_cpu_info_by_device_id",
                                    "dcmiv2_get_affinity_cpu_info_by_dev_id"),
    Optional<&F::hccs_link_bandwidth_info>("dcmi_get_hccs_link_bandwidth_info", kNone),
    Optional<&F::pcie_error_cnt>("dcmi_get_device_pcie_error_cnt",
                                 "dcmiv2_get_device_pcie_error_cnt"),
    Optional<&F::pcie_link_bandwidth_info>("dcmi_get_pcie_link_bandwidth_info",
                                           "dcmiv2_get_pcie_link_bandwidth_info"),

    Optional<&F::network_health>("dcmi_get_device_network_health",
                                 "dcmiv2_get_device_network_health"),
    Optional<&F::netdev_pkt_stats_info>("dcmi_get_netdev_pkt_stats_info",
                                        "dcmiv2_get_netdev_pkt_stats_info"),
    Optional<&F::rdma_bandwidth_info>("dcmi_get_rdma_bandwidth_info",
                                      "dcmiv2_get_rdma_bandwidth_info"),
    Optional<&F::port_list_info>(kNone, "dcmiv2_get_device_port_list_info"),
    Optional<&F::ub_port_link_status>(kNone, "dcmiv2_get_ub_port_link_status"),
    Optional<&F::port_pkt_stats_info>(kNone, "dcmiv2_get_port_pkt_stats_info"),
};

}  // namespace

bool Has(void* handle, Interface interface) {
  return dlsym(handle, interface == Interface::kV1 ? kInitV1 : kInitV2) != nullptr;
}

absl::Status Resolve(void* handle, const std::string& path, Interface interface,
                     Functions& functions) {
  for (const Row& row : kRows) {
    const char* name = interface == Interface::kV1 ? row.v1 : row.v2;
    Symbol& symbol = row.slot(functions);
    symbol.interface = interface;
    // One that the interface lacks is known by its name in the other, and is never there.
    symbol.name = name != nullptr ? name : interface == Interface::kV1 ? row.v2 : row.v1;
    symbol.address = name != nullptr ? dlsym(handle, name) : nullptr;
    if (symbol.address == nullptr && name != nullptr && row.required) {
      return DriverError(
          DriverState::kSymbolMissing,
          fmt::format("{} has no function {}: it is not a libdcmi.so that this program can use; "
                      "install a supported driver or name another library",
                      path, name));
    }
  }
  return absl::OkStatus();
}

}  // namespace ascend::dcmi
