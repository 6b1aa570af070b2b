// Asks all cards who they are, so that one whose call hangs does not hide the others.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "hal/clock.h"
#include "hal/dcmi/card.h"

namespace ascend::dcmi {

// One thread asks card after card. Where a card holds it up, each of those that wait gets a thread
// of its own. What has not answered when no call has returned for `patience`, in real time, is left
// behind with its thread and not asked again until that call has returned: one thread a card at
// most.
class CardWalk {
 public:
  // May be called on several threads at once, and go on after the object is gone: it owns or shares
  // all that it touches.
  using Ask = std::function<CardAnswer(int card, const OnCall& on_call)>;
  CardWalk(Ask ask, nanoseconds patience);
  ~CardWalk();
  CardWalk(const CardWalk&) = delete;
  CardWalk& operator=(const CardWalk&) = delete;

  struct Result {
    // Of a card that does not answer: the NPUs that it had when it last did.
    CardAnswer answer;
    bool answers = true;
    const char* inside = nullptr;  // which function; null: no thread could be had to ask
  };
  // One for each card. A card that answered after it was left behind has that answer taken, once.
  // As long as no card has answered with an NPU this waits without a limit, since then it is not a
  // card that hangs but the library. One call at a time.
  std::vector<Result> Run(const std::vector<int>& cards);

 private:
  class Round;
  static void Walk(Round& round);
  bool AddWalker();

  const std::shared_ptr<Round> round_;
  std::vector<std::thread> walkers_;  // of the Run in progress
};

}  // namespace ascend::dcmi
