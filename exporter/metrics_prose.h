// The sentences of METRICS.md that are not of a single metric.
#pragma once

#include <array>

#include "collectors/collector.h"

namespace ascend::prose {

inline constexpr Bilingual kIntroduction = {
    R"(# Metrics

English | [中文](METRICS.zh-CN.md)

Printed by `ascend-exporter metrics`; a test compares this file with what the program prints.

- Every device series has the label `device`: the physical id, the N of `/dev/davinciN`. What else names a
  chip is on `ascend_npu_info`, to be joined `on (instance, device)`. `udie` and `port` are only there on
  chips with more than one port (950).
- Unknown is absent: a chip that does not report a value, a call that keeps failing and a value older than
  three periods (and two seconds) have no series. Nothing is -1 or NaN.
- Type `info` is a gauge of 1 whose labels are what it says. A label `state` has all its values at all
  times, 1 for the current one and 0 for the others.
- Chips are those that are known to have the value. Every chip is asked, once; one that does not have it
  is not asked again.
- Sources are calls of the vendor's library, with the numbers that they are asked for: `dcmi_*` for chips
  before 950, `dcmiv2_*` for 950. What is asked of a tool is a run of it:
  `npu-smi info` one for all chips, everything else one for each card or chip.
)",
    R"(# 指标

[English](METRICS.md) | 中文

由 `ascend-exporter metrics --language=zh` 输出；测试会比较本文件与程序的输出。

- 每条设备序列都带标签 `device`：物理 ID，即 `/dev/davinciN` 中的 N。芯片的其他标识都在 `ascend_npu_info` 上，
  用 `on (instance, device)` 关联。`udie` 和 `port` 只出现在有多个端口的芯片（950）上。
- 未知即不输出：芯片不提供的值、持续失败的调用、超过三个周期（且至少两秒）的旧值都没有序列。不会用 -1 或 NaN 表示。
- 类型 `info` 是恒为 1 的 gauge，信息在它的标签里。标签 `state` 的所有取值始终都在：当前状态为 1，其余为 0。
- “芯片”列是已知提供该值的芯片。每颗芯片都会被询问一次，不支持的不会再问。
- 来源是厂商库的调用及其参数：950 之前的芯片为 `dcmi_*`，950 为 `dcmiv2_*`。对工具的每次询问都要运行
  一次该工具：`npu-smi info` 一次覆盖全部芯片，其他按卡或按芯片各一次。
)"};

inline constexpr Bilingual kGroups = {
    R"(
## Groups and collectors

A collector asks a chip one question; collectors of a group are asked together.

| group | period | setting | deadline of a call |
|---|---|---|---|
)",
    R"(
## 分组与采集器

采集器向芯片提出一个问题；同组的采集器一起询问。

| 组 | 周期 | 参数 | 单次调用的时限 |
|---|---|---|---|
)"};

inline constexpr Bilingual kBehindGroups = {
    R"(
With `npu-smi` no period is shorter than 5 s. Collectors are switched with `--collectors.enable` and
`--collectors.disable`. The driver shows all chips only to root on the host or in a privileged container;
the column on privilege says what is needed beyond that. The cost is that of one round for one chip; empty:
one call that returns at once. What is off by default is marked in the tables below.

| collector | group | default | cost | privilege |
|---|---|---|---|---|
)",
    R"(
使用 `npu-smi` 时周期不短于 5 秒。采集器用 `--collectors.enable` 和 `--collectors.disable` 开关。驱动只向主机上或
特权容器内的 root 展示全部芯片；“权限”列是除此之外的要求。开销按每颗芯片每轮计；空白表示一次立即返回的
调用。下文各表标出了默认关闭的指标。

| 采集器 | 组 | 默认 | 开销 | 权限 |
|---|---|---|---|---|
)"};

struct UnitText {
  Unit unit;
  Bilingual text;
};
inline constexpr std::array<UnitText, 12> kUnits = {
    {{Unit::kBytes, {"bytes", "字节"}},
     {Unit::kCelsius, {"degrees Celsius", "摄氏度"}},
     {Unit::kRatio, {"0 to 1", "0 至 1"}},
     {Unit::kSeconds, {"seconds", "秒"}},
     {Unit::kTimestamp, {"Unix time in seconds", "Unix 时间，秒"}},
     {Unit::kWatts, {"watts", "瓦"}},
     {Unit::kJoules, {"joules", "焦耳"}},
     {Unit::kVolts, {"volts", "伏"}},
     {Unit::kHertz, {"hertz", "赫兹"}},
     {Unit::kBytesPerSecond, {"bytes per second", "字节每秒"}},
     {Unit::kTransfersPerSecond, {"transfers per second", "传输次数每秒"}},
     {Unit::kRpm, {"revolutions per minute", "转每分钟"}}}};

