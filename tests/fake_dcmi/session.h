// The state of the library: one per process, as the vendor's. Any thread.
#pragma once

#include <memory>
#include <mutex>

#include "call_counts.h"
#include "machine_data.h"

namespace fake_dcmi {

// Forgets an earlier start and reads the environment (FAKE_DCMI_DATA, FAKE_DCMI_COUNTS) anew.
void ForgetSession();
// Starts the library as dcmi_init does, with the rule of who is an administrator. Returns the
// vendor's code.
int StartSession();

// What a call has to know. As old as the data file allows (its line "recheck").
struct View {
  std::shared_ptr<const Machine> machine;
  std::shared_ptr<CallCounts> counts;  // null: nobody wants calls counted
  bool started = false;
};
View Look();
// The data file as it is at this moment.
std::shared_ptr<const Machine> MachineNow();

// Where rules count their calls: with all others, or in a table that nobody reads.
std::shared_ptr<CallCounts> RuleCounts();

// Waits until no other call holds what this returns.
std::unique_lock<std::mutex> WaitForTheOneLock();

// What the data file says now, and which start of the library that is.
struct Snapshot {
  int session = 0;
  std::shared_ptr<const Machine> at_start;  // null before the start
  std::shared_ptr<const Machine> now;
};
Snapshot TakeSnapshot();

}  // namespace fake_dcmi
