// The queries of npu-smi about one card or chip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "hal/npu_smi/key_values.h"
#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/query_runs.h"
#include "hal/npu_smi/topology_text.h"
#include "hal/readings.h"

namespace ascend::npu_smi {

struct ChipAt {
  DeviceAddress address;
  bool is_950 = false;  // has one chip a card and refuses -c
};

// Any thread. Errors as in hal/npu_driver.h; every answer is that of a run less than a second ago.
class ChipQueries {
 public:
  explicit ChipQueries(QueryRuns& runs) : runs_(runs) {}

  // `-t type` about the chip's card: its chips, and the MCU where it has one.
  absl::StatusOr<KeyValues> OfCard(const char* type, ChipAt at, BlockId id, SteadyTime give_up);
  // As OfCard, the block of the chip; kInternal if there is none.
  absl::StatusOr<Block> InCard(const char* type, ChipAt at, BlockId id, SteadyTime give_up);
  // `-t type -c` about the chip alone, on 950 without -c.
  absl::StatusOr<Block> OfChip(const char* type, ChipAt at, BlockId id, SteadyTime give_up);

  // About all chips. Held back as if they were a card of their own.
  absl::StatusOr<Mapping> AllChips(SteadyTime give_up);
  absl::StatusOr<TopologyMatrix> Topology(SteadyTime give_up);

 private:
  absl::StatusOr<KeyValues> Ask(Question question, BlockId id, SteadyTime give_up);

  QueryRuns& runs_;
};

}  // namespace ascend::npu_smi
