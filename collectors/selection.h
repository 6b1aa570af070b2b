// Which collectors run, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "collectors/catalog.h"

namespace ascend {

std::vector<const Collector*> DefaultCollectors();

// With every collector and option on.
std::shared_ptr<const Catalog> EverythingCatalog();

// The catalogue in which the default collectors run, with those of `enable` and without those of
// `disable`. All collectors have their numbers in it, so that two processes, or one before and
// after a change of its settings, mean the same by them. The names are those of collectors and of
// rows' options. An error names what is wrong.
absl::StatusOr<std::shared_ptr<const Catalog>> SelectedCatalog(
    std::span<const std::string> enable, std::span<const std::string> disable);

}  // namespace ascend
