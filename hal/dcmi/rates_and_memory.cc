// The readings of DcmiDriver that take several calls of the library.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

struct Rate {
  int type;
  Question question;
  std::optional<Ratio> UtilizationReading::*field;
};
constexpr std::array<Rate, 2> kWithoutMulti = {
    {{kRateAicore, Question::kAicoreRate, &UtilizationReading::aicore},
     {kRateVector, Question::kVectorRate, &UtilizationReading::vector}}};
constexpr std::array<Rate, 2> kAlwaysSingle = {
    {{kRateAicpu, Question::kAicpuRate, &UtilizationReading::aicpu},
     {kRateCtrlcpu, Question::kCtrlcpuRate, &UtilizationReading::ctrlcpu}}};

struct EccModule {
  int type;
  Question question;
  EccCounts EccReading::*counts;
};
constexpr std::array<EccModule, 4> kEccModules = {
    {{kEccDdr, Question::kDdrEcc, &EccReading::ddr},
     {kEccSram, Question::kSramEcc, &EccReading::sram},
     {kEccHbm, Question::kHbmEcc, &EccReading::hbm},
     {kEccNpu, Question::kNpuEcc, &EccReading::npu}}};
constexpr std::uint32_t kNotWritten = 0xFFFFFFFF;

constexpr std::size_t kAicoreBytes = 25;
constexpr std::size_t kVectorCoreBytes = 50;
constexpr unsigned char kDamagedCore = 0xEE;
constexpr unsigned char kInvalidCore = 0xEF;
constexpr unsigned char kNoCore = 0xFF;  // behind the last core: as before the call

// A core for each byte, up to the last that is one.
void AddCores(std::span<const unsigned char> bytes, FixedList<CoreLoad, kMaxCores>& cores,
              Border& border) {
  while (!bytes.empty() && (bytes.back() == kNoCore || bytes.back() == kInvalidCore)) {
    bytes = bytes.first(bytes.size() - 1);
  }
  for (const unsigned char byte : bytes) {
    CoreLoad core{.index = static_cast<std::uint32_t>(cores.size()), .busy = {}};
    if (byte != kDamagedCore && byte != kInvalidCore) core.busy = border.Percent(byte);
    cores.Add(core);
  }
}

}  // namespace

int DcmiDriver::ReadRate(DeviceAddress at, int type, Question question, std::optional<Ratio>& rate,
                         Border& border) {
  unsigned int raw = ~0U;
  const int code = lacks_.Of(at).Ask(question, [&] { return f_.utilization_rate(at, type, &raw); });
  if (code == kOk) rate = border.Percent(raw);
  return code;
}

int DcmiDriver::ReadMulti(DeviceAddress at, UtilizationReading& reading, Border& border) {
  Room<MultiUtilizationInfo> multi(Room<MultiUtilizationInfo>::kOnes);
  const int code = lacks_.Of(at).Ask(Question::kMultiRates,
                                     [&] { return f_.multi_utilization_rate(at, &multi.value); });
  if (code != kOk) return code;
  reading.cube = border.Percent(multi.value.aic_util);
  reading.vector = border.Percent(multi.value.aiv_util);
  reading.aicore = border.Percent(multi.value.aicore_util);
  reading.overall = border.Percent(multi.value.npu_util);
  return kOk;
}

