// How often operator new was called. Linking allocations.cc replaces it in the whole program.
#pragma once

#include <cstdint>

namespace ascend {

// Of the calling thread since it began.
std::uint64_t Allocations();

}  // namespace ascend
