// Time as the engine and the simulated driver see it: the machine's, or a virtual one in which an
// hour passes in a fraction of a second and every run of the same program gives the same order of
// events.
#pragma once

#include <chrono>
#include <memory>

#include "absl/time/time.h"

namespace ascend {

// Of whichever clock; comparable only with times of the same one.
using Mono = std::chrono::steady_clock::time_point;
using std::chrono::nanoseconds;

// What a thread sleeps on. At most one thread waits at a time; Ring may be called from any thread.
class Alarm {
 public:
  virtual ~Alarm() = default;
  // Returns when `deadline` is reached or the alarm was rung since the last return, whichever is
  // first.
  virtual void WaitUntil(Mono deadline) = 0;
  virtual void Ring() = 0;
};

// All methods may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Mono Now() = 0;
  virtual absl::Time Wall() = 0;  // only labels data; never compared with a deadline
  virtual std::unique_ptr<Alarm> MakeAlarm() = 0;

  // Marks a thread that lives by this clock, so that virtual time stands still while it works. The
  // creator of a thread takes the token and moves it into the thread, which keeps it to its end.
  class Participant {
   public:
    virtual ~Participant() = default;
  };
  virtual std::unique_ptr<Participant> Join() = 0;
};

// The machine's time since it booted, suspension included (CLOCK_BOOTTIME), and its wall clock.
// Equal in all processes of a machine.
Clock& RealClock();

// The moment of a deadline of RealClock as the C++ library's steady clock has it, for waits.
Mono ToSteady(Mono deadline);

}  // namespace ascend
