#include "hal/dcmi/card.h"

#include <fmt/format.h>

#include <utility>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/return_code.h"

namespace ascend::dcmi {
namespace {

bool IsDeviceNumber(std::int64_t number) { return number >= 0 && number < kMaxDeviceNumber; }

// One card's calls, in order.
class Questions {
 public:
  Questions(const Functions& functions, const OnCall& on_call)
      : functions_(functions), on_call_(on_call) {}

  void AddCard(int card);
  void AddLogicId(int logic_id);
  CardAnswer TakeAnswer() { return std::move(answer_); }

 private:
  template <class Function, class... Arguments>
  int Call(const Function& function, Arguments... arguments) {
    on_call_(function.name);
    return function(arguments...);
  }
  // The device ids of a card that are NPUs: not taken to be 0 to count-1 where the library can
  // tell.
  std::vector<int> NpusOf(int card, int count);
  void AddNpu(DeviceAddress address);
  void AddNumberedNpu(DeviceAddress address, int logic_id);
  void Problem(std::string line, const Failure& failure) {
    answer_.problems.push_back({std::move(line), failure});
  }

  const Functions& functions_;
  const OnCall& on_call_;
  CardAnswer answer_;
};

void Questions::AddCard(int card) {
  int count = -1;
  const int code = Call(functions_.device_num_in_card, card, &count);
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

std::vector<int> Questions::NpusOf(int card, int count) {
  std::vector<int> npus;
  std::string failures;
  Failure failure;
  for (int device = 0; device < kMaxDevicesPerCard; ++device) {
    if (static_cast<int>(npus.size()) == count) return npus;
    int unit = -1;
    const int code = Call(functions_.device_type, DeviceAddress{card, device}, &unit);
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

void Questions::AddLogicId(int logic_id) {
  const DeviceAddress address{.card = logic_id, .chip = 0};
  int unit = -1;
  const int code = Call(functions_.device_type, address, &unit);
  if (code != kOk && !IsUnsupported(code)) {
    Problem(fmt::format("device {}: {}", logic_id, Describe(functions_.device_type.name, code)),
            {functions_.device_type.name, code});
    return;
  }
  if (code != kOk || unit == kNpuUnit) AddNumberedNpu(address, logic_id);
}

void Questions::AddNpu(DeviceAddress address) {
  int logic_id = -1;
  const int code = Call(functions_.device_logic_id, &logic_id, address.card, address.chip);
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

void Questions::AddNumberedNpu(DeviceAddress address, int logic_id) {
  NumberedNpu npu{.address = address,
                  .logic_id = logic_id,
                  .physical_id = {},
                  .phy_id_failure = {},
                  .why_no_physical_id = {}};
  unsigned int physical_id = ~0U;
  const int code = Call(functions_.phy_id, static_cast<unsigned int>(logic_id), &physical_id);
  if (code == kOk && IsDeviceNumber(physical_id)) {
    npu.physical_id = static_cast<std::int32_t>(physical_id);
  } else {
    npu.phy_id_failure = {functions_.phy_id.name, code};
    npu.why_no_physical_id =
        code != kOk ? Describe(functions_.phy_id.name, code)
                    : fmt::format("{} answers {}", functions_.phy_id.name, physical_id);
  }
  answer_.npus.push_back(std::move(npu));
}

}  // namespace

std::string NameOf(DeviceAddress address) {
  return fmt::format("card {} device {}", address.card, address.chip);
}

CardAnswer AskCard(const Functions& functions, int id, const OnCall& on_call) {
  Questions questions(functions, on_call);
  if (functions.init.interface == Interface::kV1) {
    questions.AddCard(id);
  } else {
    questions.AddLogicId(id);
  }
  return questions.TakeAnswer();
}

}  // namespace ascend::dcmi
