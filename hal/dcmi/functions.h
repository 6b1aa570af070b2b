// The functions of libdcmi.so that this driver calls, found by name in one loaded library.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "hal/dcmi/abi.h"
#include "hal/dcmi/return_code.h"

namespace ascend::dcmi {

// A function of the library; `address` is null where the library does not have it.
struct Symbol {
  const char* name = "";
  void* address = nullptr;
};

// Calling it may block for as long as the kernel driver likes. Any thread; never with a lock held.
template <class... Arguments>
struct Function : Symbol {
  int operator()(Arguments... arguments) const {
    if (address == nullptr) return kNoSuchSymbol;
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }
};

// Outputs come first where the vendor puts them first.
struct Functions {
  Function<> init;
  Function<char*, unsigned int> dcmi_version;
  Function<char*, unsigned int> driver_version;
  Function<int*, int*, int> card_list;           // count, cards, capacity
  Function<int, int*> device_num_in_card;        // card, count
  Function<int, int, int*> device_type;          // card, device, unit
  Function<int*, int, int> device_logic_id;      // logic id, card, device
  Function<unsigned int, unsigned int*> phy_id;  // logic id, physical id

  Function<int, int, ChipInfoV2*> chip_info_v2;
  Function<int, int, ChipInfo*> chip_info;
  Function<int, int, BoardInfo*> board_info;
  Function<int, int, int, DieId*> die_v2;
  Function<int, ElabelInfo*> card_elabel_v2;
  Function<int, int, PcieInfoAll*> pcie_info_v2;
  Function<int, int, int, unsigned char*, unsigned int> component_version;  // of one component

  Function<int, int, unsigned int*> health;
  Function<int, int, int*, unsigned int*, unsigned int> errorcode_v2;  // count, codes, capacity
  Function<int, int, int*> temperature;
  Function<int, int, int*> power_info;
  Function<int, int*> mcu_power_info;  // of a card
  Function<int, int, MultiUtilizationInfo*> multi_utilization_rate;
  Function<int, int, int, unsigned int*> utilization_rate;
  Function<int, int, HbmInfo*> hbm_info;
  Function<int, int, MemoryInfoV3*> memory_info_v3;
  Function<int, int, int, EccInfo*> ecc_info;
  Function<int, int, ProcMemInfo*, int*> resource_info;  // 32 entries, count
};

// Fills the table from a handle of dlopen. kSymbolMissing, with the name, where a function without
// which nothing works is not there; `path` names the library in the error.
absl::Status Resolve(void* handle, const std::string& path, Functions& functions);

}  // namespace ascend::dcmi
