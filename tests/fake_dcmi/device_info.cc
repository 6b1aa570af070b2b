// What dcmi_get_device_info and its twin answer, by main and sub command. Keys of a chip, numbers
// in the vendor's units:
//   dvpp VDEC VPC VENC JPEGE JPEGD (DVPP 0/0 to 0/5); throttle BITS (LP 8/9); rated_power
//   MILLIWATTS (LP 8/10); cores.aicore and cores.vector BYTE... (TS 11/0 and 11/1: percent, 0xEE
//   damaged, 0xEF invalid); super_pod SDID SIZE POD SERVER (CHIP_INF 12/1); hccs.status PCS HDLC
//   (HCCS 16/0); hccs.lanes PORTS LANES... (16/1, as struct HccsLaneInfo has them); hccs.tx,
//   hccs.rx, hccs.crc, hccs.retry N..., by port from 0 on (16/5, and 16/3 with 32 bits of each);
//   hccs.bits 32 (no 16/5); sio TX RX (SIO 56/0); vnpus ID... and vnpu.ID TEMPLATE AICORES PERCENT
//   TOTAL_KB FREE_KB (VDEV_MNG 52/0, 1, 2, 5; 52/0 knows template and AI cores, 52/5 the rest)
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "call.h"
#include "vendor_abi.h"

namespace {

using fake_dcmi::Call;
using fake_dcmi::Chip;
using fake_dcmi::RoomFor;

constexpr unsigned long long kNoMemory = ~0ULL;
constexpr unsigned char kInvalidCore = 0xEF;
constexpr unsigned long long kKbInMb = 1024;

// The caller's buffer and what it is filled from.
struct Request {
  const Call& call;
  unsigned int sub_cmd;
  void* buffer;
  unsigned int* size;

  [[nodiscard]] const Chip& chip() const { return *call.chip(); }

