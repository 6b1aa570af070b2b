// Memory that processes share by descriptor, and memory for itself. Errors are -1, false or null,
// with errno. All descriptors are closed by exec.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ascend::supervisor {

// `bytes` zeros that can be written, but neither be cut nor grow, nor get more seals: who reads
// them through a mapping cannot be killed by who else has the descriptor.
[[nodiscard]] int MakeShared(const char* name, std::uint64_t bytes);

// A copy that cannot be changed at all, offset 0.
[[nodiscard]] int MakeConstant(const char* name, const char* content, std::size_t bytes);

// Makes all bytes 0 and gives their pages back.
[[nodiscard]] bool Clear(int shared, std::uint64_t bytes);

// Zeros of this process, for as long as it runs. Pages that are never written to cost nothing.
[[nodiscard]] char* Reserve(std::size_t bytes);

// A zero that children share with this process, for as long as it runs.
[[nodiscard]] volatile int* ReserveSharedInts(std::size_t count);

}  // namespace ascend::supervisor
