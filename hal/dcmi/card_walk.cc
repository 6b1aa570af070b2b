#include "hal/dcmi/card_walk.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "hal/mutex.h"

namespace ascend::dcmi {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The part of the patience after which a card that waits gets a thread of its own.
constexpr int kHeldUpPart = 8;

}  // namespace

// What the walkers and the caller of Run share. Any thread.
class CardWalk::Round {
 public:
  Round(Ask ask, nanoseconds patience) : ask_(std::move(ask)), patience_(patience) {}

  [[nodiscard]] const Ask& ask() const { return ask_; }

  // Walkers: the next card to ask, if any; that one of its functions is about to be called; its
  // answer, which returns false where the walker was left behind meanwhile.
  std::optional<int> Take();
  void NoteCall(int id, const char* function);
  bool Keep(int id, CardAnswer answer);

  void Begin(const std::vector<int>& ids);
  // Waits for the cards. Returns how many are held up and need a walker; 0: it is over.
  std::size_t Wait(bool may_add_walkers);
  // Nobody is asked any more. Returns the walkers that are left behind.
  std::vector<std::thread::id> End();
  std::vector<Result> Results(const std::vector<int>& ids);

 private:
  struct Card {
    CardAnswer answer;        // the last
    bool fresh = false;       // no Run has returned it
    bool listed = false;      // by the newest Begin
    std::thread::id walker;   // who asks now
    bool left = false;        // with its walker
    const char* inside = "";  // which function
    [[nodiscard]] bool asked() const { return walker != std::thread::id(); }
  };

  [[nodiscard]] bool Found() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether there is anything to wait for.
  [[nodiscard]] bool Pending() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Ask ask_;
  const nanoseconds patience_;
  Mutex mutex_;
  std::condition_variable_any answered_;
  std::map<int, Card> cards_ ABSL_GUARDED_BY(mutex_);
  std::deque<int> queue_ ABSL_GUARDED_BY(mutex_);
  SteadyClock::time_point progress_ ABSL_GUARDED_BY(mutex_);  // when a call last returned
};

std::optional<int> CardWalk::Round::Take() {
  MutexLock lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  const int id = queue_.front();
  queue_.pop_front();
  cards_[id].walker = std::this_thread::get_id();
  return id;
}

void CardWalk::Round::NoteCall(int id, const char* function) {
  MutexLock lock(mutex_);
  cards_[id].inside = function;
  progress_ = SteadyClock::now();
}

bool CardWalk::Round::Keep(int id, CardAnswer answer) {
  MutexLock lock(mutex_);
  Card& card = cards_[id];
  card.answer = std::move(answer);
  card.fresh = true;
  card.walker = {};
  progress_ = SteadyClock::now();
  answered_.notify_all();
  return !std::exchange(card.left, false);
}

void CardWalk::Round::Begin(const std::vector<int>& ids) {
  MutexLock lock(mutex_);
  for (auto& [id, card] : cards_) card.listed = std::ranges::find(ids, id) != ids.end();
  std::erase_if(cards_,
                [](const auto& entry) { return !entry.second.listed && !entry.second.asked(); });
  for (const int id : ids) {
    Card& card = cards_[id];
    card.listed = true;
    if (!card.asked() && !card.fresh) queue_.push_back(id);
  }
  progress_ = SteadyClock::now();
}

bool CardWalk::Round::Found() const {
  return std::ranges::any_of(cards_, [](const auto& entry) {
    const Card& card = entry.second;
    return card.listed && card.fresh && !card.answer.npus.empty();
  });
}

bool CardWalk::Round::Pending() const {
  if (!queue_.empty()) return true;
  const bool found = Found();
  return std::ranges::any_of(cards_, [&](const auto& entry) {
    const Card& card = entry.second;
    return card.listed && card.asked() && !(card.left && found);
  });
}

std::size_t CardWalk::Round::Wait(bool may_add_walkers) {
  MutexLock lock(mutex_);
  while (Pending()) {
    const bool add = may_add_walkers && !queue_.empty();
    const auto until = progress_ + (add ? patience_ / kHeldUpPart : patience_);
    if (!add && !Found()) {
      answered_.wait(mutex_);
    } else if (SteadyClock::now() < until) {
      answered_.wait_until(mutex_, until);
    } else {
      return add ? queue_.size() : 0;
    }
  }
  return 0;
}

std::vector<std::thread::id> CardWalk::Round::End() {
  MutexLock lock(mutex_);
  queue_.clear();
  std::vector<std::thread::id> left;
  for (auto& [id, card] : cards_) {
    card.left = card.asked();
    if (card.left) left.push_back(card.walker);
  }
  return left;
}

std::vector<CardWalk::Result> CardWalk::Round::Results(const std::vector<int>& ids) {
  MutexLock lock(mutex_);
  std::vector<Result> results;
  for (const int id : ids) {
    Card& card = cards_[id];
    Result result{.answer = card.answer, .answers = std::exchange(card.fresh, false)};
    if (!result.answers) {
      result.answer.problems.clear();
      if (card.asked()) result.inside = card.inside;
    }
    results.push_back(std::move(result));
  }
  return results;
}

CardWalk::CardWalk(Ask ask, nanoseconds patience)
    : round_(std::make_shared<Round>(std::move(ask), patience)) {}

CardWalk::~CardWalk() = default;

void CardWalk::Walk(Round& round) {
  std::optional<int> id = round.Take();
  while (id) {
    CardAnswer answer =
        round.ask()(*id, [&](const char* function) { round.NoteCall(*id, function); });
    id = round.Keep(*id, std::move(answer)) ? round.Take() : std::nullopt;
  }
}

// False: the host or the container allows no more threads.
bool CardWalk::AddWalker() {
  try {
    walkers_.emplace_back([round = round_] { Walk(*round); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

std::vector<CardWalk::Result> CardWalk::Run(const std::vector<int>& cards) {
  round_->Begin(cards);
  bool may_add = AddWalker();
  if (!may_add) Walk(*round_);
  while (std::size_t wanted = round_->Wait(may_add)) {
    for (; wanted > 0 && may_add; --wanted) may_add = AddWalker();
  }
  const std::vector<std::thread::id> left = round_->End();
  for (std::thread& walker : walkers_) {
    if (std::ranges::find(left, walker.get_id()) != left.end()) {
      walker.detach();
    } else {
      walker.join();
    }
  }
  walkers_.clear();
  return round_->Results(cards);
}

}  // namespace ascend::dcmi
