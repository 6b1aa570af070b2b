// A library that ends its process in the ways in which a vendor's library does. Built without
// optimisation and without sanitizers, so that every function has a frame and fails by itself.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

// With CRASHING_LIBRARY_HANGS set, loading never ends; a byte to that descriptor says when it
// hangs.
[[gnu::constructor]] static void HangIfAsked() {
  const char* const descriptor = std::getenv("CRASHING_LIBRARY_HANGS");
  if (descriptor == nullptr) return;
  const ssize_t written = write(std::atoi(descriptor), "h", 1);
  for (;;) pause();
  static_cast<void>(written);
}

extern "C" {

void crashing_write_to_null() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

void crashing_inside_libc() {
  void* volatile nowhere = nullptr;
  volatile std::size_t size = 4096;
  std::memset(nowhere, 1, size);
}

void crashing_call_of_null() {
  void (*volatile nothing)() = nullptr;
  nothing();
}

void crashing_illegal_instruction() { __builtin_trap(); }

void crashing_divide() {
#if defined(__x86_64__)
  volatile int one = 1;
  volatile int zero = 0;
  volatile int result = one / zero;
  static_cast<void>(result);
#else
  std::abort();  // the processor divides by zero without a signal
#endif
}

void crashing_abort() { std::abort(); }

void crashing_exit() { std::exit(3); }

int crashing_overflow(int depth) {
  volatile char frame[16384];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : crashing_overflow(depth + 1) + frame[0];
}

void crashing_in_own_thread() { std::thread(crashing_write_to_null).join(); }

// What calls back into the program.
void crashing_callback(void (*callback)()) { callback(); }
}
