// What hccn_tool prints, one reader for each of its queries. Any bytes give an answer; what is not
// understood is absent and listed. Chips before 950 print "key : value" lines, 950 also tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

enum class LinkState : std::uint8_t { kUp, kDown, kPartial };

struct HccnLink {  // -link
  std::optional<LinkState> state;
  UnknownLines unknown;
};
HccnLink ParseHccnLink(std::string_view text);

struct HccnText {  // -net_health, -fec: one text, as printed
  std::string value;
  UnknownLines unknown;
};
HccnText ParseHccnHealth(std::string_view text);
HccnText ParseHccnFec(std::string_view text);

struct HccnAddress {  // -ip, -vnic
  std::string address, netmask;
  std::optional<LinkState> link;  // -vnic only
  bool not_set = false;           // the tool says that no address was configured
  UnknownLines unknown;
};
HccnAddress ParseHccnAddress(std::string_view text);

struct LinkRecord {
  bool up = false;
  std::string time;
  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};
struct HccnLinkHistory {  // -link_stat
  std::optional<double> up_count, down_count;
  std::vector<LinkRecord> records;  // the newest first
  UnknownLines unknown;
};
HccnLinkHistory ParseHccnLinkHistory(std::string_view text);

struct HccnCounters {  // -stat, -bit_err, -port_info: names with whole numbers
  std::vector<std::pair<std::string, std::uint64_t>> values;
  UnknownLines unknown;

  [[nodiscard]] std::optional<std::uint64_t> Find(std::string_view name) const;
};
HccnCounters ParseHccnCounters(std::string_view text);

struct HccnOpticalLane {
  std::uint32_t lane = 0;
  std::optional<double> transmit_milliwatts, receive_milliwatts, host_snr_db, media_snr_db;
  friend bool operator==(const HccnOpticalLane&, const HccnOpticalLane&) = default;
};
struct HccnOptical {            // -optical
  std::optional<bool> present;  // as printed: readings beside "not present" occur
  std::optional<double> celsius, millivolts;
  std::optional<double> transmit_low_milliwatts, receive_low_milliwatts;
  std::optional<std::uint64_t> transmit_loss_flags, receive_loss_flags;  // a bit for each lane
  std::vector<HccnOpticalLane> lanes;
  UnknownLines unknown;
};
HccnOptical ParseHccnOptical(std::string_view text);

struct HccnBandwidth {  // -bandwidth
  std::optional<double> transmit_mb_per_second, receive_mb_per_second;
  UnknownLines unknown;
};
HccnBandwidth ParseHccnBandwidth(std::string_view text);

struct HccnSpeed {                         // -speed
  std::optional<std::int32_t> udie, port;  // 950
  std::optional<double> megabits_per_second;
  std::string capability, width, status;  // 950: "X4", "X4", "normal"
  UnknownLines unknown;
};
HccnSpeed ParseHccnSpeed(std::string_view text);

struct HccnPort {
  std::uint32_t udie = 0;
  std::uint32_t port = 0;
  std::optional<double> gigabits_per_second;
  std::string type;  // "UB", "ETH"
  std::optional<LinkState> link;
  std::string media;
  friend bool operator==(const HccnPort&, const HccnPort&) = default;
};
struct HccnPorts {  // -dev_info (950)
  std::vector<HccnPort> ports;
  UnknownLines unknown;
};
HccnPorts ParseHccnPorts(std::string_view text);

struct HccnConnection {  // -ub_connect (950)
  std::optional<LinkState> state;
  std::vector<std::pair<std::uint32_t, LinkState>> ports;
  UnknownLines unknown;
};
HccnConnection ParseHccnConnection(std::string_view text);

// That no address was configured, in the words of the tool.
bool SaysNoAddress(std::string_view text);

}  // namespace ascend::npu_smi
