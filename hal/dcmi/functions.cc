#include "hal/dcmi/functions.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "hal/driver_state.h"

namespace ascend::dcmi {
namespace {

struct Row {
  const char* symbol;
  Symbol& (*slot)(Functions&);
  bool required;
};

template <auto Member>
constexpr Row Required(const char* symbol) {
  return {symbol, [](Functions& functions) -> Symbol& { return functions.*Member; }, true};
}

template <auto Member>
constexpr Row Optional(const char* symbol) {
  return {symbol, [](Functions& functions) -> Symbol& { return functions.*Member; }, false};
}

constexpr std::array kRows = {
    Required<&Functions::init>("dcmi_init"),
    Optional<&Functions::dcmi_version>("dcmi_get_dcmi_version"),
    Optional<&Functions::driver_version>("dcmi_get_driver_version"),
    Required<&Functions::card_list>("dcmi_get_card_list"),
    Required<&Functions::device_num_in_card>("dcmi_get_device_num_in_card"),
    Optional<&Functions::device_type>("dcmi_get_device_type"),
    Required<&Functions::device_logic_id>("dcmi_get_device_logic_id"),
    Optional<&Functions::phy_id>("dcmi_get_device_phyid_from_logicid"),
    Optional<&Functions::chip_info_v2>("dcmi_get_device_chip_info_v2"),
    Optional<&Functions::chip_info>("dcmi_get_device_chip_info"),
    Optional<&Functions::board_info>("dcmi_get_device_board_info"),
    Optional<&Functions::die_v2>("dcmi_get_device_die_v2"),
    Optional<&Functions::card_elabel_v2>("dcmi_get_card_elabel_v2"),
    Optional<&Functions::pcie_info_v2>("dcmi_get_device_pcie_info_v2"),
    Optional<&Functions::component_version>("dcmi_get_device_component_static_version"),
    Optional<&Functions::health>("dcmi_get_device_health"),
    Optional<&Functions::errorcode_v2>("dcmi_get_device_errorcode_v2"),
    Optional<&Functions::temperature>("dcmi_get_device_temperature"),
    Optional<&Functions::power_info>("dcmi_get_device_power_info"),
    Optional<&Functions::mcu_power_info>("dcmi_mcu_get_power_info"),
    Optional<&Functions::multi_utilization_rate>("dcmi_get_device_multi_utilization_rate"),
    Optional<&Functions::utilization_rate>("dcmi_get_device_utilization_rate"),
    Optional<&Functions::hbm_info>("dcmi_get_device_hbm_info"),
    Optional<&Functions::memory_info_v3>("dcmi_get_device_memory_info_v3"),
    Optional<&Functions::ecc_info>("dcmi_get_device_ecc_info"),
    Optional<&Functions::resource_info>("dcmi_get_device_resource_info"),
};

}  // namespace

absl::Status Resolve(void* handle, const std::string& path, Functions& functions) {
  for (const Row& row : kRows) {
    Symbol& symbol = row.slot(functions);
    symbol.name = row.symbol;
    symbol.address = dlsym(handle, row.symbol);
    if (symbol.address == nullptr && row.required) {
      return DriverError(
          DriverState::kSymbolMissing,
          fmt::format("{} has no function {}: it is not a libdcmi.so that this program can use; "
                      "install a supported driver or name another library",
                      path, row.symbol));
    }
  }
  return absl::OkStatus();
}

}  // namespace ascend::dcmi
