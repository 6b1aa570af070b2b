// Health, faults, memory and work of a chip.
#include <array>

#include "fmt/format.h"
#include "hal/sim/machine.h"
#include "hal/sim/parse_chip.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr Bounds kPages{0, 1e9};
constexpr Bounds kPid{1, 2'147'483'647};
constexpr Bounds kVnpuId{100, 1123};  // what the vendor gives to vNPUs
constexpr Bounds kAicores{0, 1000};
constexpr double kBytesPerKib = 1024;
constexpr std::array<std::string_view, 4> kSeverityNames = {"warning", "minor", "major",
                                                            "critical"};

UtilizationReading ParseUtilization(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "utilization", problems);
  UtilizationReading reading;
  reading.aicore = ReadPercent(fields, "aicore");
  reading.vector = ReadPercent(fields, "vector");
  reading.cube = ReadPercent(fields, "cube");
  reading.aicpu = ReadPercent(fields, "aicpu");
  reading.ctrlcpu = ReadPercent(fields, "ctrlcpu");
  reading.overall = ReadPercent(fields, "overall");
  fields.RefuseOthers();
  return reading;
}

HbmReading ParseHbm(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "hbm", problems);
  HbmReading reading;
  reading.total = ReadMiB(fields, "total_mib");
  reading.used = ReadMiB(fields, "used_mib");
  reading.temperature = Read<Celsius>(fields, "temperature_celsius", kCelsius);
  reading.utilization = ReadPercent(fields, "utilization");
  reading.bandwidth_utilization = ReadPercent(fields, "bandwidth_utilization");
  fields.RefuseOthers();
  return reading;
}

DdrReading ParseDdr(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "ddr", problems);
  DdrReading reading;
  reading.total = ReadMiB(fields, "total_mib");
  reading.used = ReadMiB(fields, "used_mib");
  reading.bandwidth_utilization = ReadPercent(fields, "bandwidth_utilization");
  const auto total = fields.Integer("hugepages_total", kPages);
  const auto free = fields.Integer("hugepages_free", kPages);
  const auto kib = fields.Integer("hugepage_kib", kPages);
  if (total && free && kib) {
    const double page = static_cast<double>(*kib) * kBytesPerKib;
    reading.hugepages_capacity = Bytes{static_cast<double>(*total) * page};
    reading.hugepages_used = Bytes{static_cast<double>(*total - *free) * page};
    if (*free > *total) {
      fields.Refuse("hugepages_free",
                    fmt::format("{} is more than hugepages_total, want 0 to {}", *free, *total));
    }
  } else if (total || free || kib) {
    fields.RefuseAbsent("hugepages_total");
    fields.RefuseAbsent("hugepages_free");
    fields.RefuseAbsent("hugepage_kib");
  }
  fields.RefuseOthers();
  return reading;
}

EccCounts ParseEccCounts(const YamlValue& value, const std::string& key, YamlProblems& problems) {
  YamlFields fields(value, key, problems);
  EccCounts counts;
  counts.enabled = ReadFlag(fields, "enabled");
  counts.single_bit = ReadCount(fields, "single_bit");
  counts.double_bit = ReadCount(fields, "double_bit");
  counts.lifetime_single_bit = ReadCount(fields, "lifetime_single_bit");
  counts.lifetime_double_bit = ReadCount(fields, "lifetime_double_bit");
  counts.isolated_pages = ReadCount(fields, "isolated_pages");
  counts.pending_isolated_pages = ReadCount(fields, "pending_isolated_pages");
  fields.RefuseOthers();
  return counts;
}

EccReading ParseEcc(const YamlValue& value, YamlProblems& problems) {
  struct Memory {
    const char* key;
    EccCounts EccReading::*counts;
  };
  static constexpr std::array<Memory, 4> kMemories = {{{"hbm", &EccReading::hbm},
                                                       {"ddr", &EccReading::ddr},
                                                       {"sram", &EccReading::sram},
                                                       {"npu", &EccReading::npu}}};
  YamlFields fields(value, "ecc", problems);
  EccReading reading;
  for (const Memory& memory : kMemories) {
    if (const YamlValue* counts = fields.Any(memory.key)) {
      reading.*memory.counts = ParseEccCounts(*counts, memory.key, problems);
    }
  }
  fields.RefuseOthers();
  return reading;
}

