// What the chips measure. Keys of a chip, numbers in the vendor's units:
//   health; faults CODE...; temperature; power and card_power (0.1 W); utilization.TYPE (percent);
//   multi AIC AIV AICORE NPU (percent); hbm SIZE USED TEMPERATURE BANDWIDTH (MB, degrees, percent);
//   ddr SIZE AVAILABLE PAGE_KB PAGES PAGES_FREE (MB); ecc.TYPE ENABLED SINGLE DOUBLE TOTAL_SINGLE
//   TOTAL_DOUBLE ISOLATED; processes PID BYTES ... ("none" for an empty list)
#include <algorithm>
#include <cstdint>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;

constexpr std::size_t kMaxProcesses = 32;
constexpr std::int64_t kPercent = 100;

using Numbers = std::vector<std::int64_t>;

// The numbers of a key; nothing where the chip lacks it or it has too few.
std::optional<Numbers> NumbersOf(const fake_dcmi::Chip& chip, const std::string& key,
                                 std::size_t least) {
  const auto* words = chip.Find(key);
  if (words == nullptr) return std::nullopt;
  Numbers numbers;
  for (const auto& word : *words) {
    if (const auto number = fake_dcmi::ParseNumber(word)) numbers.push_back(*number);
  }
  if (numbers.size() < least) return std::nullopt;
  return numbers;
}

// The vendor's driver answers 0 where it measures more than everything.
std::int64_t Clamped(std::int64_t percent) { return percent > kPercent ? 0 : percent; }

}  // namespace

int dcmi_get_device_errorcode_v2(int card_id, int device_id, int* error_count,
                                 unsigned int* error_code_list, unsigned int list_len) {
  Call call("dcmi_get_device_errorcode_v2", card_id, device_id);
  if (const auto code = call.ChipVerdict(error_count)) return *code;
  const Numbers codes = NumbersOf(*call.chip(), "faults", 0).value_or(Numbers());
  if (error_code_list == nullptr || list_len < codes.size()) return fake_dcmi::kInvalidParameter;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    call.Set(error_code_list[i], "error_code_list", codes[i]);
  }
  call.Set(*error_count, "error_count", static_cast<std::int64_t>(codes.size()));
  return fake_dcmi::kOk;
}

int dcmi_get_device_temperature(int card_id, int device_id, int* temperature) {
  return Call("dcmi_get_device_temperature", card_id, device_id)
      .AnswerNumber("temperature", temperature, "temperature");
}

int dcmi_get_device_power_info(int card_id, int device_id, int* power) {
  return Call("dcmi_get_device_power_info", card_id, device_id)
      .AnswerNumber("power", power, "power");
}

int dcmi_mcu_get_power_info(int card_id, int* power) {
  Call call("dcmi_mcu_get_power_info", card_id);
  if (const auto code = call.Verdict()) return *code;
  const auto* chip = call.started() ? call.machine().FirstOf(card_id) : nullptr;
  if (power == nullptr || chip == nullptr) return fake_dcmi::kInvalidParameter;
  const auto value = chip->Number("card_power");
  if (!value) return fake_dcmi::kNotSupported;
  call.Set(*power, "power", *value);
  return fake_dcmi::kOk;
}

int dcmi_get_device_utilization_rate(int card_id, int device_id, int input_type,
                                     unsigned int* utilization_rate) {
  Call call("dcmi_get_device_utilization_rate", card_id, device_id, input_type);
  if (const auto code = call.ChipVerdict(utilization_rate)) return *code;
  const auto percent = call.chip()->Number("utilization." + std::to_string(input_type));
  if (!percent) return fake_dcmi::kNotSupported;
  call.Set(*utilization_rate, "utilization_rate", Clamped(*percent));
  return fake_dcmi::kOk;
}

int dcmi_get_device_multi_utilization_rate(int card_id, int device_id,
                                           fake_dcmi::MultiUtilizationInfo* util_info) {
  Call call("dcmi_get_device_multi_utilization_rate", card_id, device_id);
  if (const auto code = call.ChipVerdict(util_info)) return *code;
  const auto percents = NumbersOf(*call.chip(), "multi", 4);
  if (!percents) return fake_dcmi::kNotSupported;
  call.Set(util_info->aic_util, "aic_util", Clamped((*percents)[0]));
  call.Set(util_info->aiv_util, "aiv_util", Clamped((*percents)[1]));
  call.Set(util_info->aicore_util, "aicore_util", Clamped((*percents)[2]));
  call.Set(util_info->npu_util, "npu_util", Clamped((*percents)[3]));
  return fake_dcmi::kOk;
}

