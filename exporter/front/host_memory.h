// What a driver host's memory says of its calls, for who decides about hosts. It may be a hostile
// host's: every number is checked.
#pragma once

#include "collectors/catalog.h"
#include "exporter/border/berth.h"
#include "exporter/border/topology_record.h"
#include "exporter/front/host_events.h"

namespace ascend {

// The calls of the devices of `topology` (null: the first search has not ended) under way and
// returned. `sampled` is left false. Reuses what `state` holds.
void ReadHostState(const Berth& berth, const Topology* topology, HostState& state);

// What a host that has ended was doing. `wait_status` as from waitpid(2).
HostDeath ReadHostDeath(const Berth& berth, const Catalog& catalog, int wait_status);

// One line for the log: "the driver host crashed: SIGSEGV in libdcmi.so+0x1234 while device 3 was
// asked for temperature".
std::string DescribeDeath(const Berth& berth, const HostDeath& death, const Catalog& catalog);

}  // namespace ascend
