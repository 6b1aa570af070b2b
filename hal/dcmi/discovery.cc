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
  absl::StatusOr<std::vector<int>> cards = ListCards();
  if (!cards.ok()) return cards.status();
  for (const int card : *cards) AddCard(card);
  NumberDevices();
  if (!found_.devices.empty()) return std::move(found_);
  return NoDevices(cards->size());
}

absl::Status Enumeration::NoDevices(std::size_t cards) const {
  const Failure first = failures_.empty() ? Failure() : failures_.front();
  const auto same = [&](const Failure& failure) { return failure.code == first.code; };
  if (first.code != kOk && std::ranges::all_of(failures_, same)) {  // it is not a card's fault
    const absl::Status failure = InitFailure(first.function, first.code);
    return DriverError(StateOf(failure), fmt::format("none of {} cards can be used: {}", cards,
                                                     std::string(failure.message())));
  }
  return DriverError(
      DriverState::kNoDevices,
      fmt::format("{} lists {} cards and no usable NPU{}{}; see npu-smi info on the host, and run "
                  "in the host's mount namespace or in a privileged container",
                  functions_.card_list.name, cards, found_.problems.empty() ? "" : ": ",
                  found_.problems.empty() ? "" : found_.problems.front()));
}

absl::StatusOr<std::vector<int>> Enumeration::ListCards() {
  Room<std::array<int, kMaxCards>> list(Room<int>::kOnes);
  int count = -1;
  const int code = functions_.card_list(&count, list.value.data(), kMaxCards);
  if (code != kOk) return InitFailure(functions_.card_list.name, code);
  if (count < 0 || count > kMaxCards) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("{} answers {} cards, which cannot be; the driver is broken or "
                                   "not the one that the library belongs to",
                                   functions_.card_list.name, count));
  }
  std::vector<int> cards;
  for (int i = 0; i < count; ++i) {
    const int card = list.value[static_cast<std::size_t>(i)];
    if (card < 0 || std::ranges::find(cards, card) != cards.end()) {
      Problem(fmt::format("{} lists the card id {}, which is {}", functions_.card_list.name, card,
                          card < 0 ? "no id" : "there already"),
              {});
    } else {
      cards.push_back(card);
    }
  }
  return cards;
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
    const int code = functions_.device_type(card, device, &unit);
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

void Enumeration::AddNpu(DeviceAddress address) {
  Npu npu{.address = address, .physical_id = {}, .phy_id_failure = {}, .why_no_physical_id = {}};
  int logic_id = -1;
  int code = functions_.device_logic_id(&logic_id, address.card, address.chip);
  if (code != kOk || !IsDeviceNumber(logic_id)) {
    Problem(fmt::format("{}: {}", NameOf(address),
                        code != kOk ? Describe(functions_.device_logic_id.name, code)
                                    : fmt::format("{} answers {}", functions_.device_logic_id.name,
                                                  logic_id)),
            {functions_.device_logic_id.name, code});
    return;
  }
  npu.logic_id = logic_id;
  unsigned int physical_id = ~0U;
  code = functions_.phy_id(static_cast<unsigned int>(logic_id), &physical_id);
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