int dcmi_get_device_hbm_info(int card_id, int device_id, fake_dcmi::HbmInfo* hbm_info) {
  Call call("dcmi_get_device_hbm_info", card_id, device_id);
  if (const auto code = call.ChipVerdict(hbm_info)) return *code;
  const auto hbm = NumbersOf(*call.chip(), "hbm", 4);
  if (!hbm) return fake_dcmi::kNotSupported;
  call.Set(hbm_info->memory_size, "memory_size", (*hbm)[0]);
  call.Set(hbm_info->freq, "freq", 1600);
  call.Set(hbm_info->memory_usage, "memory_usage", (*hbm)[1]);
  call.Set(hbm_info->temp, "temp", (*hbm)[2]);
  call.Set(hbm_info->bandwith_util_rate, "bandwith_util_rate", (*hbm)[3]);
  return fake_dcmi::kOk;
}

int dcmi_get_device_memory_info_v3(int card_id, int device_id,
                                   fake_dcmi::MemoryInfoV3* memory_info) {
  Call call("dcmi_get_device_memory_info_v3", card_id, device_id);
  if (const auto code = call.ChipVerdict(memory_info)) return *code;
  const auto ddr = NumbersOf(*call.chip(), "ddr", 5);
  if (!ddr) return fake_dcmi::kNotSupported;
  const auto& [size, available] = std::tie((*ddr)[0], (*ddr)[1]);
  call.Set(memory_info->memory_size, "memory_size", size);
  call.Set(memory_info->memory_available, "memory_available", available);
  call.Set(memory_info->freq, "freq", 1600);
  call.Set(memory_info->hugepagesize, "hugepagesize", (*ddr)[2]);
  call.Set(memory_info->hugepages_total, "hugepages_total", (*ddr)[3]);
  call.Set(memory_info->hugepages_free, "hugepages_free", (*ddr)[4]);
  const std::int64_t used = size == 0 ? 0 : (size - available) * kPercent / size;
  call.Set(memory_info->utiliza, "utiliza", used);
  return fake_dcmi::kOk;
}

int dcmi_get_device_ecc_info(int card_id, int device_id, int input_type,
                             fake_dcmi::EccInfo* device_ecc_info) {
  Call call("dcmi_get_device_ecc_info", card_id, device_id, input_type);
  if (const auto code = call.ChipVerdict(device_ecc_info)) return *code;
  const auto ecc = NumbersOf(*call.chip(), "ecc." + std::to_string(input_type), 6);
  if (!ecc) return fake_dcmi::kNotSupported;
  auto& info = *device_ecc_info;
  call.Set(info.enable_flag, "enable_flag", (*ecc)[0]);
  call.Set(info.single_bit_error_cnt, "single_bit_error_cnt", (*ecc)[1]);
  call.Set(info.double_bit_error_cnt, "double_bit_error_cnt", (*ecc)[2]);
  call.Set(info.total_single_bit_error_cnt, "total_single_bit_error_cnt", (*ecc)[3]);
  call.Set(info.total_double_bit_error_cnt, "total_double_bit_error_cnt", (*ecc)[4]);
  call.Set(info.single_bit_isolated_pages_cnt, "single_bit_isolated_pages_cnt", 0);
  call.Set(info.double_bit_isolated_pages_cnt, "double_bit_isolated_pages_cnt", (*ecc)[5]);
  return fake_dcmi::kOk;
}

int dcmi_get_device_resource_info(int card_id, int device_id, fake_dcmi::ProcMemInfo* proc_info,
                                  int* proc_num) {
  Call call("dcmi_get_device_resource_info", card_id, device_id);
  if (const auto code = call.ChipVerdict(proc_info)) return *code;
  if (proc_num == nullptr) return fake_dcmi::kInvalidParameter;
  const auto list = NumbersOf(*call.chip(), "processes", 0);
  if (!list) return fake_dcmi::kNotSupported;
  const std::size_t count = std::min(list->size() / 2, kMaxProcesses);
  for (std::size_t i = 0; i < count; ++i) {
    call.Set(proc_info[i].proc_id, "proc_id", (*list)[2 * i]);
    call.Set(proc_info[i].proc_mem_usage, "proc_mem_usage", (*list)[2 * i + 1]);
  }
  call.Set(*proc_num, "proc_num", static_cast<std::int64_t>(count));
  return fake_dcmi::kOk;
}
