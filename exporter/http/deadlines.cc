#include "exporter/http/deadlines.h"

namespace ascend {

void Deadlines::Enter(Tracked& connection, Phase phase) {
  if (connection.is_linked()) {
    connection.unlink();
  } else {
    size_.fetch_add(1, std::memory_order_relaxed);
  }
  connection.since_ = std::chrono::steady_clock::now();
  list(phase).push_back(connection);
}

void Deadlines::Leave(Tracked& connection) noexcept {
  if (!connection.is_linked()) return;
  connection.unlink();
  size_.fetch_sub(1, std::memory_order_relaxed);
}

void Deadlines::CloseLate() {
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < kPhases; ++i) {
    while (!lists_[i].empty() && now - lists_[i].front().since_ >= limits_[i]) {
      lists_[i].front().Close();
    }
  }
}

bool Deadlines::MakeRoom() noexcept {
  Tracked* longest = nullptr;
  for (const Phase phase : {Phase::kHead, Phase::kIdle}) {
    if (list(phase).empty()) continue;
    Tracked& first = list(phase).front();
    if (longest == nullptr || first.since_ < longest->since_) longest = &first;
  }
  // Who takes a reply at a usual pace has not been at it longest for long.
  if (longest == nullptr && !list(Phase::kReply).empty()) longest = &list(Phase::kReply).front();
  if (longest == nullptr) return false;
  longest->Close();
  return true;
}

void Deadlines::CloseAll() noexcept {
  for (List& connections : lists_) {
    while (!connections.empty()) connections.front().Close();
  }
}

}  // namespace ascend
