// What one card says of its NPUs and their numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hal/dcmi/functions.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// A call that failed; kOk where it answered nonsense.
struct Failure {
  const char* function = "";
  int code = kOk;
};

struct NumberedNpu {
  DeviceAddress address;
  std::int32_t logic_id = 0;
  std::optional<std::int32_t> physical_id;
  // Why there is none.
  Failure phy_id_failure;
  std::string why_no_physical_id;
};

struct CardProblem {
  std::string line;
  Failure failure;
};

struct CardAnswer {
  std::vector<NumberedNpu> npus;
  std::vector<CardProblem> problems;
};

// Told the name of each function before it is called.
using OnCall = std::function<void(const char* function)>;

// `id` is a card, or a logic id of the second interface. Blocks in the vendor's library.
CardAnswer AskCard(const Functions& functions, int id, const OnCall& on_call);

// As problems name a device.
std::string NameOf(DeviceAddress address);

}  // namespace ascend::dcmi
