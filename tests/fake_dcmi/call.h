// One call into the library: counts it, applies the rules of the data file, finds the chip.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "machine_data.h"
#include "vendor_abi.h"

namespace fake_dcmi {

// Forgets an earlier start and reads the environment (FAKE_DCMI_DATA, FAKE_DCMI_COUNTS) anew.
void ForgetSession();
// Starts the library as dcmi_init does, with the rule of who is an administrator. Returns the
// vendor's code.
int StartSession();
// What the data file says now, and which start of the library that is.
struct Snapshot {
  int session = 0;
  std::shared_ptr<const Machine> at_start;  // null before the start
  std::shared_ptr<const Machine> now;
};
Snapshot TakeSnapshot();

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
  // Sleeps or never returns where a rule says so.
  std::optional<int> Verdict();

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
  // Verdict, then the checks of what every function of a chip is given.
  std::optional<int> ChipVerdict(const void* out);

 private:
  void Count() const;
  bool HasGeneration() const;
  bool Matches(const Rule& rule) const;
  std::optional<std::int64_t> RuledNumber(const std::string& field) const;
  std::vector<const Rule*> RulesOf(const std::string& action) const;

  std::string function_;
  std::optional<int> card_;
  std::optional<int> device_id_;
  std::optional<int> type_;
  bool started_ = false;
  std::shared_ptr<const Machine> machine_;
  const Chip* chip_ = nullptr;
};

}  // namespace fake_dcmi
