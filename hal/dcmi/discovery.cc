#include "hal/dcmi/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/init_failure.h"
#include "hal/dcmi/return_code.h"
#include "hal/dcmi/vendor_values.h"
#include "hal/driver_state.h"

namespace ascend::dcmi {
namespace {

constexpr unsigned int kVersionLength = 64;

std::string VersionOf(const Function<char*, unsigned int>& function) {
  Room<std::array<char, kVersionLength>> version(Room<char>::kZeros);
  if (function(version.value.data(), kVersionLength) != kOk) return "";
  return TextOf(std::span<const char>(version.value));
}

}  // namespace

absl::StatusOr<Discovery> Enumeration::Run() {
  found_.info.backend = "dcmi";
  found_.info.library_version = VersionOf(functions_.dcmi_version);
  found_.info.driver_version = VersionOf(functions_.driver_version);
  absl::StatusOr<std::vector<int>> listed = by_card() ? ListCards() : ListLogicIds();
  if (!listed.ok()) return listed.status();
  AskCards(*listed);
  NumberDevices();
  if (found_.devices.empty()) return NoDevices(listed->size());
  found_.driver_health = DriverHealth();
  return std::move(found_);
}

absl::Status Enumeration::NoDevices(std::size_t listed) const {
  const Failure first = failures_.empty() ? Failure() : failures_.front();
  const auto same = [&](const Failure& failure) { return failure.code == first.code; };
  const char* things = by_card() ? "cards" : "devices";
  if (first.code != kOk && std::ranges::all_of(failures_, same)) {  // it is not a card's fault
    const absl::Status failure = InitFailure(first.function, first.code);
    return DriverError(StateOf(failure), fmt::format("none of {} {} can be used: {}", listed,
                                                     things, std::string(failure.message())));
  }
  const char* list = by_card() ? functions_.card_list.name : functions_.device_list.name;
  return DriverError(
      DriverState::kNoDevices,
      fmt::format("{} lists {} {} and no usable NPU{}{}; see npu-smi info on the host, and run "
                  "in the host's mount namespace or in a privileged container",
                  list, listed, things, found_.problems.empty() ? "" : ": ",
                  found_.problems.empty() ? "" : found_.problems.front()));
}

// Absent where the kernel driver is not asked or does not answer: no problem of a device.
std::optional<Health> Enumeration::DriverHealth() const {
  unsigned int raw = ~0U;
  const int code =
      memory_.lacks.Ask(Question::kDriverHealth, [&] { return functions_.driver_health(&raw); });
  if (code != kOk) return std::nullopt;
  return HealthOf(raw).value_or(Health::kUnknown);
}

absl::StatusOr<std::vector<int>> Enumeration::ListCards() {
  return List(functions_.card_list, kMaxCards);
}

// In the second interface the list comes before its length.
absl::StatusOr<std::vector<int>> Enumeration::ListLogicIds() {
  return List(functions_.device_list, kMaxDevices);
}

absl::StatusOr<std::vector<int>> Enumeration::List(const Function<int*, int*, int>& function,
                                                   int capacity) {
  Room<std::array<int, kMaxDevices>> list(Room<int>::kOnes);
  int count = -1;
  const int code = by_card() ? function(&count, list.value.data(), capacity)
                             : function(list.value.data(), &count, capacity);
  if (code != kOk) return InitFailure(function.name, code);
  const char* thing = by_card() ? "card" : "device";
  if (count < 0 || count > capacity) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("{} answers {} {}s, which cannot be; the driver is broken or "
                                   "not the one that the library belongs to",
                                   function.name, count, thing));
  }
  std::vector<int> ids;
  for (int i = 0; i < count; ++i) {
    const int id = list.value[static_cast<std::size_t>(i)];
    if (id < 0 || std::ranges::find(ids, id) != ids.end()) {
      Problem(fmt::format("{} lists the {} id {}, which is {}", function.name, thing, id,
                          id < 0 ? "no id" : "there already"),
              {});
    } else {
      ids.push_back(id);
    }
  }
  return ids;
}

void Enumeration::AskCards(const std::vector<int>& ids) {
  std::vector<CardWalk::Result> results = memory_.cards.Run(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CardWalk::Result& result = results[i];
    if (!result.answers) found_.problems.push_back(WhyNoAnswer(ids[i], result));
    for (CardProblem& problem : result.answer.problems) {
      Problem(std::move(problem.line), problem.failure);
    }
    for (NumberedNpu& npu : result.answer.npus) {
      if (npu.physical_id) memory_.physical_ids_work = true;
      npus_.push_back(std::move(npu));
    }
  }
}

std::string Enumeration::WhyNoAnswer(int id, const CardWalk::Result& result) const {
  const std::string why = result.inside == nullptr
                              ? "no thread can be started to ask it"
                              : fmt::format("{} has not returned after {:g} s", result.inside,
                                            std::chrono::duration<double>(patience_).count());
  return fmt::format("{} {}: {}; it is {}", by_card() ? "card" : "device", id, why,
                     result.answer.npus.empty() ? "left out" : "taken to be as before");
}

void Enumeration::NumberDevices() {
  const bool physical = memory_.physical_ids_work;
  found_.info.device_id_source = physical ? "phy_id" : "logic_id";
  for (const NumberedNpu& npu : npus_) {
    if (physical && !npu.physical_id) {
      Problem(fmt::format("{}: {}", NameOf(npu.address), npu.why_no_physical_id),
              npu.phy_id_failure);
      continue;
    }
    found_.devices.push_back({.address = npu.address,
                              .device = physical ? *npu.physical_id : npu.logic_id,
                              .logic_id = npu.logic_id});
  }
}

}  // namespace ascend::dcmi
