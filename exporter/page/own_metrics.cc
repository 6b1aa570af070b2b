#include "exporter/page/own_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "exporter/page/number.h"
#include "exporter/page/process_stats.h"
#include "exporter/page/text.h"

namespace ascend {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr OwnFamily kFamilies[] = {
    {"ascend_exporter_build_info", "gauge", "`version`, `revision`",
     "The program that serves this page.", "提供本页面的程序。"},
    {"ascend_exporter_call_crashes_total", "counter", "`device`, `collector`",
     "Driver calls in which the process that hosts the driver crashed.",
     "导致驱动宿主进程崩溃的驱动调用次数。"},
    {"ascend_exporter_call_timeouts_total", "counter", "`device`",
     "Driver calls that passed their deadline.", "超过时限的驱动调用次数。"},
    {"ascend_exporter_collector_last_duration_seconds", "gauge", "`collector`",
     "How long the collector's last call took, on whichever device.",
     "采集器最近一次调用的耗时，不区分设备。"},
    {"ascend_exporter_collector_success", "gauge", "`collector`",
     "Whether the collector's last call succeeded on every device that supports it.",
     "采集器最近一次调用是否在所有支持它的设备上成功：1 是，0 否。"},
    {"ascend_exporter_config_last_reload_success_timestamp_seconds", "gauge", "—",
     "When the configuration was last reloaded with success, in Unix time.",
     "最近一次成功重新加载配置的时间（Unix 时间）。"},
    {"ascend_exporter_config_last_reload_successful", "gauge", "—",
     "Whether the last reload of the configuration succeeded.",
     "最近一次重新加载配置是否成功：1 是，0 否。"},
    {"ascend_exporter_driver_call_duration_seconds", "histogram", "`collector`",
     "How long driver calls took.", "驱动调用的耗时分布。"},
    {"ascend_exporter_driver_calls_total", "counter",
     "`collector`, `result`: ok, unsupported, error, timeout",
     "Driver calls by how they ended: ok, unsupported, error, timeout.",
     "驱动调用次数，按结果区分。"},
    {"ascend_exporter_driver_refused_info", "gauge", "`backend`: dcmi, npu_smi, `state`",
     "Why a driver that is preferred to the one in use, or to none, could not be used.",
     "优先级高于当前所用驱动的驱动为何不可用。"},
    {"ascend_exporter_duplicate_devices_total", "counter", "—",
     "Devices left out since another one had claimed their id.",
     "因 ID 已被其他设备占用而忽略的设备数。"},
    {"ascend_exporter_held_call_info", "gauge", "`device`, `collector`",
     "Driver calls that are left alone since they crashed or hung; collector all: every call of "
     "the device.",
     "因曾崩溃或挂起而暂停的驱动调用；collector 为 all 表示该设备的所有调用。"},
    {"ascend_exporter_host_restarts_total", "counter",
     "`reason`: crashed, killed, exited, hung, serialized, reload",
     "Processes hosting the driver that ended or were replaced.",
     "驱动宿主进程结束或被替换的次数，按原因区分。"},
    {"ascend_exporter_hosts_left_behind", "gauge", "—",
     "Processes hosting the driver that cannot be ended, since a call is stuck in the kernel.",
     "因调用卡在内核中而无法结束的驱动宿主进程数。"},
    {"ascend_exporter_http_connections", "gauge", "—", "Open connections.", "打开的连接数。"},
    {"ascend_exporter_http_requests_total", "counter", "`code`, `path`",
     "Requests answered; paths that are not served count as other.",
     "已应答的请求数；未提供的路径计为 other。"},
    {"ascend_exporter_parse_unknown_lines_total", "counter", "`tool`: npu-smi, hccn_tool",
     "Lines that the vendor's tools printed and that were not understood.",
     "厂商工具输出中未能识别的行数。"},
    {"ascend_exporter_process_cpu_seconds_total", "counter", "`role`: supervisor, host, front",
     "User and system CPU time spent by the processes of the exporter that run; begins anew with "
     "each.",
     "导出器各运行中进程的用户态与内核态 CPU 时间；进程更换后重新计数。"},
    {"ascend_exporter_process_resident_memory_bytes", "gauge", "`role`: supervisor, host, front",
     "Resident memory of each process of the exporter.", "导出器各进程的常驻内存。"},
    {"ascend_exporter_rejected_values_total", "counter",
     "`collector`, `reason`: sentinel, out_of_range, inconsistent",
     "Values of the driver that cannot be true and were left out.",
     "因不可能为真而未输出的驱动值个数。"},
    {"ascend_exporter_skipped_ticks_total", "counter",
     "`group`: fast, health, memory, links, network, identity",
     "Samplings left out since the one before took longer than its period.",
     "因上一轮采样超过周期而跳过的采样次数。"},
    {"ascend_exporter_stuck_calls", "gauge", "—", "Driver calls under way past their deadline.",
     "已超过时限仍未返回的驱动调用数。"},
    {"process_cpu_seconds_total", "counter", "—", "User and system CPU time spent.",
     "用户态与内核态 CPU 时间。"},
    {"process_max_fds", "gauge", "—", "Most open file descriptors allowed.",
     "允许打开的最大文件描述符数。"},
    {"process_open_fds", "gauge", "—", "Open file descriptors.", "打开的文件描述符数。"},
    {"process_resident_memory_bytes", "gauge", "—", "Resident memory.", "常驻内存。"},
    {"process_start_time_seconds", "gauge", "—", "Start of the process, in Unix time.",
     "进程启动时间（Unix 时间）。"},
    {"process_threads", "gauge", "—", "Threads.", "线程数。"},
    {"process_virtual_memory_bytes", "gauge", "—", "Virtual memory.", "虚拟内存。"},
};
static_assert(std::ranges::is_sorted(kFamilies, {}, &OwnFamily::name));

std::string HelpOf(std::string_view name) {
  const auto* family = std::ranges::lower_bound(kFamilies, name, {}, &OwnFamily::name);
  return std::string(family->help);
}

template <class T>
prometheus::Family<T>& Make(prometheus::Registry& registry, std::string_view name) {
  const std::string text(name);
  const std::string help = HelpOf(name);
  if constexpr (std::is_same_v<T, prometheus::Counter>) {
    return prometheus::BuildCounter().Name(text).Help(help).Register(registry);
  } else if constexpr (std::is_same_v<T, prometheus::Gauge>) {
    return prometheus::BuildGauge().Name(text).Help(help).Register(registry);
  } else {
    return prometheus::BuildHistogram().Name(text).Help(help).Register(registry);
  }
}

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

void AppendSample(std::string& out, std::string_view name,
                  const std::vector<prometheus::ClientMetric::Label>& labels, std::string_view le,
                  double value) {
  out += name;
  char before = '{';
  const auto add = [&](std::string_view key, std::string_view text) {
    out += before;
    out.append(key).append("=\"");
    AppendLabelValue(out, text);
    out += '"';
    before = ',';
  };
  for (const auto& label : labels) add(label.name, label.value);
  if (!le.empty()) add("le", le);
  if (before == ',') out += '}';
  char number[kMaxNumberSize];
  out.append(" ").append(number, WriteNumber(number, value)).append("\n");
}

void AppendHistogram(std::string& out, const std::string& name,
                     const prometheus::ClientMetric& metric) {
  char number[kMaxNumberSize];
  for (const auto& bucket : metric.histogram.bucket) {
    const std::string_view le(number, WriteNumber(number, bucket.upper_bound));
    AppendSample(out, name + "_bucket", metric.label, le,
                 static_cast<double>(bucket.cumulative_count));
  }
  AppendSample(out, name + "_sum", metric.label, {}, metric.histogram.sample_sum);
  AppendSample(out, name + "_count", metric.label, {},
               static_cast<double>(metric.histogram.sample_count));
}

void AppendFamily(std::string& out, const MetricFamily& family) {
  const auto* known = std::ranges::lower_bound(kFamilies, family.name, {}, &OwnFamily::name);
  AppendFamilyHead(out, family.name, family.help, known->type);
  for (const prometheus::ClientMetric& metric : family.metric) {
    switch (family.type) {
      case MetricType::Counter:
        AppendSample(out, family.name, metric.label, {}, metric.counter.value);
        break;
      case MetricType::Histogram:
        AppendHistogram(out, family.name, metric);
        break;
      default:
        AppendSample(out, family.name, metric.label, {}, metric.gauge.value);
    }
  }
}

// CPU time and memory by role; processes of one role are added up.
std::array<MetricFamily, 2> ProcessFamilies(std::span<const NamedProcess> processes) {
  std::map<std::string, ProcessUse> by_role;
  for (const NamedProcess& process : processes) {
    const std::optional<ProcessUse> use = ReadProcessUse(process.pid);
    if (!use) continue;
    by_role[process.role].cpu_seconds += use->cpu_seconds;
    by_role[process.role].resident_bytes += use->resident_bytes;
  }
  MetricFamily cpu;
  cpu.name = "ascend_exporter_process_cpu_seconds_total";
  cpu.help = HelpOf(cpu.name);
  cpu.type = MetricType::Counter;
  MetricFamily memory;
  memory.name = "ascend_exporter_process_resident_memory_bytes";
  memory.help = HelpOf(memory.name);
  memory.type = MetricType::Gauge;
  for (const auto& [role, use] : by_role) {
    prometheus::ClientMetric& spent = cpu.metric.emplace_back();
    spent.label = {{"role", role}};
    spent.counter.value = use.cpu_seconds;
    prometheus::ClientMetric& resident = memory.metric.emplace_back();
    resident.label = {{"role", role}};
    resident.gauge.value = use.resident_bytes;
  }
  return {std::move(cpu), std::move(memory)};
}

void AppendProcess(std::optional<double> start_time, std::string& out) {
  const ProcessStats stats = ReadProcessStats();
  const auto add = [&](std::string_view name, std::optional<double> value) {
    if (!value) return;
    const auto* family = std::ranges::lower_bound(kFamilies, name, {}, &OwnFamily::name);
    AppendFamilyHead(out, name, family->help, family->type);
    AppendSample(out, name, {}, {}, *value);
  };
  add("process_cpu_seconds_total", stats.cpu_seconds);
  add("process_max_fds", stats.max_fds);
  add("process_open_fds", stats.open_fds);
  add("process_resident_memory_bytes", stats.resident_bytes);
  add("process_start_time_seconds", start_time);
  add("process_threads", stats.threads);
  add("process_virtual_memory_bytes", stats.virtual_bytes);
}

}  // namespace