  template <class T>
  [[nodiscard]] int Reply(const T& answer) const {
    if (*size < sizeof(T)) return fake_dcmi::kInvalidParameter;
    std::memcpy(buffer, &answer, sizeof(T));
    *size = sizeof(T);
    return fake_dcmi::kOk;
  }
};

int Dvpp(const Request& request) {
  const auto percents = request.chip().Numbers("dvpp", 5);
  if (!percents || request.sub_cmd > percents->size()) return fake_dcmi::kNotSupported;
  int ratio = 0;
  const std::int64_t percent = request.sub_cmd == 0 ? 0 : (*percents)[request.sub_cmd - 1];
  if (percent < 0) return fake_dcmi::kNotSupported;
  request.call.Set(ratio, "ratio", percent);
  return request.Reply(ratio);
}

int Throttle(const Request& request) {
  const auto bits = request.chip().Number("throttle");
  if (!bits) return fake_dcmi::kNotSupported;
  unsigned long long reasons = 0;
  request.call.Set(reasons, "reasons", *bits);
  return request.Reply(reasons);
}

int RatedPower(const Request& request) {
  const auto power = request.chip().Number("rated_power");
  if (!power) return fake_dcmi::kNotSupported;
  fake_dcmi::RatedPower answer = {};
  request.call.Set(answer.soc_rated_power, "soc_rated_power", *power);
  return request.Reply(answer);
}

template <std::size_t N>
int Cores(const Request& request, const char* key) {
  const auto bytes = request.chip().Numbers(key, 0);
  if (!bytes) return fake_dcmi::kNotSupported;
  std::array<unsigned char, N> answer;
  answer.fill(kInvalidCore);
  for (std::size_t i = 0; i < std::min(N, bytes->size()); ++i) {
    request.call.Set(answer[i], "percent", (*bytes)[i]);
  }
  return request.Reply(answer);
}

int Aicores(const Request& request) { return Cores<25>(request, "cores.aicore"); }
int VectorCores(const Request& request) { return Cores<50>(request, "cores.vector"); }

int SuperPod(const Request& request) {
  const auto ids = request.chip().Numbers("super_pod", 4);
  if (!ids) return fake_dcmi::kNotSupported;
  fake_dcmi::SuperPodInfo answer = {};
  request.call.Set(answer.sdid, "sdid", (*ids)[0]);
  request.call.Set(answer.super_pod_size, "super_pod_size", (*ids)[1]);
  request.call.Set(answer.super_pod_id, "super_pod_id", (*ids)[2]);
  request.call.Set(answer.server_index, "server_index", (*ids)[3]);
  return request.Reply(answer);
}

int HccsStatus(const Request& request) {
  const auto status = request.chip().Numbers("hccs.status", 2);
  if (!status) return fake_dcmi::kNotSupported;
  fake_dcmi::HccsStatus answer = {};
  request.call.Set(answer.pcs_status, "pcs_status", (*status)[0]);
  request.call.Set(answer.hdlc_status, "hdlc_status", (*status)[1]);
  return request.Reply(answer);
}

int HccsLanes(const Request& request) {
  auto lanes = request.chip().Numbers("hccs.lanes", 1);
  if (!lanes) return fake_dcmi::kNotSupported;
  fake_dcmi::HccsLaneInfo answer = {};
  request.call.Set(answer.hccs_port_pcs_bitmap, "hccs_port_pcs_bitmap", lanes->front());
  lanes->erase(lanes->begin());
  request.call.SetAll(answer.pcs_lane_bitmap, "pcs_lane_bitmap", *lanes);
  return request.Reply(answer);
}

template <class Info>
int HccsCounters(const Request& request) {
  const Chip& chip = request.chip();
  const auto sent = chip.Numbers("hccs.tx", 0);
  const bool narrow = chip.Number("hccs.bits") == 32;
  if (!sent || (narrow && sizeof(Info) == sizeof(fake_dcmi::HccsStatisticInfoU64))) {
    return fake_dcmi::kNotSupported;
  }
  const std::vector<std::int64_t> none;
  Info answer = {};
  request.call.SetAll(answer.tx_cnt, "tx_cnt", *sent);
  request.call.SetAll(answer.rx_cnt, "rx_cnt", chip.Numbers("hccs.rx", 0).value_or(none));
  request.call.SetAll(answer.crc_err_cnt, "crc_err_cnt",
                      chip.Numbers("hccs.crc", 0).value_or(none));
  request.call.SetAll(answer.retry_cnt, "retry_cnt", chip.Numbers("hccs.retry", 0).value_or(none));
  return request.Reply(answer);
}

int Sio(const Request& request) {
  const auto errors = request.chip().Numbers("sio", 2);
  if (!errors) return fake_dcmi::kNotSupported;
  fake_dcmi::SioErrors answer = {};
  request.call.Set(answer.tx_error_count, "tx_error_count", (*errors)[0]);
  request.call.Set(answer.rx_error_count, "rx_error_count", (*errors)[1]);
  return request.Reply(answer);
}

// Nothing is known: all ones, and -1 in what may be a fraction.
template <class Resource>
void SetUnknown(Resource& resource) {
  std::memset(&resource.base, 0xFF, sizeof(resource.base));
  std::memset(&resource.computing, 0xFF, sizeof(resource.computing));
  std::memset(&resource.media, 0xFF, sizeof(resource.media));
  resource.computing.aic = resource.computing.aiv = -1;
  resource.media.jpegd = resource.media.jpege = resource.media.vpc = -1;
  resource.media.vdec = resource.media.pngd = resource.media.venc = -1;
}

int Vnpus(const Request& request) {
  const auto ids = request.chip().Numbers("vnpus", 0);
  if (!ids) return fake_dcmi::kNotSupported;
  fake_dcmi::SocTotalResource answer = {};
  SetUnknown(answer);
  request.call.Set(answer.vdev_num, "vdev_num", static_cast<std::int64_t>(ids->size()));
  request.call.SetAll(answer.vdev_id, "vdev_id", *ids);
  if (const auto cores = request.chip().Number("aicore_cnt")) {
    request.call.SetReal(answer.computing.aic, "aic", static_cast<double>(*cores));
  }
  return request.Reply(answer);
}

int FreeOfVnpus(const Request& request) {
  if (request.chip().Find("vnpus") == nullptr) return fake_dcmi::kNotSupported;
  fake_dcmi::SocFreeResource answer = {};
  SetUnknown(answer);
  return request.Reply(answer);
}

// The caller writes the vdev_id that it asks for into its buffer. `live`: load and memory, else the
// template and what it is made of.
int Vnpu(const Request& request, bool live) {
  fake_dcmi::VdevQuery answer = {};
  if (*request.size < sizeof(answer)) return fake_dcmi::kInvalidParameter;
  if (request.chip().Find("vnpus") == nullptr) return fake_dcmi::kNotSupported;
  std::memcpy(&answer.vdev_id, request.buffer, sizeof(answer.vdev_id));
  const std::string key = "vnpu." + std::to_string(answer.vdev_id);
  const auto* words = request.chip().Find(key);
  if (words == nullptr || words->size() != 5) return fake_dcmi::kInvalidParameter;
  auto& info = answer.query_info;
  SetUnknown(info);
  const auto number = [&](std::size_t i) {
    return fake_dcmi::ParseNumber((*words)[i]).value_or(0);
  };
  if (live) {
    request.call.Set(info.computing.vdev_aicore_utilization, "vdev_aicore_utilization", number(2));
    request.call.Set(info.computing.vdev_memory_total, "vdev_memory_total", number(3));
    request.call.Set(info.computing.vdev_memory_free, "vdev_memory_free", number(4));
    return request.Reply(answer);
  }
  request.call.SetText(info.name, "name", words->front());
  request.call.SetReal(info.computing.aic, "aic", std::strtod((*words)[1].c_str(), nullptr));
  const auto total = static_cast<unsigned long long>(number(3));
  request.call.Set(info.computing.memory_size, "memory_size",
                   static_cast<std::int64_t>(total == kNoMemory ? kNoMemory : total / kKbInMb));
  return request.Reply(answer);
}

int VnpuMade(const Request& request) { return Vnpu(request, false); }
int VnpuLive(const Request& request) { return Vnpu(request, true); }

struct Item {
  int type;
  int (*answer)(const Request&);
};
constexpr std::array<Item, 20> kItems = {{
    {fake_dcmi::InfoType(0, 0), Dvpp},
    {fake_dcmi::InfoType(0, 1), Dvpp},
    {fake_dcmi::InfoType(0, 2), Dvpp},
    {fake_dcmi::InfoType(0, 3), Dvpp},
    {fake_dcmi::InfoType(0, 4), Dvpp},
    {fake_dcmi::InfoType(0, 5), Dvpp},
    {fake_dcmi::InfoType(8, 9), Throttle},
    {fake_dcmi::InfoType(8, 10), RatedPower},
    {fake_dcmi::InfoType(11, 0), Aicores},
    {fake_dcmi::InfoType(11, 1), VectorCores},
    {fake_dcmi::InfoType(12, 1), SuperPod},
    {fake_dcmi::InfoType(16, 0), HccsStatus},
    {fake_dcmi::InfoType(16, 1), HccsLanes},
    {fake_dcmi::InfoType(16, 3), HccsCounters<fake_dcmi::HccsStatisticInfo>},
    {fake_dcmi::InfoType(16, 5), HccsCounters<fake_dcmi::HccsStatisticInfoU64>},
    {fake_dcmi::InfoType(52, 0), VnpuMade},
    {fake_dcmi::InfoType(52, 1), Vnpus},
    {fake_dcmi::InfoType(52, 2), FreeOfVnpus},
    {fake_dcmi::InfoType(52, 5), VnpuLive},
    {fake_dcmi::InfoType(56, 0), Sio},
}};

int Answer(Call call, int type, unsigned int sub_cmd, void* buffer, unsigned int* size) {
  const auto room = RoomFor(size == nullptr ? 0 : *size, static_cast<unsigned char*>(buffer));
  if (const auto code = call.ChipVerdict(room, size)) return *code;
  if (size == nullptr) return fake_dcmi::kInvalidParameter;
  for (const Item& item : kItems) {
    if (item.type == type) return item.answer({call, sub_cmd, buffer, size});
  }
  return fake_dcmi::kNotSupported;
}

}  // namespace

int dcmi_get_device_info(int card_id, int device_id, int main_cmd, unsigned int sub_cmd, void* buf,
                         unsigned int* size) {
  const int type = fake_dcmi::InfoType(main_cmd, sub_cmd);
  return Answer(Call(__func__, card_id, device_id, type), type, sub_cmd, buf, size);
}

int dcmiv2_get_device_info(int dev_id, int main_cmd, unsigned int sub_cmd, void* buf,
                           unsigned int* size) {
  const int type = fake_dcmi::InfoType(main_cmd, sub_cmd);
  return Answer(Call(__func__, fake_dcmi::Dev(dev_id), type), type, sub_cmd, buf, size);
}
