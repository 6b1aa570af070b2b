// One fuzz target: a parser that is fed any bytes. libFuzzer calls it, and so does a plain test
// with the files of its corpus.
#pragma once

#include <cstddef>
#include <cstdint>

// Always 0; what is wrong shows as a crash, a sanitizer's report or a failed check.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
