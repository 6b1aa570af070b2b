#include "hal/dcmi/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

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

bool IsDeviceNumber(std::int64_t number) { return number >= 0 && number < kMaxDeviceNumber; }

std::string NameOf(DeviceAddress address) {
  return fmt::format("card {} device {}", address.card, address.chip);
}

}  // namespace

absl::StatusOr<Discovery> Enumeration::Run() {
  found_.info.backend = "dcmi";
  found_.info.library_version = VersionOf(functions_.dcmi_version);
  found_.info.driver_version = VersionOf(functions_.driver_version);
  absl::StatusOr<std::vector<int>> listed = by_card() ? ListCards() : ListLogicIds();
  if (!listed.ok()) return listed.status();
  for (const int id : *listed) by_card() ? AddCard(id) : AddLogicId(id);
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
      lacks_.Ask(Question::kDriverHealth, [&] { return functions_.driver_health(&raw); });
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

void Enumeration::AddCard(int card) {
  int count = -1;
  const int code = functions_.device_num_in_card(card, &count);
  if (code != kOk) {
    Problem(fmt::format("card {}: {}", card, Describe(functions_.device_num_in_card.name, code)),
            {functions_.device_num_in_card.name, code});
    return;
  }
  if (count < 1 || count > kMaxDevicesPerCard) {
    Problem(fmt::format("card {}: {} answers {} devices", card, functions_.device_num_in_card.name,
                        count),
            {});
    return;
  }
  for (const int device : NpusOf(card, count)) AddNpu({card, device});
}

std::vector<int> Enumeration::NpusOf(int card, int count) {
  std::vector<int> npus;
  std::string failures;
  Failure failure;
  for (int device = 0; device < kMaxDevicesPerCard; ++device) {
    if (static_cast<int>(npus.size()) == count) return npus;
    int unit = -1;
    const int code = functions_.device_type({card, device}, &unit);
    const bool untyped = IsUnsupported(code) && device < count;
    if (untyped || (code == kOk && unit == kNpuUnit)) {
      npus.push_back(device);
    } else if (code != kOk && device < count) {  // behind the last device any id is refused
      failure = {functions_.device_type.name, code};
      failures +=
          fmt::format("; device {}: {}", device, Describe(functions_.device_type.name, code));
    }
  }
  if (static_cast<int>(npus.size()) < count) {
    Problem(
        fmt::format("card {} announces {} devices, {} found{}", card, count, npus.size(), failures),
        failure);
  }
  return npus;
}

void Enumeration::AddLogicId(int logic_id) {
  const DeviceAddress address{.card = logic_id, .chip = 0};
  int unit = -1;
  const int code = functions_.device_type(address, &unit);
  if (code != kOk && !IsUnsupported(code)) {
    Problem(fmt::format("device {}: {}", logic_id, Describe(functions_.device_type.name, code)),
            {functions_.device_type.name, code});
    return;
  }
  if (code != kOk || unit == kNpuUnit) AddNumberedNpu(address, logic_id);
}

void Enumeration::AddNpu(DeviceAddress address) {
  int logic_id = -1;
  const int code = functions_.device_logic_id(&logic_id, address.card, address.chip);
  if (code != kOk || !IsDeviceNumber(logic_id)) {
    Problem(fmt::format("{}: {}", NameOf(address),
                        code != kOk ? Describe(functions_.device_logic_id.name, code)
                                    : fmt::format("{} answers {}", functions_.device_logic_id.name,
                                                  logic_id)),
            {functions_.device_logic_id.name, code});
    return;
  }
  AddNumberedNpu(address, logic_id);
}

void Enumeration::AddNumberedNpu(DeviceAddress address, int logic_id) {
  Npu npu{.address = address,
          .logic_id = logic_id,
          .physical_id = {},
          .phy_id_failure = {},
          .why_no_physical_id = {}};
  unsigned int physical_id = ~0U;
  const int code = functions_.phy_id(static_cast<unsigned int>(logic_id), &physical_id);
  if (code == kOk && IsDeviceNumber(physical_id)) {
    npu.physical_id = static_cast<std::int32_t>(physical_id);
    physical_ids_work_ = true;
  } else {
    npu.phy_id_failure = {functions_.phy_id.name, code};
    npu.why_no_physical_id =
        code != kOk ? Describe(functions_.phy_id.name, code)
                    : fmt::format("{} answers {}", functions_.phy_id.name, physical_id);
  }
  npus_.push_back(std::move(npu));
}

void Enumeration::NumberDevices() {
  const bool physical = physical_ids_work_;
  found_.info.device_id_source = physical ? "phy_id" : "logic_id";
  for (const Npu& npu : npus_) {
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
