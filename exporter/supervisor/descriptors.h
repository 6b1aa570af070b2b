// The descriptors that the process inherited.
#pragma once

namespace ascend::supervisor {

// /dev/null as standard input, and in the place of standard output and standard error where these
// are closed. False with errno. Before anything else is opened.
[[nodiscard]] bool ReserveStandardStreams();

// Closes all from `first` on. Before any that are wanted are opened.
void CloseFrom(int first);

}  // namespace ascend::supervisor
