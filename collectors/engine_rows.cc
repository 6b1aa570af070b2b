#include "collectors/engine_rows.h"

#include "collectors/health.h"
#include "hal/driver_state.h"

namespace ascend {
namespace {

constexpr Source kExporter = {.host = "exporter"};
constexpr Source kVersions = {.dcmi = "dcmi_get_dcmi_version, dcmi_get_driver_version",
                              .tool = "npu-smi info"};
constexpr Source kIdentity = {
    .dcmi =
        "dcmi_get_device_chip_info_v2, dcmi_get_device_board_info, dcmi_get_device_die_v2, "
        "dcmi_get_device_pcie_info_v2, dcmi_get_card_elabel_v2, "
        "dcmi_get_device_component_static_version",
    .dcmiv2 =
        "dcmiv2_get_device_chip_info, dcmiv2_get_device_board_info, "
        "dcmiv2_get_device_die_id, dcmiv2_get_device_pcie_info, "
        "dcmiv2_get_device_elabel_info, dcmiv2_get_device_component_static_version",
    .tool = "npu-smi info, npu-smi info -t board"};

constexpr std::array<Row, 3> kDeviceRows = {
    HandRow({.spec = {.name = "ascend_npu_info",
                      .help = "Who the chip is; 1 for each chip that was seen.",
                      .zh = "芯片的身份信息；每颗出现过的芯片为 1。",
                      .source = kIdentity},
             .kind = Kind::kInfo}),
    HandRow(
        {.spec = {.name = "ascend_npu_up",
                  .help = "Whether the chip answered within its deadline and its data is fresh.",
                  .zh = "芯片是否在时限内应答且数据未过期：1 是，0 否。",
                  .source = kExporter}}),
    HandRow({.spec = {.name = "ascend_npu_last_sample_timestamp_seconds",
                      .help = "When the chip last answered.",
                      .zh = "芯片最近一次应答的时间。",
                      .source = kExporter},
             .unit = Unit::kTimestamp}),
};

constexpr std::array<std::string_view, kDeviceStates> kStateNames = {"healthy", "unhealthy", "hung",
                                                                     "lost", "unknown"};

consteval std::array<Row, kDriverHealthRow + 1> MakeNodeRows() {
  std::array<Row, kDriverHealthRow + 1> rows{};
  for (std::size_t i = 0; i < kDeviceStates; ++i) {
    rows[kDevicesRow + i] = HandRow({.spec = {.name = "ascend_npu_devices",
                                              .help = "Chips of this node by state.",
                                              .zh = "本节点处于各状态的芯片数；各状态互不重叠。",
                                              .labels = {{{"state", kStateNames[i]}}},
                                              .source = kExporter},
                                     .scope = Scope::kNode});
  }
  rows[kDevicesExpectedRow] =
      HandRow({.spec = {.name = "ascend_npu_devices_expected",
                        .help = "Chips that this node should have: as configured, else the most "
                                "that it was ever seen to have.",
                        .zh = "本节点应有的芯片数：取配置值，未配置时取曾经见过的最大值。",
                        .source = kExporter},
               .scope = Scope::kNode});
  rows[kDeviceNodesRow] = HandRow({.spec = {.name = "ascend_npu_device_nodes",
                                            .help = "Device files /dev/davinciN that exist.",
                                            .zh = "存在的 /dev/davinciN 设备文件数。",
                                            .source = {.host = "/dev/davinciN"}},
                                   .scope = Scope::kNode});
  rows[kDriverInfoRow] =
      HandRow({.spec = {.name = "ascend_npu_driver_info",
                        .help = "What the values come from, its versions, and where the physical "
                                "ids of the devices come from.",
                        .zh = "数据来源、其版本，以及设备物理 ID 的来源。",
                        .source = kVersions},
               .kind = Kind::kInfo,
               .scope = Scope::kNode});
  rows[kDriverUpRow] =
      HandRow({.spec = {.name = "ascend_exporter_driver_up",
                        .help = "Whether the driver was opened and lists its devices.",
                        .zh = "驱动是否已打开并能列出设备：1 是，0 否。",
                        .source = kExporter},
               .scope = Scope::kNode});
  rows[kDriverStateRow] =
      HandRow({.spec = {.name = "ascend_exporter_driver_state",
                        .help = "Why the driver works or does not: 1 for the current state.",
                        .zh = "驱动当前的状态，说明它为何可用或不可用：当前状态为 1，其余为 0。",
                        .source = kExporter},
               .kind = Kind::kState,
               .scope = Scope::kNode,
               .state_label = "state",
               .states = kDriverStateNames});
  rows[kDriverHealthRow] =
      HandRow({.spec = {.name = "ascend_npu_driver_health_state",
                        .help = "Health of the kernel driver itself: 1 for the current state.",
                        .zh = "内核驱动自身的健康状态：当前状态为 1，其余为 0。",
                        .source = {.dcmi = "dcmi_get_driver_health"}},
               .kind = Kind::kState,
               .scope = Scope::kNode,
               .state_label = "state",
               .states = kHealthNames});
  return rows;
}
constexpr auto kNodeRows = MakeNodeRows();

}  // namespace

std::span<const Row> DeviceRows() { return kDeviceRows; }
std::span<const Row> NodeRows() { return kNodeRows; }

}  // namespace ascend
