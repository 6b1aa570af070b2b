#include "exporter/compat/migration_texts.h"

#include <array>

#include "exporter/compat/migration.h"

namespace ascend {

const Words kMigrationIntroduction = {
    R"(# From Huawei's npu-exporter

English | [中文](migration.zh-CN.md)

Printed by `ascend-exporter migration`; a test compares this file with what the program prints.

## Switch in an afternoon

1. **Run both.** `ascend-exporter` listens on port 10910, the npu-exporter on 8082; neither disturbs the
   other. Give it the names that dashboards and rules know, on the same port or on one of its own:

   ```
   ascend-exporter --compat.path=/metrics/huawei
   ascend-exporter --compat.listen-address=:8083
   ```

   The second serves them at `/metrics`. Both may be given, the address several times. The readings are
   those of the main page: no driver is called for it, and it is rendered once for all who ask.
2. **Switch on what sleeps.** The npu-exporter measures bandwidths by default, with calls that sleep; here
   they are off until they are asked for. The table below names the collector:
   `--collectors.enable=network_bandwidth`.
3. **Compare.** On the node:

   ```
   ascend-exporter compare http://127.0.0.1:8082/metrics
   ```

   It reads the npu-exporter's page and this program's (`--with URL` names another one; a page with either
   names will do) and lists every difference in words. The exit status is 0 if it can explain all of them, 1 if
   it cannot, 2 if a page could not be read. Differences of values that move with the load are best judged on
   an idle node.
4. **Swap the scrape.** Stop the npu-exporter and start this program with `--compat.listen-address=:8082`: the
   scrape configuration, dashboards, rules and tools that read those names go on. Or keep the port and set
   `metrics_path: /metrics/huawei`.
5. **Move on when it suits.** Rewrite queries with the table below, one dashboard at a time; both pages can be
   scraped for as long as you like.

)",
    R"(# 从华为 npu-exporter 迁移

[English](migration.md) | 中文

由 `ascend-exporter migration --language=zh` 打印；有测试逐字节比较本文件与程序输出。

## 一个下午完成切换

1. **两个一起运行。** `ascend-exporter` 监听 10910 端口，npu-exporter 监听 8082，互不影响。让它同时提供看板和
   告警规则所认识的旧名字，可以在同一端口，也可以另开端口：

   ```
   ascend-exporter --compat.path=/metrics/huawei
   ascend-exporter --compat.listen-address=:8083
   ```

   后者在 `/metrics` 提供。两者可以同时使用，地址可以重复给出。数值与主页面相同：不会为它调用驱动，且只渲染一次，
   供所有抓取端共用。
2. **打开会休眠的采集项。** npu-exporter 默认就测量带宽，而这些调用会休眠；这里默认关闭，需要时再打开。下表给出
   采集器名字，例如 `--collectors.enable=network_bandwidth`。
3. **比较。** 在节点上运行：

   ```
   ascend-exporter compare http://127.0.0.1:8082/metrics
   ```

   它读取 npu-exporter 的页面和本程序的页面（`--with URL` 可指定另一个，新旧名字的页面都可以），逐条用文字列出差异。
   全部能解释时退出码为 0，有不能解释的为 1，页面读不到为 2。随负载变化的数值最好在空闲节点上比较。
4. **切换抓取。** 停掉 npu-exporter，用 `--compat.listen-address=:8082` 启动本程序：抓取配置、看板、告警规则以及
   依赖旧名字的工具照常工作。也可以不换端口，改为 `metrics_path: /metrics/huawei`。
5. **方便时再改写。** 按下表逐个看板改写查询；两个页面可以长期同时抓取。

)"};

const Words kMigrationDeviations = {
    R"(## What the compatibility page does differently

Names, labels, units and the order of families are the npu-exporter's. These differ on purpose, and `compare`
explains them:

)",
    R"(## 兼容页面与原页面的差别

名字、标签、单位和指标顺序都与 npu-exporter 相同。以下差别是有意为之，`compare` 会逐一解释：

)"};

const Words kMigrationLabels = {
    R"(## Labels

Every chip's series there has seven labels; here it has one, `device`, which is what `id` is there. So a series
goes on when a pod ends or a card is moved to another slot. What else names a chip is on `ascend_npu_info`:

| there | here |
|---|---|
| `id` | `device` |
| `model_name="910B3-Ascend-V1"` | `ascend_npu_info{chip_name="910B3"}` |
| `vdie_id` | `ascend_npu_info{die_id}` |
| `pcie_bus_info` (upper case) | `ascend_npu_info{pci_address}` (lower case, as in sysfs) |
| `namespace`, `pod_name`, `container_name` | not told yet |

```
ascend_npu_power_watts * on (instance, device) group_left (chip_name, pci_address, die_id) ascend_npu_info
```

)",
    R"(## 标签

旧指标的每条芯片序列带七个标签；这里只有一个 `device`，即旧标签 `id`。因此 Pod 结束或换插槽时序列不会中断。
芯片的其他信息都在 `ascend_npu_info` 上：

| 旧 | 新 |
|---|---|
| `id` | `device` |
| `model_name="910B3-Ascend-V1"` | `ascend_npu_info{chip_name="910B3"}` |
| `vdie_id` | `ascend_npu_info{die_id}` |
| `pcie_bus_info`（大写） | `ascend_npu_info{pci_address}`（小写，与 sysfs 一致） |
| `namespace`、`pod_name`、`container_name` | 尚未提供 |

```
ascend_npu_power_watts * on (instance, device) group_left (chip_name, pci_address, die_id) ascend_npu_info
```

)"};

