// The command `parse`: the page for outputs of the vendor's tools that somebody pasted.
#pragma once

#include "exporter/settings/settings.h"

namespace ascend {

// Prints the page that the npu-smi driver would give, and as comments before it what each text was
// taken for and the lines in it that were not understood. Returns the exit status: 1 if a file
// cannot be read or nothing was understood.
int Parse(const Invocation& invocation);

}  // namespace ascend