absl::StatusOr<UtilizationReading> DcmiDriver::ReadUtilization(DeviceAddress at) {
  UtilizationReading reading;
  Border border(reading.refused);
  Outcome outcome;
  const auto ask_singly = [&](std::span<const Rate> rates) {
    for (const Rate& rate : rates) {
      outcome.Add(f_.utilization_rate,
                  ReadRate(at, rate.type, rate.question, reading.*rate.field, border));
    }
  };
  const int multi = ReadMulti(at, reading, border);
  outcome.Add(f_.multi_utilization_rate, multi);
  if (multi != kOk) ask_singly(kWithoutMulti);
  ask_singly(kAlwaysSingle);
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<CoreUtilizationReading> DcmiDriver::ReadCoreUtilization(DeviceAddress at) {
  CoreUtilizationReading reading;
  Border border(reading.refused);
  Outcome outcome;
  Room<std::array<unsigned char, kAicoreBytes>> aicores(Room<int>::kOnes);
  int code =
      lacks_.Of(at).Ask(Question::kAicores, [&] { return Info(at, kAicoresItem, aicores.value); });
  outcome.Add(f_.device_info, code);
  if (code == kOk) AddCores(aicores.value, reading.aicores, border);
  Room<std::array<unsigned char, kVectorCoreBytes>> vector_cores(Room<int>::kOnes);
  code = lacks_.Of(at).Ask(Question::kVectorCores,
                           [&] { return Info(at, kVectorCoresItem, vector_cores.value); });
  outcome.Add(f_.device_info, code);
  if (code == kOk) AddCores(vector_cores.value, reading.vector_cores, border);
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<MediaReading> DcmiDriver::ReadMedia(DeviceAddress at) {
  Room<DvppRatio> room(Room<DvppRatio>::kOnes);
  const int code = f_.dvpp_ratio_info(at, &room.value);
  if (code != kOk) return StatusOf(f_.dvpp_ratio_info.name, code);
  MediaReading reading;
  Border border(reading.refused);
  const auto percent = [&](std::int32_t raw) {
    return border.Percent(static_cast<std::uint32_t>(raw));
  };
  reading.vdec = percent(room.value.vdec_ratio);
  reading.vpc = percent(room.value.vpc_ratio);
  reading.venc = percent(room.value.venc_ratio);
  reading.jpege = percent(room.value.jpege_ratio);
  reading.jpegd = percent(room.value.jpegd_ratio);
  return reading;
}

absl::StatusOr<HbmReading> DcmiDriver::ReadHbm(DeviceAddress at) {
  Room<HbmInfo> hbm(Room<HbmInfo>::kOnes);
  const int code = f_.hbm_info(at, &hbm.value);
  if (code != kOk) return StatusOf(f_.hbm_info.name, code);
  HbmReading reading;
  Border border(reading.refused);
  reading.total = border.Mebibytes(hbm.value.memory_size);
  border.UnknownIfZero(reading.total);
  if (reading.total) reading.used = border.Mebibytes(hbm.value.memory_usage);
  border.DropAbove(reading.used, reading.total);
  if (hbm.value.temp < 0) {  // documented as never negative
    border.Refuse();
  } else {
    reading.temperature = border.Degrees(hbm.value.temp);
  }
  reading.bandwidth_utilization = border.Percent(hbm.value.bandwith_util_rate);
  ReadRate(at, kRateHbm, Question::kHbmRate, reading.utilization, border);
  return reading;
}

absl::StatusOr<DdrReading> DcmiDriver::ReadDdr(DeviceAddress at) {
  Room<MemoryInfoV3> room(Room<MemoryInfoV3>::kOnes);
  const MemoryInfoV3& memory = room.value;
  const int code = f_.memory_info_v3(at, &room.value);
  if (code != kOk) return StatusOf(f_.memory_info_v3.name, code);
  DdrReading reading;
  Border border(reading.refused);
  reading.total = border.Mebibytes(memory.memory_size);
  border.UnknownIfZero(reading.total);
  if (reading.total) {  // `utiliza` is a rounded percentage
    auto available = border.Mebibytes(memory.memory_available);
    border.DropAbove(available, reading.total);
    if (available) reading.used = Bytes{reading.total->value - available->value};
  }
  reading.hugepages_capacity = border.Pages(memory.hugepages_total, memory.hugepagesize);
  auto free = border.Pages(memory.hugepages_free, memory.hugepagesize);
  border.DropAbove(free, reading.hugepages_capacity);
  if (free && reading.hugepages_capacity) {
    reading.hugepages_used = Bytes{reading.hugepages_capacity->value - free->value};
  }
  ReadRate(at, kRateDdrBandwidth, Question::kDdrBandwidthRate, reading.bandwidth_utilization,
           border);
  return reading;
}

int DcmiDriver::ReadEccOf(DeviceAddress at, int type, Question question, EccCounts& counts,
                          Border& border) {
  Room<EccInfo> room(Room<EccInfo>::kOnes);
  const EccInfo& ecc = room.value;
  const int code = lacks_.Of(at).Ask(question, [&] { return f_.ecc_info(at, type, &room.value); });
  if (code != kOk) return code;
  counts.enabled = border.Flag(ecc.enable_flag);
  counts.single_bit = border.Events(ecc.single_bit_error_cnt);
  counts.double_bit = border.Events(ecc.double_bit_error_cnt);
  counts.lifetime_single_bit = border.Events(ecc.total_single_bit_error_cnt);
  counts.lifetime_double_bit = border.Events(ecc.total_double_bit_error_cnt);
  counts.isolated_pages = border.Events(ecc.double_bit_isolated_pages_cnt);
  if (ecc.double_bit_next_isolated_pages_cnt != kNotWritten) {
    counts.pending_isolated_pages = border.Events(ecc.double_bit_next_isolated_pages_cnt);
  }
  return kOk;
}

absl::StatusOr<EccReading> DcmiDriver::ReadEcc(DeviceAddress at) {
  EccReading reading;
  Border border(reading.refused);
  Outcome outcome;
  for (const EccModule& module : kEccModules) {
    outcome.Add(f_.ecc_info,
                ReadEccOf(at, module.type, module.question, reading.*module.counts, border));
  }
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

}  // namespace ascend::dcmi