const Words kMigrationTable = {
    R"(## Names

In PromQL, the third column gives the value there. What counts there is a gauge, here it is a counter: `rate()` and
`increase()` may be used on it. `N` is the number of a link, or the place of a fault. Labels in parentheses are
those that the series has there beside the usual ones.

| there | unit there | PromQL here | unit here | remarks |
|---|---|---|---|---|
)",
    R"(## 名字对照

第三列的 PromQL 给出旧指标的数值。旧指标中的计数在类型上是 gauge，这里是 counter，可以使用 `rate()` 和
`increase()`。`N` 是链路序号或故障的位次。括号内是旧序列在常规标签之外的标签。

| 旧名字 | 旧单位 | 新 PromQL | 新单位 | 说明 |
|---|---|---|---|---|
)"};

namespace {

constexpr std::array kDeviations = {
    Words{"What is unknown is absent. There it is -1 (health, network, links), 0 (processes, "
          "counters that a tool "
          "does not print), `NA`, or the last value for ever (memory of chips without HBM, SIO, "
          "PCIe).",
          "未知即没有序列。旧页面用 "
          "-1（健康、网络、链路）、0（进程数、工具没有打印的计数）、`NA`，或永远停留在最后一次的值"
          "（无 HBM 芯片的内存、SIO、PCIe）。"},
    Words{"A driver's sentinel is no value: there 0x7ffd is 32765 °C, 3276.5 W or 327.65 V, and a "
          "counter of all ones "
          "is 4294967295. A temperature of -1 °C is one; there it is dropped.",
          "驱动的哨兵值不是数值：旧页面会把 0x7ffd 显示为 32765 °C、3276.5 W 或 327.65 V，把全 1 "
          "的计数显示为 4294967295。"
          "-1 °C 是真实温度；旧页面会丢弃它。"},
    Words{"Decimals are exact: 103.4 W, not 103.4000015258789. Large numbers are written without "
          "an exponent.",
          "小数是精确的：103.4 W，而不是 103.4000015258789。大数不用指数形式书写。"},
    Words{"Samples carry no timestamps, so that a value that is not renewed ends.",
          "样本不带时间戳，因此不再更新的数值会消失。"},
    Words{"No series stands twice on the page; there `npu_chip_info_rx_ecn_num` does.",
          "每条序列只出现一次；旧页面上 `npu_chip_info_rx_ecn_num` 出现两次。"},
    Words{"`model_name` is the chip's name with `-Ascend-V1` behind it: the type and the version "
          "that the "
          "npu-exporter reads are assumed, not read.",
          "`model_name` 是芯片名加上 `-Ascend-V1`：npu-exporter "
          "读取的类型与版本在这里是假定的，并未读取。"},
    Words{"`namespace`, `pod_name` and `container_name` are there and empty. `container_npu_*`, "
          "which need a pod, and "
          "`npu_container_info` are absent; `vnpu_pod_*` are there for every slice, with "
          "`is_virtual=\"true\"`.",
          "标签 `namespace`、`pod_name`、`container_name` 存在但为空。需要 Pod 的 "
          "`container_npu_*` 以及 "
          "`npu_container_info` 不提供；`vnpu_pod_*` 对每个切片都提供，`is_virtual=\"true\"`。"},
    Words{"`npu_chip_info_process_info` and `npu_chip_info_hbm_ecc_single_bit_isolated_pages_cnt` "
          "are absent; the "
          "table says why.",
          "不提供 `npu_chip_info_process_info` 和 "
          "`npu_chip_info_hbm_ecc_single_bit_isolated_pages_cnt`，"
          "原因见下表。"},
    Words{"PCIe bandwidth has `pcie_bw_type=\"avgPcieBw\"` only.",
          "PCIe 带宽只有 `pcie_bw_type=\"avgPcieBw\"`。"},
    Words{"Bandwidths of HCCS, PCIe and the network are absent until their collectors are switched "
          "on.",
          "HCCS、PCIe 与网络带宽在打开相应采集器之前不提供。"},
    Words{"Fault codes are sorted by code. There they come as the driver lists them.",
          "故障码按数值排序；旧页面按驱动给出的顺序。"},
    Words{"SIO's counters of 16 bits, and HCCS' of 32 bits, are continued where the driver begins "
          "again at 0.",
          "SIO 的 16 位计数器和 HCCS 的 32 位计数器在驱动回绕后会继续累计。"},
    Words{"`machine_npu_nums` does not count chips that dropped off the bus; `machine_card_nums` "
          "counts their cards "
          "until they are forgotten (`--devices.lost-retention`).",
          "`machine_npu_nums` 不计掉卡的芯片；`machine_card_nums` "
          "在它们被遗忘之前（`--devices.lost-retention`）仍计其所在的卡。"},
    Words{"`exporterVersion` is this program's, `ascend-exporter-` and its version. HELP texts are "
          "this program's, too.",
          "`exporterVersion` 是本程序的版本，以 `ascend-exporter-` 开头；HELP 文本也是本程序的。"},
    Words{"`product_type` (310P) is the product of the card's electronic label.",
          "`product_type`（310P）取自卡的电子标签。"},
    Words{"Optical lanes from the fifth on, which have no name there, are on the main page only.",
          "第五条及以后的光通道没有旧名字，只在主页面提供。"},
    Words{"Not served: the names of `-enableLegacyMetrics` with die and port in them (`_0_4`), "
          "metrics from text files "
          "and Telegraf's.",
          "不提供：`-enableLegacyMetrics` 的带 die "
          "和端口号的名字（`_0_4`）、来自文本文件的指标，以及 Telegraf 格式。"},
};

}  // namespace

std::span<const Words> Deviations() { return kDeviations; }

}  // namespace ascend
