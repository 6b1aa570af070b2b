// How busy the chips are and what memory they have. Keys of a chip, numbers in the vendor's units:
//   utilization.TYPE (percent); multi AIC AIV AICORE NPU (percent); dvpp VDEC VPC VENC JPEGE JPEGD
//   (percent); hbm SIZE USED TEMPERATURE BANDWIDTH (MB, degrees, percent); ddr SIZE AVAILABLE
//   PAGE_KB PAGES PAGES_FREE (MB); ecc.TYPE ENABLED SINGLE DOUBLE TOTAL_SINGLE TOTAL_DOUBLE
//   ISOLATED [PENDING], where a seventh number makes the answer the longer one of 36 bytes;
//   processes PID BYTES ... ("none" for an empty list)
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Dev;
using fake_dcmi::RoomFor;

constexpr std::size_t kMaxProcesses = 32;
constexpr std::int64_t kPercent = 100;
constexpr std::int64_t kMemoryClock = 1600;

// The vendor's driver answers 0 where it measures more than everything.
std::int64_t Clamped(std::int64_t percent) { return percent > kPercent ? 0 : percent; }

int AnswerUtilization(Call call, int input_type, unsigned int* utilization_rate) {
  if (const auto code = call.ChipVerdict(utilization_rate)) return *code;
  const auto percent = call.chip()->Number("utilization." + std::to_string(input_type));
  if (!percent) return fake_dcmi::kNotSupported;
  call.Set(*utilization_rate, "utilization_rate", Clamped(*percent));
  return fake_dcmi::kOk;
}

int AnswerMultiUtilization(Call call, fake_dcmi::MultiUtilizationInfo* util_info) {
  if (const auto code = call.ChipVerdict(util_info)) return *code;
  const auto percents = call.chip()->Numbers("multi", 4);
  if (!percents) return fake_dcmi::kNotSupported;
  call.Set(util_info->aic_util, "aic_util", Clamped((*percents)[0]));
  call.Set(util_info->aiv_util, "aiv_util", Clamped((*percents)[1]));
  call.Set(util_info->aicore_util, "aicore_util", Clamped((*percents)[2]));
  call.Set(util_info->npu_util, "npu_util", Clamped((*percents)[3]));
  return fake_dcmi::kOk;
}

int AnswerHbm(Call call, fake_dcmi::HbmInfo* hbm_info) {
  if (const auto code = call.ChipVerdict(hbm_info)) return *code;
  const auto hbm = call.chip()->Numbers("hbm", 4);
  if (!hbm) return fake_dcmi::kNotSupported;
  call.Set(hbm_info->memory_size, "memory_size", (*hbm)[0]);
  call.Set(hbm_info->freq, "freq", kMemoryClock);
  call.Set(hbm_info->memory_usage, "memory_usage", (*hbm)[1]);
  call.Set(hbm_info->temp, "temp", (*hbm)[2]);
  call.Set(hbm_info->bandwith_util_rate, "bandwith_util_rate", (*hbm)[3]);
  return fake_dcmi::kOk;
}

int AnswerEcc(Call call, int input_type, fake_dcmi::EccInfo* device_ecc_info) {
  auto* more = reinterpret_cast<fake_dcmi::EccInfoLong*>(device_ecc_info);
  if (const auto code = call.ChipVerdict(more)) return *code;
  const auto ecc = call.chip()->Numbers("ecc." + std::to_string(input_type), 6);
  if (!ecc) return fake_dcmi::kNotSupported;
  auto& info = *device_ecc_info;
  call.Set(info.enable_flag, "enable_flag", (*ecc)[0]);
  call.Set(info.single_bit_error_cnt, "single_bit_error_cnt", (*ecc)[1]);
  call.Set(info.double_bit_error_cnt, "double_bit_error_cnt", (*ecc)[2]);
  call.Set(info.total_single_bit_error_cnt, "total_single_bit_error_cnt", (*ecc)[3]);
  call.Set(info.total_double_bit_error_cnt, "total_double_bit_error_cnt", (*ecc)[4]);
  call.Set(info.single_bit_isolated_pages_cnt, "single_bit_isolated_pages_cnt", 0);
  call.Set(info.double_bit_isolated_pages_cnt, "double_bit_isolated_pages_cnt", (*ecc)[5]);
  if (ecc->size() > 6) {
    call.Set(more->single_bit_next_isolated_pages_cnt, "single_bit_next_isolated_pages_cnt", 0);
    call.Set(more->double_bit_next_isolated_pages_cnt, "double_bit_next_isolated_pages_cnt",
             (*ecc)[6]);
  }
  return fake_dcmi::kOk;
}

