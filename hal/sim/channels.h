// What noise is drawn for, so that no two quantities of a chip move alike.
#pragma once

#include <cstdint>

namespace ascend::sim {

// Channels of ChipPhysics::NoiseAt. Those that stand for a list have room up to the next.
enum Channel : std::uint64_t {
  kAiCpu,
  kCtrlCpu,
  kBandwidth,
  kVoltage,
  kOpticalVoltage,
  kFirstAicore = 100,
  kFirstVectorCore = 200,
  kFirstMedia = 300,
  kFirstFan = 400,
  kFirstLane = 1'000,  // of optical modules, by direction and place
  kFirstVnpu = 10'000,
};

}  // namespace ascend::sim
