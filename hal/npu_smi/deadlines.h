// How long the runs of npu-smi may take, of real time. A tool that resists being killed takes two
// seconds more.
#pragma once

#include <chrono>

#include "hal/clock.h"
#include "hal/npu_smi/run_gate.h"

namespace ascend::npu_smi {

// The table of all cards: a run takes about a second of a CPU on a full machine. With the killing
// it ends in two of the shortest periods, so that the cards that are asked one by one then answer
// before what was read of them is stale.
inline constexpr std::chrono::seconds kTableDeadline{8};
// A query about one card.
inline constexpr std::chrono::seconds kQueryDeadline{4};
// All queries of one reading, with their waiting for a place, beside the table.
inline constexpr std::chrono::seconds kQueriesDeadline{5};
// What a reading may take at most: table, killing, queries, killing, and room to spare.
inline constexpr std::chrono::seconds kMinDeadline{20};

inline SteadyTime QueriesGiveUp() { return std::chrono::steady_clock::now() + kQueriesDeadline; }

}  // namespace ascend::npu_smi
