// The vendor's structs about faults.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascend::dcmi {

inline constexpr std::int32_t kFaultEvent = 0;  // dcmi_event_type: the event is a DmsFaultEvent
// `assertion` of an event: the fault ended, began, or happened and was over.
inline constexpr unsigned char kFaultOver = 0;
inline constexpr unsigned char kFaultBegan = 1;
inline constexpr unsigned char kFaultHappened = 2;

struct DmsFaultEvent {
  std::uint32_t event_id;  // the fault code
  std::uint16_t deviceid;
  unsigned char node_type;
  unsigned char node_id;
  unsigned char sub_node_type;
  unsigned char sub_node_id;
  unsigned char severity;  // 0 warning, 1 minor, 2 major, 3 critical
  unsigned char assertion;
  std::int32_t event_serial_num;
  std::int32_t notify_serial_num;
  std::uint64_t alarm_raised_time;
  char event_name[256];
  char additional_info[32];
  unsigned char os_id;
  unsigned char resv_1[1];
  std::uint16_t node_type_ex;
  std::uint16_t sub_node_type_ex;
  unsigned char resv_2[2];
  unsigned char resv[24];
};
static_assert(sizeof(DmsFaultEvent) == 352 && offsetof(DmsFaultEvent, event_id) == 0);
static_assert(offsetof(DmsFaultEvent, deviceid) == 4 && offsetof(DmsFaultEvent, node_type) == 6);
static_assert(offsetof(DmsFaultEvent, node_id) == 7);
static_assert(offsetof(DmsFaultEvent, sub_node_type) == 8);
static_assert(offsetof(DmsFaultEvent, sub_node_id) == 9);
static_assert(offsetof(DmsFaultEvent, severity) == 10);
static_assert(offsetof(DmsFaultEvent, assertion) == 11);
static_assert(offsetof(DmsFaultEvent, event_serial_num) == 12);
static_assert(offsetof(DmsFaultEvent, notify_serial_num) == 16);
static_assert(offsetof(DmsFaultEvent, alarm_raised_time) == 24);
static_assert(offsetof(DmsFaultEvent, event_name) == 32);
static_assert(offsetof(DmsFaultEvent, additional_info) == 288);
static_assert(offsetof(DmsFaultEvent, os_id) == 320 && offsetof(DmsFaultEvent, resv_1) == 321);
static_assert(offsetof(DmsFaultEvent, node_type_ex) == 322);
static_assert(offsetof(DmsFaultEvent, sub_node_type_ex) == 324);
static_assert(offsetof(DmsFaultEvent, resv_2) == 326 && offsetof(DmsFaultEvent, resv) == 328);

struct Event {
  std::int32_t type;
  DmsFaultEvent fault;  // the only member of the vendor's union
};
static_assert(sizeof(Event) == 360 && offsetof(Event, type) == 0 && offsetof(Event, fault) == 8);

struct EventFilter {
  std::uint64_t filter_flag;  // 0: every event
  std::uint32_t event_id;
  unsigned char severity;
  unsigned char node_type;
  unsigned char resv[32];
};
static_assert(sizeof(EventFilter) == 48 && offsetof(EventFilter, filter_flag) == 0);
static_assert(offsetof(EventFilter, event_id) == 8 && offsetof(EventFilter, severity) == 12);
static_assert(offsetof(EventFilter, node_type) == 13 && offsetof(EventFilter, resv) == 14);

using EventCallback = void (*)(Event*);

}  // namespace ascend::dcmi
