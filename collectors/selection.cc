#include "collectors/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "collectors/all.h"

namespace ascend {
namespace {

// Without these nothing can be said of a device.
bool IsNeeded(const Collector& collector) {
  return &collector == &kIdentityCollector || &collector == &kHealthCollector;
}

// Everything that can be switched, and whether it is on by default.
std::map<std::string, bool> Switches() {
  std::map<std::string, bool> switches;
  for (const Collector* collector : AllCollectors()) {
    if (!IsNeeded(*collector)) {
      switches[std::string(collector->name)] = collector->by_default == Default::kOn;
    }
    for (const Row& row : collector->rows) {
      if (!row.spec.option.empty()) switches[std::string(row.spec.option)] = false;
    }
  }
  return switches;
}

absl::Status Flip(std::span<const std::string> names, bool on,
                  std::map<std::string, bool>& switches) {
  for (const std::string& name : names) {
    const auto known = switches.find(name);
    if (known == switches.end()) {
      std::vector<std::string> all;
      for (const auto& [other, unused] : switches) all.push_back(other);
      return absl::InvalidArgumentError(fmt::format(
          "--collectors.{}: there is no collector \"{}\" that can be switched; there are "
          "{}",
          on ? "enable" : "disable", name, fmt::join(all, ", ")));
    }
    known->second = on;
  }
  return absl::OkStatus();
}

std::shared_ptr<const Catalog> MakeCatalog(const std::map<std::string, bool>& switches) {
  std::vector<const Collector*> collectors(AllCollectors().begin(), AllCollectors().end());
  std::set<const Collector*> silent;
  for (const Collector* collector : collectors) {
    if (!IsNeeded(*collector) && !switches.at(std::string(collector->name))) {
      silent.insert(collector);
    }
  }
  std::set<std::string> options;
  for (const auto& [name, on] : switches) {
    if (on) options.insert(name);
  }
  return std::make_shared<const Catalog>(std::move(collectors), options, silent);
}

}  // namespace

std::vector<const Collector*> DefaultCollectors() {
  std::vector<const Collector*> collectors;
  std::ranges::copy_if(AllCollectors(), std::back_inserter(collectors),
                       [](const Collector* c) { return c->by_default == Default::kOn; });
  return collectors;
}

absl::StatusOr<std::shared_ptr<const Catalog>> SelectedCatalog(
    std::span<const std::string> enable, std::span<const std::string> disable) {
  std::map<std::string, bool> switches = Switches();
  if (absl::Status status = Flip(enable, true, switches); !status.ok()) return status;
  for (const std::string& name : disable) {
    if (std::ranges::find(enable, name) != enable.end()) {
      return absl::InvalidArgumentError(fmt::format(
          "collector \"{}\" is in --collectors.enable and in --collectors.disable", name));
    }
  }
  if (absl::Status status = Flip(disable, false, switches); !status.ok()) return status;
  return MakeCatalog(switches);
}

std::shared_ptr<const Catalog> EverythingCatalog() {
  std::map<std::string, bool> switches = Switches();
  for (auto& [name, on] : switches) on = true;
  return MakeCatalog(switches);
}

}  // namespace ascend
