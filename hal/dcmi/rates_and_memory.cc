// The readings of DcmiDriver that take several calls of the library.
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "hal/dcmi/driver.h"

namespace ascend::dcmi {
namespace {

// Questions: the types of a utilisation are below 16, those of ECC below 4.
constexpr Question AboutRate(int type) { return Question{1} << type; }
constexpr Question AboutEcc(int type) { return Question{1} << (16 + type); }
constexpr Question kAboutMulti = Question{1} << 31;

struct Rate {
  int type;
  std::optional<Ratio> UtilizationReading::*field;
};
constexpr std::array<Rate, 2> kWithoutMulti = {
    {{kRateAicore, &UtilizationReading::aicore}, {kRateVector, &UtilizationReading::vector}}};
constexpr std::array<Rate, 2> kAlwaysSingle = {
    {{kRateAicpu, &UtilizationReading::aicpu}, {kRateCtrlcpu, &UtilizationReading::ctrlcpu}}};

struct EccModule {
  int type;
  EccCounts EccReading::*counts;
};
constexpr std::array<EccModule, 4> kEccModules = {{{kEccDdr, &EccReading::ddr},
                                                   {kEccSram, &EccReading::sram},
                                                   {kEccHbm, &EccReading::hbm},
                                                   {kEccNpu, &EccReading::npu}}};

// The outcome of several questions: answered if one was, else the first failure that is not "the
// chip has none", else that.
class Outcome {
 public:
  void Add(const Symbol& function, int code) {
    if (code == kOk) answered_ = true;
    if (code == kOk || (code_ != kOk && !IsUnsupported(code_))) return;
    function_ = function.name;
    code_ = code;
  }
  [[nodiscard]] absl::Status status() const {
    return answered_ ? absl::OkStatus() : StatusOf(function_, code_);
  }

 private:
  bool answered_ = false;
  const char* function_ = "";
  int code_ = kOk;
};

}  // namespace

int DcmiDriver::ReadRate(DeviceAddress at, int type, std::optional<Ratio>& rate, Border& border) {
  unsigned int raw = ~0U;
  const int code = lacks_.Of(at).Ask(
      AboutRate(type), [&] { return f_.utilization_rate(at.card, at.chip, type, &raw); });
  if (code == kOk) rate = border.Percent(raw);
  return code;
}

int DcmiDriver::ReadMulti(DeviceAddress at, UtilizationReading& reading, Border& border) {
  Room<MultiUtilizationInfo> multi(Room<MultiUtilizationInfo>::kOnes);
  const int code = lacks_.Of(at).Ask(
      kAboutMulti, [&] { return f_.multi_utilization_rate(at.card, at.chip, &multi.value); });
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
      outcome.Add(f_.utilization_rate, ReadRate(at, rate.type, reading.*rate.field, border));
    }
  };
  const int multi = ReadMulti(at, reading, border);
  outcome.Add(f_.multi_utilization_rate, multi);
  if (multi != kOk) ask_singly(kWithoutMulti);
  ask_singly(kAlwaysSingle);
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

absl::StatusOr<HbmReading> DcmiDriver::ReadHbm(DeviceAddress at) {
  Room<HbmInfo> hbm(Room<HbmInfo>::kOnes);
  const int code = f_.hbm_info(at.card, at.chip, &hbm.value);
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
  ReadRate(at, kRateHbm, reading.utilization, border);
  return reading;
}

absl::StatusOr<DdrReading> DcmiDriver::ReadDdr(DeviceAddress at) {
  Room<MemoryInfoV3> room(Room<MemoryInfoV3>::kOnes);
  const MemoryInfoV3& memory = room.value;
  const int code = f_.memory_info_v3(at.card, at.chip, &room.value);
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
  ReadRate(at, kRateDdrBandwidth, reading.bandwidth_utilization, border);
  return reading;
}

int DcmiDriver::ReadEccOf(DeviceAddress at, int type, EccCounts& counts, Border& border) {
  Room<EccInfo> room(Room<EccInfo>::kOnes);
  const EccInfo& ecc = room.value;
  const int code = lacks_.Of(at).Ask(
      AboutEcc(type), [&] { return f_.ecc_info(at.card, at.chip, type, &room.value); });
  if (code != kOk) return code;
  counts.enabled = border.Flag(ecc.enable_flag);
  counts.single_bit = border.Events(ecc.single_bit_error_cnt);
  counts.double_bit = border.Events(ecc.double_bit_error_cnt);
  counts.lifetime_single_bit = border.Events(ecc.total_single_bit_error_cnt);
  counts.lifetime_double_bit = border.Events(ecc.total_double_bit_error_cnt);
  counts.isolated_pages = border.Events(ecc.double_bit_isolated_pages_cnt);
  return kOk;
}

absl::StatusOr<EccReading> DcmiDriver::ReadEcc(DeviceAddress at) {
  EccReading reading;
  Border border(reading.refused);
  Outcome outcome;
  for (const EccModule& module : kEccModules) {
    outcome.Add(f_.ecc_info, ReadEccOf(at, module.type, reading.*module.counts, border));
  }
  if (absl::Status status = outcome.status(); !status.ok()) return status;
  return reading;
}

}  // namespace ascend::dcmi
