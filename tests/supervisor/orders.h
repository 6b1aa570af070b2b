// Between a test of the supervisor and its actors.
#pragma once

#include <cstdint>

namespace ascend::supervisor {

inline constexpr char kSocketVariable[] = "ASCEND_TEST_SOCKET";
inline constexpr int kMostFds = 16;

// What an actor says first, with the descriptors themselves beside it.
struct Presence {
  int count = 0;
  int fds[kMostFds] = {};  // their numbers, those from 3 on that were open when it began
};

enum class Order : std::int32_t { kExit, kRaise, kIgnoreTerm, kLeaveOrphan };

// Answered by one byte once it is done.
struct OrderMessage {
  Order order = Order::kExit;
  std::int32_t number = 0;  // status, signal
};

}  // namespace ascend::supervisor
