// What the readers of hccn_tool's texts share.
#pragma once

#include <optional>
#include <string_view>

#include "hal/npu_smi/hccn_text.h"
#include "hal/npu_smi/key_values.h"
#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

// "UP", "DOWN", "PARTIAL UP", "PARTIAL LINK"; nothing for other words.
std::optional<LinkState> LinkStateOf(std::string_view word);

// As SplitPair, without the device that some versions print before the key.
std::optional<KeyValue> SplitHccnPair(std::string_view line);

// Calls `read` with the pair of every line; lines without a pair, and pairs for which `read`
// returns false, are unknown.
template <typename Read>
void ForEachPair(std::string_view text, UnknownLines& unknown, const Read& read) {
  ForEachLine(text, unknown, [&](std::string_view line) {
    const std::optional<KeyValue> pair = SplitHccnPair(line);
    if (!pair || !read(*pair)) unknown.Add(line);
  });
}

}  // namespace ascend::npu_smi
