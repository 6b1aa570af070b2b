// The functions of libdcmi.so that this driver calls, found by name in one loaded library.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "hal/dcmi/abi.h"
#include "hal/dcmi/abi_chip.h"
#include "hal/dcmi/abi_faults.h"
#include "hal/dcmi/abi_links.h"
#include "hal/dcmi/abi_network.h"
#include "hal/dcmi/return_code.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// The two interfaces that a library may have, one for each generation of chips. The first names a
// chip by card and device; the second, for 950, by one number, the logic id, which stands in the
// `card` of a DeviceAddress here, with chip 0.
enum class Interface : std::uint8_t { kV1, kV2 };

// A function of the library; `address` is null where the library does not have it.
struct Symbol {
  const char* name = "";
  void* address = nullptr;
  Interface interface = Interface::kV1;

 protected:
  template <class... Arguments>
  int Call(Arguments... arguments) const {
    if (address == nullptr) return kNoSuchSymbol;
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }
};

// Calling it may block for as long as the kernel driver likes. Any thread; never with a lock held.
template <class... Arguments>
struct Function : Symbol {
  int operator()(Arguments... arguments) const { return Call<Arguments...>(arguments...); }
};

// The same of a chip, whose address comes first, as the interface names it.
template <class... Arguments>
struct DeviceFunction : Symbol {
  int operator()(DeviceAddress at, Arguments... arguments) const {
    if (interface == Interface::kV2) return Call<int, Arguments...>(at.card, arguments...);
    return Call<int, int, Arguments...>(at.card, at.chip, arguments...);
  }
};

// The same of two chips.
template <class... Arguments>
struct PairFunction : Symbol {
  int operator()(DeviceAddress a, DeviceAddress b, Arguments... arguments) const {
    if (interface == Interface::kV2)
      return Call<int, int, Arguments...>(a.card, b.card, arguments...);
    return Call<int, int, int, int, Arguments...>(a.card, a.chip, b.card, b.chip, arguments...);
  }
};

// Called by the names that the first interface has for them. Outputs come first where the vendor
// puts them first.
struct Functions {
  Function<> init;
  Function<char*, unsigned int> dcmi_version;
  Function<char*, unsigned int> driver_version;
  Function<unsigned int*> driver_health;
  Function<int*, int*, int> card_list;           // count, cards, capacity; not in V2
  Function<int, int*> device_num_in_card;        // card, count; not in V2
  Function<int*, int, int> device_logic_id;      // logic id, card, device; not in V2
  Function<int*, int*, int> device_list;         // logic ids, count, capacity; only in V2
  Function<unsigned int, unsigned int*> phy_id;  // logic id, physical id
  DeviceFunction<int*> device_type;

  DeviceFunction<ChipInfoV2*> chip_info_v2;
  DeviceFunction<ChipInfo*> chip_info;
  DeviceFunction<BoardInfo*> board_info;
  DeviceFunction<int, DieId*> die_v2;
  Function<int, ElabelInfo*> card_elabel_v2;  // of a card; in V2 of a chip
  DeviceFunction<PcieInfoAll*> pcie_info_v2;
  DeviceFunction<int, unsigned char*, unsigned int> component_version;  // of one component

  DeviceFunction<unsigned int*> health;
  DeviceFunction<int*, unsigned int*, unsigned int> errorcode_v2;  // count, codes, capacity
  DeviceFunction<unsigned int, unsigned char*, int> errorcode_string;
  DeviceFunction<Event*, int, int*> current_fault_event;  // events, capacity, count
  DeviceFunction<EventFilter, EventCallback> subscribe_fault_event;
  DeviceFunction<int*> compatibility;

  DeviceFunction<int*> temperature;
  DeviceFunction<int*> power_info;
  Function<int, int*> mcu_power_info;  // of a card
  DeviceFunction<unsigned int*> voltage;
  DeviceFunction<int, unsigned int*> frequency;
  DeviceFunction<AicoreInfo*> aicore_info;
  DeviceFunction<int, SensorInfo*> sensor_info;
  DeviceFunction<int*> fan_count;
  DeviceFunction<int, int*> fan_speed;  // fan, rpm
  DeviceFunction<MultiUtilizationInfo*> multi_utilization_rate;
  DeviceFunction<int, unsigned int*> utilization_rate;
  DeviceFunction<DvppRatio*> dvpp_ratio_info;

  DeviceFunction<HbmInfo*> hbm_info;
  DeviceFunction<MemoryInfoV3*> memory_info_v3;
  DeviceFunction<int, EccInfo*> ecc_info;
  DeviceFunction<ProcMemInfo*, int*> resource_info;  // 32 entries, count

  DeviceFunction<int, unsigned int, void*, unsigned int*> device_info;  // an InfoItem, size in, out
  PairFunction<int*> topo_info;
  DeviceFunction<char*, int*> affinity_cpu_info;  // the length only comes out
  DeviceFunction<HccsBandwidthInfo*> hccs_link_bandwidth_info;
  DeviceFunction<ChipPcieErrRate*> pcie_error_cnt;
  DeviceFunction<PcieLinkBandwidthInfo*> pcie_link_bandwidth_info;

  DeviceFunction<int*> network_health;
  DeviceFunction<int, NetworkPktStatsInfo*> netdev_pkt_stats_info;                   // port
  DeviceFunction<int, unsigned int, NetworkRdmaBandwidthInfo*> rdma_bandwidth_info;  // port, ms
  DeviceFunction<PortListInfo*> port_list_info;                                      // only in V2
  DeviceFunction<UbPortLinkStatus*> ub_port_link_status;                             // only in V2
  DeviceFunction<UbPortInfo*, PortPktStatsInfo*> port_pkt_stats_info;                // only in V2
};

// Whether the library has the interface at all: the function that initialises it.
bool Has(void* handle, Interface interface);

// Fills the table with one interface from a handle of dlopen. kSymbolMissing, with the name, where
// a function without which nothing works is not there; `path` names the library in the error.
absl::Status Resolve(void* handle, const std::string& path, Interface interface,
                     Functions& functions);

}  // namespace ascend::dcmi
