// One call into the library: counts it, applies the rules of the data file, finds the chip. Lives
// as long as the exported function runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "garbage.h"
#include "machine_data.h"
#include "session.h"
#include "vendor_abi.h"

namespace fake_dcmi {

struct LogicId {
  unsigned int value = 0;
};
// A chip as the second generation's functions name it.
inline LogicId Dev(int dev_id) { return {static_cast<unsigned int>(dev_id)}; }

class Call {
 public:
  // A call without an address, of a card, or of a chip, with an input type where the function has
  // one.
  explicit Call(const char* function);
  Call(const char* function, LogicId logic_id, std::optional<int> type = {});
  Call(const char* function, int card);
  Call(const char* function, int card, int device_id, std::optional<int> type = {});

  // What the function returns before it looks at its arguments, by the rules; nothing: go on.
  // Sleeps, never returns or ends the process where a rule says so. `outs`: all that the function
  // may write to, as pointers or Rooms.
  template <class... Out>
  std::optional<int> Verdict(Out... outs) {
    return VerdictOf(std::array<Room, sizeof...(outs)>{RoomOf(outs)...});
  }
  // Verdict, then the checks of what every function of a chip is given; `out` must not be null.
  template <class Out, class... More>
  std::optional<int> ChipVerdict(Out out, More... more) {
    if (const auto code = Verdict(out, more...)) return code;
    return CheckChip(RoomOf(out).at);
  }

  // The chip; null where the library is not started or has no such chip.
  [[nodiscard]] const Chip* chip() const { return chip_; }
  [[nodiscard]] const Machine& machine() const { return *machine_; }
  [[nodiscard]] bool started() const { return started_; }

  // Stores an answer, or what a rule puts in its place.
  template <class T>
  void Set(T& out, const char* field, std::int64_t value) const {
    out = static_cast<T>(RuledNumber(field).value_or(value));
  }
  template <class T>
  void SetReal(T& out, const char* field, double value) const {
    const auto ruled = RuledNumber(field);
    out = static_cast<T>(ruled ? static_cast<double>(*ruled) : value);
  }
  // The elements of an array; a field of a rule names the array.
  template <class T, std::size_t N, class Value>
  void SetAll(T (&out)[N], const char* field, const std::vector<Value>& values) const {
    for (std::size_t i = 0; i < N; ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        SetReal(out[i], field, i < values.size() ? values[i] : 0);
      } else {
        Set(out[i], field, i < values.size() ? values[i] : 0);
      }
    }
  }
  // Text that fills the field has no end, as with the vendor.
  void SetText(std::span<char> out, const char* field, const std::string& text) const;
  void SetText(std::span<unsigned char> out, const char* field, const std::string& text) const;

  // The common body of a function that answers one number, `key` of the chip.
  template <class T>
  int AnswerNumber(const std::string& key, T* out, const char* field) {
    if (const auto code = ChipVerdict(out)) return *code;
    const auto value = chip_->Number(key);
    if (!value && !RuledNumber(field)) return kNotSupported;
    Set(*out, field, value.value_or(0));
    return kOk;
  }

 private:
  Call(const char* function, std::optional<LogicId> logic_id, std::optional<int> card,
       std::optional<int> device_id, std::optional<int> type);
  void Enter();
  void FindRules();
  void Count(CallCounts& counts) const;
  [[nodiscard]] CountName NameForDevice(std::string_view prefix) const;
  std::optional<int> VerdictOf(std::span<const Room> outs);
  void TakeTime() const;
  void WaitWhileHung();
  void CrashIfTold() const;
  std::optional<int> CheckChip(const void* out) const;
  [[nodiscard]] bool HasGeneration() const;
  [[nodiscard]] bool Matches(const Rule& rule) const;
  [[nodiscard]] std::optional<std::int64_t> RuledNumber(const char* field) const {
    return rules_.empty() ? std::nullopt : NumberOfRules(field);
  }
  [[nodiscard]] std::optional<std::int64_t> NumberOfRules(std::string_view field) const;
  // The last rule with that action for this call; null where there is none.
  [[nodiscard]] const Rule* RuleOf(Action action) const;

  std::string_view function_;
  std::optional<LogicId> logic_id_;
  std::optional<int> card_;
  std::optional<int> device_id_;
  std::optional<int> type_;
  std::unique_lock<std::mutex> one_lock_;  // held to the end, where calls exclude each other
  bool started_ = false;
  std::shared_ptr<const Machine> machine_;
  std::vector<const Rule*> rules_;  // of the machine's, those for this call
  const Chip* chip_ = nullptr;
};

}  // namespace fake_dcmi
