// Finds out in which library a thread crashed, inside of the signal handler.
#pragma once

#include <ucontext.h>

#include <span>

namespace ascend {

// Loads what the unwinder needs, so that FindCrashFrame allocates nothing. Before any crash.
void PrepareCrashFrames();

// Writes "libdcmi.so+0x1234 (dcmi_get_device_health)" into `text`, cut where that ends; see
// CrashNote::frame. `context` is the crashed thread's, as its signal handler got it; null: the
// caller's frames. The offset is from where the library is loaded, as addr2line takes it. `text`
// holds the place before the name of the function is looked up, and ends in NUL all the time.
//
// For signal handlers: no memory is allocated and no lock of this program taken. The unwinder and
// dladdr may wait for a lock of the loader, and a stack that was overwritten may make them crash.
void FindCrashFrame(const ucontext_t* context, std::span<char> text);

}  // namespace ascend
