// The chip itself, its load, and the node.
#include <array>

#include "exporter/compat/vendor_table.h"

namespace ascend {
namespace {

constexpr std::string_view kDevices = "ascend_npu_devices";
constexpr std::string_view kInfo = "ascend_npu_info";
constexpr std::string_view kUtilization = "ascend_npu_utilization_ratio";
constexpr Scale kPercent{.times = 100};
constexpr Scale kMebibytes{.over = 1048576};

constexpr Words kLostApart{
    "Chips that dropped off the bus are counted apart, as state `lost`; a hung one is unknown "
    "there.",
    "掉卡的芯片单独计入 `lost` 状态；卡死的芯片在旧指标中属于“未知”。"};
constexpr Words kCodeIsLabel{
    "The code is the label `code`, eight hex digits, and `action` says what to do; all codes are "
    "one "
    "family, not ten names.",
    "故障码是标签 `code`（八位十六进制），`action` "
    "给出处置建议；所有故障码属于同一个指标，不再分成十个名字。"};
constexpr Words kPodOnly{
    "A copy there of the chip's value, with the labels of the pod that holds the chip; here the "
    "chip's own series is continuous whatever pod runs.",
    "旧指标是芯片数值的副本，带占用该芯片的 Pod 的标签；这里芯片自身的序列不因 Pod 更替而中断。"};

constexpr std::array kNames = {
    VendorName{.name = "npu_exporter_version_info",
               .family = "ascend_exporter_build_info",
               .rule = Rule::kOne,
               .shape = Shape::kVersion,
               .note = {"The label `exporterVersion` is `version` here.",
                        "标签 `exporterVersion` 在这里是 `version`。"}},
    VendorName{
        .name = "node_base_info",
        .family = "ascend_npu_driver_info",
        .shape = Shape::kVersions,
        .note = {"The label `driverVersion` there holds the library's version, here "
                 "`library_version`; `driver_version` is the kernel driver's.",
                 "旧标签 `driverVersion` 实为库的版本，这里是 `library_version`；`driver_version` "
                 "才是内核驱动的版本。"}},
    VendorName{.name = "machine_npu_nums",
               .family = kDevices,
               .match = {"state", "!lost"},
               .rule = Rule::kSum,
               .shape = Shape::kNode,
               .failure = Failure::kZero,
               .note = kLostApart},
    VendorName{.name = "machine_healthy_npu_nums",
               .family = kDevices,
               .match = {"state", "healthy"},
               .shape = Shape::kNode,
               .failure = Failure::kZero},
    VendorName{.name = "machine_unhealthy_npu_nums",
               .family = kDevices,
               .match = {"state", "unhealthy"},
               .shape = Shape::kNode,
               .failure = Failure::kZero},
    VendorName{.name = "machine_unknown_npu_nums",
               .family = kDevices,
               .match = {"state", "hung|unknown"},
               .rule = Rule::kSum,
               .shape = Shape::kNode,
               .failure = Failure::kZero,
               .note = kLostApart},
    VendorName{.name = "machine_card_nums",
               .family = kInfo,
               .rule = Rule::kCards,
               .shape = Shape::kNode,
               .failure = Failure::kLastValue,
               .note = {"Cards whose chips are known, lost ones included until they are forgotten.",
                        "统计芯片已知的卡；掉卡的芯片在被遗忘之前仍计入。"}},
    VendorName{.name = "npu_chip_info_temperature",
               .family = "ascend_npu_temperature_celsius",
               .unit = "°C",
               .motion = Motion::kHeat,
               .note = {"-1 °C is a temperature here.", "在这里 -1 °C 是真实的温度。"}},
    VendorName{.name = "npu_chip_info_power",
               .family = "ascend_npu_power_watts|ascend_npu_card_power_watts",
               .unit = "W",
               .motion = Motion::kDrifts,
               .note = {"On 310P it is the card's power, repeated for each of its chips: "
                        "`ascend_npu_card_power_watts{card}`, once for each card.",
                        "在 310P 上它是整卡功率，每颗芯片重复一次；这里是 "
                        "`ascend_npu_card_power_watts{card}`，每卡一条。"}},
    VendorName{.name = "npu_chip_info_voltage",
               .family = "ascend_npu_voltage_volts",
               .unit = "V",
               .motion = Motion::kDrifts},
    VendorName{.name = "npu_chip_info_aicore_current_freq",
               .family = "ascend_npu_frequency_hertz",
               .match = {"clock", "aicore"},
               .unit = "MHz",
               .scale = {.over = 1e6},
               .motion = Motion::kDrifts},
    VendorName{
        .name = "npu_chip_info_health_status",
        .family = "ascend_npu_health_state",
        .rule = Rule::kState,
        .failure = Failure::kMinusOne,
        .note = {"-1 there is an unknown health; here the state `unknown` is 1, or the series "
                 "are absent.",
                 "旧值 -1 表示状态未知；这里是 `unknown` 状态为 1，或没有该序列。"}},
    VendorName{.name = "npu_chip_info_network_status",
               .family = "ascend_npu_network_health_state",
               .rule = Rule::kState,
               .failure = Failure::kMinusOne,
               .note = {"-1 there is a failed reading.", "旧值 -1 表示读取失败。"}},
    VendorName{
        .name = "npu_chip_info_process_info_num",
        .family = "ascend_npu_processes",
        .motion = Motion::kDrifts,
        .failure = Failure::kZero,
        .note = {"A failed reading is 0 there and absent here, as is a list that the container "
                 "hides.",
                 "读取失败时旧值为 0，这里没有序列；容器看不到宿主机进程时也没有。"}},
    VendorName{
        .name = "npu_chip_info_process_info",
        .unit = "MB",
        .rule = Rule::kNone,
        .shape = Shape::kProcess,
        .motion = Motion::kDrifts,
        .note = {"One series for each process id that ever ran: they never end. "
                 "`ascend_npu_processes` counts the processes, `ascend_npu_memory_used_bytes` "
                 "tells what they take together.",
                 "每个进程号一条序列，数量无限增长。进程数见 `ascend_npu_processes`，显存总用量见 "
                 "`ascend_npu_memory_used_bytes`。"}},
    VendorName{.name = "npu_chip_info_error_code",
               .family = "ascend_npu_fault",
               .rule = Rule::kFaultCode,
               .note = kCodeIsLabel},
    VendorName{.name = "npu_chip_info_error_code_{}",
               .family = "ascend_npu_fault",
               .rule = Rule::kFaultCode,
               .note = kCodeIsLabel},
    VendorName{.name = "npu_chip_info_name",
               .family = kInfo,
               .shape = Shape::kNamed,
               .note = {"The label `name` is `chip_name` here, without the parts `-Ascend-V1`.",
                        "标签 `name` 在这里是 `chip_name`，不带 `-Ascend-V1`。"}},
    VendorName{
        .name = "npu_chip_info_serial_number",
        .family = kInfo,
        .shape = Shape::kSerial,
        .failure = Failure::kNotAvailable,
        .note = {"The label `serial_number` is `serial` here, empty where it is \"NA\" there.",
                 "标签 `serial_number` 在这里是 `serial`；旧值为 \"NA\" 时这里为空。"}},
    VendorName{
        .name = "npu_chip_info_product_type",
        .family = kInfo,
        .shape = Shape::kProduct,
        .note = {"The label `product_type` is `product` here, of the electronic label; 310P "
                 "only there.",
                 "标签 `product_type` 在这里是 `product`（取自电子标签）；旧指标只有 310P 才有。"}},
    VendorName{
        .name = "npu_container_info",
        .rule = Rule::kNone,
        .shape = Shape::kContainer,
        .note = {"Container ids change with every start and would begin a new series each "
                 "time; which pod holds which chip is not told yet.",
                 "容器 ID 每次启动都会变化，从而不断产生新序列；芯片与 Pod 的对应关系尚未提供。"}},
    VendorName{.name = "container_npu_total_memory",
               .family = "ascend_npu_memory_total_bytes",
               .unit = "MB",
               .scale = kMebibytes,
               .shape = Shape::kOfPod,
               .note = kPodOnly},
    VendorName{.name = "container_npu_used_memory",
               .family = "ascend_npu_memory_used_bytes",
               .unit = "MB",
               .scale = kMebibytes,
               .shape = Shape::kOfPod,
               .motion = Motion::kDrifts,
               .note = kPodOnly},
    VendorName{.name = "npu_chip_info_utilization",
               .family = kUtilization,
               .match = {"engine", "aicore"},
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "npu_chip_info_vector_utilization",
               .family = kUtilization,
               .match = {"engine", "vector"},
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "npu_chip_info_overall_utilization",
               .family = "ascend_npu_overall_utilization_ratio",
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "npu_chip_info_cube_utilization",
               .family = kUtilization,
               .match = {"engine", "cube"},
               .unit = "%",
               .scale = kPercent,
               .motion = Motion::kLoad},
    VendorName{.name = "container_npu_utilization",
               .family = kUtilization,
               .match = {"engine", "aicore"},
               .unit = "%",
               .scale = kPercent,
               .shape = Shape::kOfPod,
               .motion = Motion::kLoad,
               .note = kPodOnly},
};

}  // namespace

std::span<const VendorName> ChipNames() { return kNames; }

}  // namespace ascend