std::span<const OwnFamily> OwnFamilies() { return kFamilies; }

OwnMetrics::OwnMetrics()
    : build_info(Make<Gauge>(registry, "ascend_exporter_build_info")),
      collector_success(Make<Gauge>(registry, "ascend_exporter_collector_success")),
      collector_last_duration(
          Make<Gauge>(registry, "ascend_exporter_collector_last_duration_seconds")),
      driver_calls(Make<Counter>(registry, "ascend_exporter_driver_calls_total")),
      driver_call_duration(
          Make<Histogram>(registry, "ascend_exporter_driver_call_duration_seconds")),
      driver_refused(Make<Gauge>(registry, "ascend_exporter_driver_refused_info")),
      call_timeouts(Make<Counter>(registry, "ascend_exporter_call_timeouts_total")),
      skipped_ticks(Make<Counter>(registry, "ascend_exporter_skipped_ticks_total")),
      unknown_lines(Make<Counter>(registry, "ascend_exporter_parse_unknown_lines_total")),
      rejected_values(Make<Counter>(registry, "ascend_exporter_rejected_values_total")),
      http_requests(Make<Counter>(registry, "ascend_exporter_http_requests_total")),
      call_crashes(Make<Counter>(registry, "ascend_exporter_call_crashes_total")),
      held_calls(Make<Gauge>(registry, "ascend_exporter_held_call_info")),
      host_restarts(Make<Counter>(registry, "ascend_exporter_host_restarts_total")),
      reload_successful(Make<Gauge>(registry, "ascend_exporter_config_last_reload_successful")),
      reload_success_time(
          Make<Gauge>(registry, "ascend_exporter_config_last_reload_success_timestamp_seconds")),
      hosts_left_behind(Make<Gauge>(registry, "ascend_exporter_hosts_left_behind").Add({})),
      stuck_calls(Make<Gauge>(registry, "ascend_exporter_stuck_calls").Add({})),
      http_connections(Make<Gauge>(registry, "ascend_exporter_http_connections").Add({})),
      duplicate_devices(
          Make<Counter>(registry, "ascend_exporter_duplicate_devices_total").Add({})) {}

void OwnMetrics::SetProcesses(std::vector<NamedProcess> processes) {
  MutexLock lock(mutex_);
  processes_ = std::move(processes);
}

void OwnMetrics::EncodeText(std::string& out) const {
  std::vector<MetricFamily> families = registry.Collect();
  {
    MutexLock lock(mutex_);
    for (MetricFamily& family : ProcessFamilies(processes_)) families.push_back(std::move(family));
  }
  std::ranges::sort(families, {}, &MetricFamily::name);
  for (const MetricFamily& family : families) {
    if (!family.metric.empty()) AppendFamily(out, family);
  }
  AppendProcess(start_time_, out);
}

}  // namespace ascend
