// The chips of the machine as `npu-smi info` prints them, or one by one when that does not end.
//
// One run of `npu-smi info` asks all cards, so that one card that hangs keeps the values of all.
// When the run passes its deadline, cards are asked one by one from then on (`-t common -i N`, each
// with a deadline of its own), until a run of the whole table, which Whole starts, ends again. The
// card that hangs is held back by QueryRuns; all others are answered with what `-t common` tells:
// temperature, power and load. Which chips there are is known from the last table, else from the
// mapping (`-m`).
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "hal/mutex.h"
#include "hal/npu_smi/chip_queries.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/tool_runs.h"
#include "hal/readings.h"

namespace ascend::npu_smi {

// What is read of one chip: the chip, and the table that it is in.
struct ChipInTable {
  std::shared_ptr<const InfoTable> table;
  const Chip* chip;

  const Chip* operator->() const { return chip; }
  [[nodiscard]] ChipFamily family() const;
  [[nodiscard]] bool is_950() const;
  // Whether chips of its family never have it. Of an unknown family nothing is concluded: what one
  // table does not show, the next may.
  [[nodiscard]] bool Lacks(ChipTraits trait) const;
};

class ChipTables {
 public:
  ChipTables(ToolRuns& runs, ChipQueries& queries) : runs_(runs), queries_(queries) {}

  struct All {
    std::shared_ptr<const InfoTable> table;
    std::string problem;  // why it is not a new one; empty if it is
  };
  // Runs the whole table in any case. Discovery thread.
  absl::StatusOr<All> Whole(SteadyTime give_up);

  // Any thread. kNotFound if there is no such chip.
  absl::StatusOr<ChipInTable> Of(DeviceAddress address);

 private:
  absl::StatusOr<std::shared_ptr<const InfoTable>> Run();
  absl::StatusOr<std::shared_ptr<const InfoTable>> LastKnown(SteadyTime give_up);
  absl::StatusOr<ChipInTable> AskCard(DeviceAddress address);

  ToolRuns& runs_;
  ChipQueries& queries_;
  std::atomic<bool> one_by_one_ = false;
  Mutex mutex_;
  std::shared_ptr<const InfoTable> last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::npu_smi