inline constexpr Bilingual kOn = {"on", "开"};
inline constexpr Bilingual kOff = {"off", "关"};
inline constexpr Bilingual kOnce = {", every 10 min", "，每 10 分钟一次"};
inline constexpr Bilingual kOnlySeries = {"no call, only series", "不增加调用，只增加序列"};
inline constexpr Bilingual kAllChips = {"all", "全部"};
inline constexpr Bilingual kElse = {", else ", "，否则 "};
inline constexpr Bilingual kComma = {", ", "、"};
inline constexpr Bilingual kSemicolon = {"; ", "；"};

inline constexpr std::array<Bilingual, 8> kTopics = {
    {{"Identity, state and faults", "身份、状态与故障"},
     {"Heat, power and clocks", "温度、功耗与时钟"},
     {"Load", "负载"},
     {"Memory", "内存"},
     {"Links", "链路"},
     {"Network", "网络"},
     {"Partitions and processes", "切分与进程"},
     {"Driver", "驱动"}}};

inline constexpr Bilingual kMeaningHead = {
    "| metric | type | unit | labels | chips | collector | meaning |\n"
    "|---|---|---|---|---|---|---|\n",
    "| 指标 | 类型 | 单位 | 标签 | 芯片 | 采集器 | 含义 |\n"
    "|---|---|---|---|---|---|---|\n"};
inline constexpr Bilingual kSourceHead = {
    "\nWhere they come from:\n\n"
    "| `dcmi_*` | `dcmiv2_*` | tools | this host | metrics |\n|---|---|---|---|---|\n",
    "\n来源：\n\n"
    "| `dcmi_*` | `dcmiv2_*` | 工具 | 本机 | 指标 |\n|---|---|---|---|---|\n"};
inline constexpr Bilingual kOffByDefault = {", off", "，默认关"};

inline constexpr Bilingual kOwnHead = {
    "\n## The exporter itself\n\n"
    "| metric | type | labels | meaning |\n|---|---|---|---|\n",
    "\n## exporter 自身\n\n"
    "| 指标 | 类型 | 标签 | 含义 |\n|---|---|---|---|\n"};

inline constexpr Bilingual kRanges = {
    R"(
## Physical ranges

A value outside of its range is no measurement: it is left out and counted in
`ascend_exporter_rejected_values_total` with the reason `out_of_range`. Numbers by which the driver says
"no value" count as `sentinel`, more memory in use than there is as `inconsistent`.

| unit | least | most |
|---|---|---|
)",
    R"(
## 物理范围

超出范围的值不是测量值：不输出，并以原因 `out_of_range` 计入 `ascend_exporter_rejected_values_total`。驱动用来表示
“没有值”的数计为 `sentinel`，已用内存大于总内存计为 `inconsistent`。

| 单位 | 最小 | 最大 |
|---|---|---|
)"};
inline constexpr Bilingual kCounts = {"counts, flags, times", "计数、标志、时间"};
inline constexpr Bilingual kCounters = {"counters of any unit", "任何单位的计数器"};

inline constexpr Bilingual kWraps = {
    R"(
## Counters that wrap

Some counters of the driver have 16 or 32 bits. The exporter makes them go on: a counter that falls from
the last quarter of its range into the first has wrapped, and the range is added. Any other fall is a reset
of the chip or the driver, and the counter begins anew with the driver's. A wrap is always told from a
reset while less than a quarter of the range passes between two samples; where more may pass, shorten the
period of the group.

| counter | bits | a quarter of the range | fastest that is sure at the default period |
|---|---|---|---|
)",
    R"(
## 会回绕的计数器

驱动的部分计数器只有 16 位或 32 位，由 exporter 接续：计数器从量程的最后四分之一落入最前四分之一即为回绕，加上整个
量程。其他任何回落都视为芯片或驱动复位，计数随驱动重新开始。两次采样之间的增量小于量程的四分之一时，回绕与复位总能
区分；增量可能更大时，请缩短该组的周期。

| 计数器 | 位数 | 量程的四分之一 | 默认周期下可靠的最快速率 |
|---|---|---|---|
)"};
inline constexpr Bilingual kOnlyFallback = {" where the driver lacks 64", "（驱动没有 64 位时）"};

inline constexpr Bilingual kSeries = {
    R"(
## Series per device

Counted by a test on the simulated machines, of one healthy device. Faults, vNPUs and other hosts' wiring
change the numbers.

| chip | machine | by default | with every collector |
|---|---|---|---|
)",
    R"(
## 每设备序列数

由测试在模拟机器上对一个健康的设备计数。故障、vNPU 以及主机的互联方式会改变这些数字。

| 芯片 | 机器 | 默认 | 启用全部采集器 |
|---|---|---|---|
)"};

}  // namespace ascend::prose
