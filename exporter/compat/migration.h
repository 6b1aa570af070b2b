// docs/migration.md and docs/migration.zh-CN.md, made from the table of names.
#pragma once

#include <span>
#include <string>

#include "exporter/compat/words.h"

namespace ascend {

std::string MigrationDocument(Language language);

// Where the compatibility page is not what the npu-exporter prints, and why.
std::span<const Words> Deviations();

}  // namespace ascend