int AnswerProcesses(Call call, fake_dcmi::ProcMemInfo* proc_info, int* proc_num) {
  if (const auto code = call.ChipVerdict(RoomFor(kMaxProcesses, proc_info), proc_num)) {
    return *code;
  }
  if (proc_num == nullptr) return fake_dcmi::kInvalidParameter;
  const auto list = call.chip()->Numbers("processes", 0);
  if (!list) return fake_dcmi::kNotSupported;
  const std::size_t count = std::min(list->size() / 2, kMaxProcesses);
  for (std::size_t i = 0; i < count; ++i) {
    call.Set(proc_info[i].proc_id, "proc_id", (*list)[2 * i]);
    call.Set(proc_info[i].proc_mem_usage, "proc_mem_usage", (*list)[2 * i + 1]);
  }
  call.Set(*proc_num, "proc_num", static_cast<std::int64_t>(count));
  return fake_dcmi::kOk;
}

}  // namespace

int dcmi_get_device_utilization_rate(int card_id, int device_id, int input_type,
                                     unsigned int* utilization_rate) {
  return AnswerUtilization(Call(__func__, card_id, device_id, input_type), input_type,
                           utilization_rate);
}

int dcmiv2_get_device_utilization_rate(int dev_id, int input_type, unsigned int* utilization_rate) {
  return AnswerUtilization(Call(__func__, Dev(dev_id), input_type), input_type, utilization_rate);
}

int dcmi_get_device_multi_utilization_rate(int card_id, int device_id,
                                           fake_dcmi::MultiUtilizationInfo* util_info) {
  return AnswerMultiUtilization(Call(__func__, card_id, device_id), util_info);
}

int dcmiv2_get_device_multi_utilization_rate(int dev_id,
                                             fake_dcmi::MultiUtilizationInfo* util_info) {
  return AnswerMultiUtilization(Call(__func__, Dev(dev_id)), util_info);
}

int dcmi_get_device_dvpp_ratio_info(int card_id, int device_id, fake_dcmi::DvppRatio* usage) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.ChipVerdict(usage)) return *code;
  const auto percents = call.chip()->Numbers("dvpp", 5);
  if (!percents) return fake_dcmi::kNotSupported;
  call.Set(usage->vdec_ratio, "vdec_ratio", (*percents)[0]);
  call.Set(usage->vpc_ratio, "vpc_ratio", (*percents)[1]);
  call.Set(usage->venc_ratio, "venc_ratio", (*percents)[2]);
  call.Set(usage->jpege_ratio, "jpege_ratio", (*percents)[3]);
  call.Set(usage->jpegd_ratio, "jpegd_ratio", (*percents)[4]);
  return fake_dcmi::kOk;
}

int dcmi_get_device_hbm_info(int card_id, int device_id, fake_dcmi::HbmInfo* hbm_info) {
  return AnswerHbm(Call(__func__, card_id, device_id), hbm_info);
}

int dcmiv2_get_device_hbm_info(int dev_id, fake_dcmi::HbmInfo* hbm_info) {
  return AnswerHbm(Call(__func__, Dev(dev_id)), hbm_info);
}

int dcmi_get_device_memory_info_v3(int card_id, int device_id,
                                   fake_dcmi::MemoryInfoV3* memory_info) {
  Call call(__func__, card_id, device_id);
  if (const auto code = call.ChipVerdict(memory_info)) return *code;
  const auto ddr = call.chip()->Numbers("ddr", 5);
  if (!ddr) return fake_dcmi::kNotSupported;
  const auto& [size, available] = std::tie((*ddr)[0], (*ddr)[1]);
  call.Set(memory_info->memory_size, "memory_size", size);
  call.Set(memory_info->memory_available, "memory_available", available);
  call.Set(memory_info->freq, "freq", kMemoryClock);
  call.Set(memory_info->hugepagesize, "hugepagesize", (*ddr)[2]);
  call.Set(memory_info->hugepages_total, "hugepages_total", (*ddr)[3]);
  call.Set(memory_info->hugepages_free, "hugepages_free", (*ddr)[4]);
  const std::int64_t used = size == 0 ? 0 : (size - available) * kPercent / size;
  call.Set(memory_info->utiliza, "utiliza", used);
  return fake_dcmi::kOk;
}

int dcmi_get_device_ecc_info(int card_id, int device_id, int input_type,
                             fake_dcmi::EccInfo* device_ecc_info) {
  return AnswerEcc(Call(__func__, card_id, device_id, input_type), input_type, device_ecc_info);
}

int dcmiv2_get_device_ecc_info(int dev_id, int input_type, fake_dcmi::EccInfo* device_ecc_info) {
  return AnswerEcc(Call(__func__, Dev(dev_id), input_type), input_type, device_ecc_info);
}

int dcmi_get_device_resource_info(int card_id, int device_id, fake_dcmi::ProcMemInfo* proc_info,
                                  int* proc_num) {
  return AnswerProcesses(Call(__func__, card_id, device_id), proc_info, proc_num);
}

int dcmiv2_get_device_proc_mem_info(int dev_id, fake_dcmi::ProcMemInfo* proc_info, int* proc_num) {
  return AnswerProcesses(Call(__func__, Dev(dev_id)), proc_info, proc_num);
}
