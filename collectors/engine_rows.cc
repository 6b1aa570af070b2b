#include "collectors/engine_rows.h"

#include "hal/driver_state.h"

namespace ascend {
namespace {

constexpr std::array<Row, 3> kDeviceRows = {
    EngineRow(
        {.spec = {.name = "ascend_npu_info",
                  .help = "Who the chip is; 1 for each chip that was seen.",
                  .source = "dcmi_get_device_chip_info_v2, _board_info, _die_v2, _pcie_info_v2, "
                            "dcmi_get_card_elabel_v2"},
         .kind = Kind::kInfo}),
    EngineRow(
        {.spec = {.name = "ascend_npu_up",
                  .help = "Whether the chip answered within its deadline and its data is fresh.",
                  .source = "exporter"}}),
    EngineRow({.spec = {.name = "ascend_npu_last_sample_timestamp_seconds",
                        .help = "When the chip last answered.",
                        .source = "exporter"},
               .unit = Unit::kTimestamp}),
};

constexpr std::array<std::string_view, kDeviceStates> kStateNames = {"healthy", "unhealthy", "hung",
                                                                     "lost", "unknown"};

consteval std::array<Row, kDriverStateRow + 1> MakeNodeRows() {
  std::array<Row, kDriverStateRow + 1> rows{};
  for (std::size_t i = 0; i < kDeviceStates; ++i) {
    rows[kDevicesRow + i] = EngineRow({.spec = {.name = "ascend_npu_devices",
                                                .help = "Chips of this node by state.",
                                                .labels = {{{"state", kStateNames[i]}}},
                                                .source = "exporter"},
                                       .scope = Scope::kNode});
  }
  rows[kDevicesExpectedRow] = EngineRow(
      {.spec = {.name = "ascend_npu_devices_expected",
                .help = "Chips that this node should have: as configured, else the most seen "
                        "since the exporter started.",
                .source = "exporter"},
       .scope = Scope::kNode});
  rows[kDeviceNodesRow] = EngineRow({.spec = {.name = "ascend_npu_device_nodes",
                                              .help = "Device files /dev/davinciN that exist.",
                                              .source = "file system"},
                                     .scope = Scope::kNode});
  rows[kDriverInfoRow] = EngineRow(
      {.spec = {.name = "ascend_npu_driver_info",
                .help = "What the values come from, its versions, and where the physical ids "
                        "of the devices come from.",
                .source = "dcmi_get_dcmi_version, dcmi_get_driver_version"},
       .kind = Kind::kInfo,
       .scope = Scope::kNode});
  rows[kDriverUpRow] =
      EngineRow({.spec = {.name = "ascend_exporter_driver_up",
                          .help = "Whether the driver was opened and lists its devices.",
                          .source = "exporter"},
                 .scope = Scope::kNode});
  rows[kDriverStateRow] =
      EngineRow({.spec = {.name = "ascend_exporter_driver_state",
                          .help = "Why the driver works or does not: 1 for the current state.",
                          .source = "exporter"},
                 .kind = Kind::kState,
                 .scope = Scope::kNode,
                 .state_label = "state",
                 .states = kDriverStateNames});
  return rows;
}
constexpr auto kNodeRows = MakeNodeRows();

}  // namespace

std::span<const Row> DeviceRows() { return kDeviceRows; }
std::span<const Row> NodeRows() { return kNodeRows; }

}  // namespace ascend
