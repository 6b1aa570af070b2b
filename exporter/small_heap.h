// How the C library's allocator is set for processes that live long and are small.
#pragma once

namespace ascend {

// First of all in a process. Large blocks, such as a page's text, are given back to the system when
// they are freed, and threads share the heap: no thread here allocates often enough to wait.
void KeepHeapSmall();

}  // namespace ascend
