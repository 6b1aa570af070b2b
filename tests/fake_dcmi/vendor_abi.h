// The functions of the vendor's C interface that this stand-in has: those of the first generation,
// where a chip is (card, device), then those of the second, where it is its logic id.
#pragma once

#include "link_structs.h"
#include "vendor_structs.h"

#pragma GCC visibility push(default)
extern "C" {

using FaultEventCallback = void (*)(fake_dcmi::Event*);

// enumeration.cc
int dcmi_init();
int dcmi_get_device_num_in_card(int card_id, int* device_num);
int dcmi_get_device_logic_id(int* device_logic_id, int card_id, int device_id);
int dcmi_get_device_chip_info(int card_id, int device_id, fake_dcmi::ChipInfo* chip_info);
int dcmi_get_device_health(int card_id, int device_id, unsigned int* health);
// card_list.cc
int dcmi_get_card_list(int* card_num, int* card_list, int list_len);
// identity.cc
int dcmi_get_dcmi_version(char* dcmi_ver, unsigned int len);
int dcmi_get_driver_version(char* driver_ver, unsigned int len);
int dcmi_get_device_type(int card_id, int device_id, int* device_type);
int dcmi_get_device_phyid_from_logicid(unsigned int logicid, unsigned int* phyid);
int dcmi_get_device_chip_info_v2(int card_id, int device_id, fake_dcmi::ChipInfoV2* chip_info);
int dcmi_get_device_board_info(int card_id, int device_id, fake_dcmi::BoardInfo* board_info);
int dcmi_get_device_die_v2(int card_id, int device_id, int input_type, fake_dcmi::DieId* die_id);
int dcmi_get_card_elabel_v2(int card_id, fake_dcmi::ElabelInfo* elabel_info);
int dcmi_get_device_pcie_info(int card_id, int device_id, fake_dcmi::PcieInfo* pcie_info);
int dcmi_get_device_pcie_info_v2(int card_id, int device_id, fake_dcmi::PcieInfoAll* pcie_info);
int dcmi_get_product_type(int card_id, int device_id, char* product_type_str, int buf_size);
int dcmi_get_mainboard_id(int card_id, int device_id, unsigned int* mainboard_id);
int dcmi_get_device_component_static_version(int card_id, int device_id, int component_type,
                                             unsigned char* version_str, unsigned int len);
// condition.cc
int dcmi_get_device_errorcode_v2(int card_id, int device_id, int* error_count,
                                 unsigned int* error_code_list, unsigned int list_len);
int dcmi_get_device_errorcode_string(int card_id, int device_id, unsigned int error_code,
                                     unsigned char* error_info, int buf_size);
int dcmi_get_device_current_fault_event(int card_id, int device_id, fake_dcmi::Event* event_buf,
                                        int input_event_buf_length, int* output_event_cnt);
int dcmi_get_driver_health(unsigned int* health);
int dcmi_get_device_compatibility(int card_id, int device_id, int* compatibility);
int dcmi_get_device_network_health(int card_id, int device_id, int* result);
// fault_events.cc
int dcmi_subscribe_fault_event(int card_id, int device_id, fake_dcmi::EventFilter filter,
                               FaultEventCallback handler);
// measurements.cc
int dcmi_get_device_temperature(int card_id, int device_id, int* temperature);
int dcmi_get_device_power_info(int card_id, int device_id, int* power);
int dcmi_mcu_get_power_info(int card_id, int* power);
int dcmi_get_device_voltage(int card_id, int device_id, unsigned int* voltage);
int dcmi_get_device_frequency(int card_id, int device_id, int input_type, unsigned int* frequency);
int dcmi_get_device_aicore_info(int card_id, int device_id, fake_dcmi::AicoreInfo* aicore_info);
int dcmi_get_device_sensor_info(int card_id, int device_id, int sensor_id,
                                fake_dcmi::SensorInfo* sensor_info);
int dcmi_get_device_fan_count(int card_id, int device_id, int* count);
int dcmi_get_device_fan_speed(int card_id, int device_id, int fan_id, int* speed);
// load_and_memory.cc
int dcmi_get_device_utilization_rate(int card_id, int device_id, int input_type,
                                     unsigned int* utilization_rate);
int dcmi_get_device_multi_utilization_rate(int card_id, int device_id,
                                           fake_dcmi::MultiUtilizationInfo* util_info);
int dcmi_get_device_dvpp_ratio_info(int card_id, int device_id, fake_dcmi::DvppRatio* usage);
int dcmi_get_device_hbm_info(int card_id, int device_id, fake_dcmi::HbmInfo* hbm_info);
int dcmi_get_device_memory_info_v3(int card_id, int device_id,
                                   fake_dcmi::MemoryInfoV3* memory_info);
int dcmi_get_device_ecc_info(int card_id, int device_id, int input_type,
                             fake_dcmi::EccInfo* device_ecc_info);
int dcmi_get_device_resource_info(int card_id, int device_id, fake_dcmi::ProcMemInfo* proc_info,
                                  int* proc_num);
// device_info.cc
int dcmi_get_device_info(int card_id, int device_id, int main_cmd, unsigned int sub_cmd, void* buf,
                         unsigned int* size);
// links.cc
int dcmi_get_hccs_link_bandwidth_info(int card_id, int device_id,
                                      fake_dcmi::HccsBandwidthInfo* hccs_bandwidth_info);
int dcmi_get_pcie_link_bandwidth_info(int card_id, int device_id,
                                      fake_dcmi::PcieBandwidthInfo* pcie_link_bandwidth_info);
int dcmi_get_device_pcie_error_cnt(int card_id, int device_id,
                                   fake_dcmi::PcieErrors* pcie_err_code_info);
int dcmi_get_topo_info_by_device_id(int card_id1, int device_id1, int card_id2, int device_id2,
                                    int* topo_type);
int dcmi_get_affinity_cpu_info_by_device_id(int card_id, int device_id, char* affinity_cpu,
                                            int* length);
// network.cc
int dcmi_get_netdev_pkt_stats_info(int card_id, int device_id, int port_id,
                                   fake_dcmi::NetworkPacketStats* network_pkt_stats_info);
int dcmi_get_rdma_bandwidth_info(int card_id, int device_id, int port_id, unsigned int prof_time,
                                 fake_dcmi::RdmaBandwidthInfo* network_rdma_bandwidth_info);

// enumeration_v2.cc
int dcmiv2_init();
int dcmiv2_get_device_list(int* device_list, int* device_cnt, int list_len);
int dcmiv2_get_all_device_count(int* all_device_count);
int dcmiv2_get_device_type(int dev_id, int* device_type);
int dcmiv2_get_chip_phy_id_by_dev_id(int dev_id, unsigned int* phyid);
int dcmiv2_get_slot_id_and_chip_id_by_dev_id(int dev_id, unsigned int* slot_id,
                                             unsigned int* chip_id);
int dcmiv2_get_device_health(int dev_id, unsigned int* health);
// identity.cc
int dcmiv2_get_dcmi_version(char* dcmi_ver, unsigned int len);
int dcmiv2_get_driver_version(char* driver_ver, unsigned int len);
int dcmiv2_get_device_chip_info(int dev_id, fake_dcmi::ChipInfoV2* chip_info);
int dcmiv2_get_device_board_info(int dev_id, fake_dcmi::BoardInfo* board_info);
int dcmiv2_get_device_die_id(int dev_id, int input_type, fake_dcmi::DieId* die_id);
int dcmiv2_get_device_elabel_info(int dev_id, fake_dcmi::ElabelInfo* elabel_info);
int dcmiv2_get_device_pcie_info(int dev_id, fake_dcmi::PcieInfoAll* pcie_info);
int dcmiv2_get_mainboard_id(int dev_id, unsigned int* mainboard_id);
int dcmiv2_get_device_component_static_version(int dev_id, int component_type,
                                               unsigned char* version_str, unsigned int len);
// condition.cc
int dcmiv2_get_device_error_code_list(int dev_id, int* error_count, unsigned int* error_code_list,
                                      unsigned int list_len);
int dcmiv2_get_device_error_info(int dev_id, unsigned int error_code, unsigned char* error_info,
                                 int buf_size);
int dcmiv2_get_device_current_fault_event(int dev_id, fake_dcmi::Event* event_buf,
                                          int input_event_buf_length, int* output_event_cnt);
int dcmiv2_get_driver_health(unsigned int* health);
int dcmiv2_get_device_compatibility(int dev_id, int* compatibility);
int dcmiv2_get_device_network_health(int dev_id, int* result);
// fault_events.cc
int dcmiv2_subscribe_fault_event(int dev_id, fake_dcmi::EventFilter filter,
                                 FaultEventCallback handler);
// measurements.cc
int dcmiv2_get_device_temperature(int dev_id, int* temperature);
int dcmiv2_get_device_power_info(int dev_id, int* power_info);
int dcmiv2_get_device_voltage(int dev_id, unsigned int* voltage);
int dcmiv2_get_device_frequency(int dev_id, int input_type, unsigned int* frequency);
int dcmiv2_get_device_aicore_info(int dev_id, fake_dcmi::AicoreInfo* aicore_info);
int dcmiv2_get_device_sensor_info(int dev_id, int sensor_id, fake_dcmi::SensorInfo* sensor_info);
// load_and_memory.cc
int dcmiv2_get_device_utilization_rate(int dev_id, int input_type, unsigned int* utilization_rate);
int dcmiv2_get_device_multi_utilization_rate(int dev_id,
                                             fake_dcmi::MultiUtilizationInfo* util_info);
int dcmiv2_get_device_hbm_info(int dev_id, fake_dcmi::HbmInfo* hbm_info);
int dcmiv2_get_device_ecc_info(int dev_id, int input_type, fake_dcmi::EccInfo* device_ecc_info);
int dcmiv2_get_device_proc_mem_info(int dev_id, fake_dcmi::ProcMemInfo* proc_info, int* proc_num);
// device_info.cc
int dcmiv2_get_device_info(int dev_id, int main_cmd, unsigned int sub_cmd, void* buf,
                           unsigned int* size);
// links.cc
int dcmiv2_get_pcie_link_bandwidth_info(int dev_id,
                                        fake_dcmi::PcieBandwidthInfo* pcie_link_bandwidth_info);
int dcmiv2_get_device_pcie_error_cnt(int dev_id, fake_dcmi::PcieErrors* pcie_err_code_info);
int dcmiv2_get_topo_info_by_device_id(int dev_id1, int dev_id2, int* topo_type);
int dcmiv2_get_affinity_cpu_info_by_dev_id(int dev_id, char* affinity_cpu, int* len);
// network.cc
int dcmiv2_get_netdev_pkt_stats_info(int dev_id, int port_id,
                                     fake_dcmi::NetworkPacketStats* network_pkt_stats_info);
int dcmiv2_get_rdma_bandwidth_info(int dev_id, int port_id, unsigned int prof_time,
                                   fake_dcmi::RdmaBandwidthInfo* network_rdma_bandwidth_info);
int dcmiv2_get_ub_port_link_status(int dev_id, fake_dcmi::UbPortLinkStatus* ub_status);
int dcmiv2_get_device_port_list_info(int dev_id, fake_dcmi::PortList* port_list_info);
int dcmiv2_get_port_pkt_stats_info(int dev_id, fake_dcmi::UbPortInfo* ub_port_info,
                                   fake_dcmi::PortPacketStats* port_pkt_stats_info);
}
#pragma GCC visibility pop
