#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/hccn_lines.h"
#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/refusal.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/topology_text.h"
#include "hal/vendor_text.h"

namespace ascend {
namespace {

using npu_smi::Has;

constexpr std::array<std::string_view, 35> kNames = {"unknown",
                                                     "refusal",
                                                     "npu-smi info",
                                                     "npu-smi info -l",
                                                     "npu-smi info -m",
                                                     "npu-smi info -t common",
                                                     "npu-smi info -t usages",
                                                     "npu-smi info -t memory",
                                                     "npu-smi info -t temp",
                                                     "npu-smi info -t power",
                                                     "npu-smi info -t health",
                                                     "npu-smi info -t ecc",
                                                     "npu-smi info -t board",
                                                     "npu-smi info -t product",
                                                     "npu-smi info -t sensors",
                                                     "npu-smi info -t sio",
                                                     "npu-smi info -t spod-info",
                                                     "npu-smi info -t pcie-err",
                                                     "npu-smi info -t fault-event",
                                                     "npu-smi info -t hccs",
                                                     "npu-smi info -t proc-mem",
                                                     "npu-smi info -t topo",
                                                     "npu-smi info watch",
                                                     "hccn_tool -link",
                                                     "hccn_tool -link_stat",
                                                     "hccn_tool -stat",
                                                     "hccn_tool -optical",
                                                     "hccn_tool -net_health",
                                                     "hccn_tool -ip",
                                                     "hccn_tool -fec",
                                                     "hccn_tool -bandwidth",
                                                     "hccn_tool -speed",
                                                     "hccn_tool -bit_err",
                                                     "hccn_tool -dev_info",
                                                     "hccn_tool -ub_connect"};

struct Sign {
  std::string_view key;  // of a pair
  VendorText form;
};
// The first that is in a text decides: keys that only one query has come before those that several
// have.
constexpr std::array kSigns = std::to_array<Sign>({
    {"hccs health status", VendorText::kHccs},
    {"xlink health status", VendorText::kHccs},
    {"hccs tx packets", VendorText::kHccs},
    {"xlink tx packets", VendorText::kHccs},
    {"Health", VendorText::kHealth},
    {"Health Status", VendorText::kHealth},
    {"Error Code", VendorText::kHealth},
    {"Fault Event Count", VendorText::kFaultEvents},
    {"Fault Event Information", VendorText::kFaultEvents},
    {"Process id", VendorText::kProcesses},
    {"Super Pod ID", VendorText::kSuperPod},
    {"SDID", VendorText::kSuperPod},
    {"Lcrc Error Count", VendorText::kPcieErrors},
    {"Ecrc Error Count", VendorText::kPcieErrors},
    {"TX Error Count", VendorText::kSio},
    {"RX Error Count", VendorText::kSio},
    {"Soc Max Temperature (C)", VendorText::kSensors},
    {"NDIE Temperature (C)", VendorText::kSensors},
    {"Product Type", VendorText::kProduct},
    {"Board ID", VendorText::kBoard},
    {"PCIe Bus Info", VendorText::kBoard},
    {"Firmware Version", VendorText::kBoard},
    {"Compatibility", VendorText::kBoard},
    {"Chip Version", VendorText::kBoard},
    {"HBM Single Bit Error Count", VendorText::kEcc},
    {"DDR Single Bit Error Count", VendorText::kEcc},
    {"HBM Double Bit Error Count", VendorText::kEcc},
    {"DDR Double Bit Error Count", VendorText::kEcc},
    {"Aicore Freq(MHZ)", VendorText::kCommon},
    {"Aicore curFreq(MHZ)", VendorText::kCommon},
    {"DDR Usage Rate(%)", VendorText::kUsages},
    {"Aicpu Usage Rate(%)", VendorText::kUsages},
    {"Ctrlcpu Usage Rate(%)", VendorText::kUsages},
    {"Memory Bandwidth Usage Rate(%)", VendorText::kUsages},
    {"Memory Usage Rate(%)", VendorText::kCommon},
    {"HBM Clock Speed(MHz)", VendorText::kMemory},
    {"DDR Clock Speed(MHz)", VendorText::kMemory},
    {"HBM Temperature(C)", VendorText::kMemory},
    {"Total DDR Capacity(MB)", VendorText::kMemory},
    {"Clock Speed(MHz)", VendorText::kMemory},
    {"NPU Temperature (C)", VendorText::kTemperature},
    {"Temperature (C)", VendorText::kTemperature},
    {"NPU Real-time Power(W)", VendorText::kPower},
    {"Power Dissipation(W)", VendorText::kPower},
    {"Rated Power Dissipation(W)", VendorText::kPower},
    {"Total Count", VendorText::kCardList},
    {"Card Count", VendorText::kCardList},
    {"net health status", VendorText::kHccnHealth},
    {"fec mode", VendorText::kHccnFec},
    {"link up count", VendorText::kHccnLinkHistory},
    {"link change records", VendorText::kHccnLinkHistory},
    {"ipaddr", VendorText::kHccnAddress},
    {"vnic ipaddr", VendorText::kHccnAddress},
    {"Bandwidth TX", VendorText::kHccnBandwidth},
    {"Bandwidth RX", VendorText::kHccnBandwidth},
    {"Speed", VendorText::kHccnSpeed},
    {"present", VendorText::kHccnOptical},
    {"Vcc", VendorText::kHccnOptical},
    {"st_fec_err_bit_num", VendorText::kHccnBitErrors},
    {"packet statistics", VendorText::kHccnCounters},
});

struct Text {
  std::set<std::string, std::less<>> keys;
  bool ports = false;  // keys "port <n>"
  std::string_view first_line;
  VendorText table = VendorText::kUnknown;
};

VendorText TableOf(std::string_view line) {
  const auto row = npu_smi::SplitRow(line);
  if (!row) return VendorText::kUnknown;
  for (std::size_t cell = 0; cell < row->count; ++cell) {
    const std::string_view title = (*row)[cell];
    if (title == "Link_Status") return VendorText::kHccnLinkHistory;
    if (title == "UdieID") return VendorText::kHccnPorts;
    if (title == "Speed" && (*row)[0] == "NPU") return VendorText::kHccnSpeed;
    if (title == "Bus-Id" || title == "Name" || Has(title, "Name") ||
        title.starts_with("npu-smi ")) {
      return VendorText::kInfo;
    }
  }
  return VendorText::kUnknown;
}

Text Look(std::string_view text) {
  constexpr std::size_t kMaxKeys = 4096;
  Text look;
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = npu_smi::Trim(npu_smi::TakeLine(text, ended));
    if (line.empty()) continue;
    if (look.first_line.empty()) look.first_line = line;
    if (look.table == VendorText::kUnknown) look.table = TableOf(line);
    const auto pair = npu_smi::SplitHccnPair(line);
    if (!pair || look.keys.size() >= kMaxKeys) continue;
    look.ports = look.ports || (pair->key.starts_with("port ") && pair->key != "port_id");
    look.keys.insert(pair->key);
  }
  return look;
}

VendorText ByKeys(const Text& look) {
  for (const Sign& sign : kSigns) {
    if (look.keys.contains(sign.key)) return sign.form;
  }
  if (look.ports) return VendorText::kHccnConnection;
  if (look.keys.contains("link status")) return VendorText::kHccnLink;
  if (look.keys.contains("vnic link status")) return VendorText::kHccnAddress;
  for (const std::string_view prefix : {"mac_", "roce_", "nic_", "ub_"}) {
    const auto key = look.keys.lower_bound(prefix);
    if (key != look.keys.end() && key->starts_with(prefix)) return VendorText::kHccnCounters;
  }
  return look.keys.contains("NPU ID") ? VendorText::kCardList : VendorText::kUnknown;
}

}  // namespace

VendorText Identify(std::string_view text) {
  const Text look = Look(text);
  if (look.table != VendorText::kUnknown) return look.table;
  if (look.first_line.starts_with("NpuID(Idx)")) return VendorText::kWatch;
  if (look.first_line.starts_with("NPU ID") && Has(look.first_line, "Chip Name")) {
    return VendorText::kMapping;
  }
  if (Has(text, "No process in device.")) return VendorText::kProcesses;
  if (!npu_smi::RefusalIn(text).ok()) return VendorText::kRefusal;
  if (const VendorText form = ByKeys(look); form != VendorText::kUnknown) return form;
  if (!npu_smi::ParseTopology(text).rows.empty()) return VendorText::kTopology;
  // A table that lost its head.
  if (!npu_smi::ParseInfoTable(text).chips.empty()) return VendorText::kInfo;
  return VendorText::kUnknown;
}

std::string_view NameOf(VendorText form) { return kNames[static_cast<std::size_t>(form)]; }

}  // namespace ascend