ProcessReading ParseProcess(const YamlValue& value, YamlProblems& problems) {
  YamlFields fields(value, "processes", problems);
  ProcessReading process;
  process.pid = static_cast<std::int32_t>(fields.Required("pid", fields.Integer("pid", kPid)));
  process.name = fields.Text("name", 31).value_or("");
  process.memory = ReadMiB(fields, "memory_mib");
  fields.RefuseOthers();
  return process;
}

std::vector<std::uint32_t> ParseFaults(YamlFields& fields) {
  std::vector<std::uint32_t> codes;
  const YamlValue* list = fields.List("faults");
  if (list == nullptr) return codes;
  for (const YamlValue& item : list->items) {
    const auto code = ParseFaultCode(item.text);
    if (!code) {
      fields.problems().Add(
          item.line, "faults",
          fmt::format("\"{}\" is no fault code, want eight hex digits in quotes", item.text));
    }
    codes.push_back(code.value_or(0));
  }
  return codes;
}

FaultDetails ParseFaultDetails(const YamlValue& value, YamlProblems& problems) {
  FaultDetails details;
  for (const YamlEntry& entry : value.entries) {
    const auto code = ParseFaultCode(entry.key);
    if (!code) {
      problems.Add(
          entry.line, "fault_details",
          fmt::format("\"{}\" is no fault code, want eight hex digits in quotes", entry.key));
    }
    YamlFields fields(entry.value, "fault_details", problems);
    FaultDetail& detail = details[code.value_or(0)];
    if (const auto severity = fields.Choice("severity", kSeverityNames)) {
      detail.severity = static_cast<FaultSeverity>(*severity);
    }
    detail.description = fields.Text("description", 255).value_or("");
    fields.RefuseOthers();
  }
  return details;
}

VnpuReading ParseVnpus(std::span<const YamlValue> items, YamlProblems& problems) {
  VnpuReading reading;
  for (const YamlValue& item : items) {
    YamlFields fields(item, "vnpus", problems);
    Vnpu vnpu;
    vnpu.index = static_cast<std::uint32_t>(fields.Required("id", fields.Integer("id", kVnpuId)));
    vnpu.template_name = fields.Text("template", 31).value_or("");
    vnpu.utilization = ReadPercent(fields, "utilization");
    vnpu.memory_total = ReadMiB(fields, "memory_total_mib");
    vnpu.memory_used = ReadMiB(fields, "memory_used_mib");
    vnpu.aicores = Read<Count>(fields, "aicores", kAicores);
    fields.RefuseOthers();
    AddOnce(reading.vnpus, vnpu, fields, "id");
  }
  return reading;
}

}  // namespace

void ParseState(YamlFields& fields, Chip& chip) {
  YamlProblems& problems = fields.problems();
  if (const auto health = fields.Choice("health", kHealthNames)) {
    chip.health = static_cast<Health>(*health);
  }
  chip.faults = ParseFaults(fields);
  if (const YamlValue* value = fields.Map("fault_details")) {
    chip.fault_details = std::make_shared<FaultDetails>(ParseFaultDetails(*value, problems));
  }
  if (const YamlValue* value = fields.Any("utilization")) {
    chip.utilization = ParseUtilization(*value, problems);
  }
  if (const YamlValue* value = fields.Any("hbm")) chip.hbm = ParseHbm(*value, problems);
  if (const YamlValue* value = fields.Any("ddr")) chip.ddr = ParseDdr(*value, problems);
  if (const YamlValue* value = fields.Any("ecc")) chip.ecc = ParseEcc(*value, problems);
  if (const YamlValue* list = fields.List("processes")) {
    auto& processes = chip.processes.emplace();
    for (const YamlValue& item : list->items) processes.push_back(ParseProcess(item, problems));
  }
  chip.compatible = ReadFlag(fields, "compatible");
  if (const YamlValue* list = fields.List("vnpus")) {
    chip.vnpus = std::make_shared<VnpuReading>(ParseVnpus(list->items, problems));
  }
}

}  // namespace ascend::sim
