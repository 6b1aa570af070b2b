// The border at which the vendor's numbers and text become ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hal/clock.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Numbers of 32 bits that the vendor's layers put for "no value", whatever the field's width.
constexpr bool IsNoValue(std::uint64_t raw) { return raw == 0x7FFFFFFF || raw == 0xFFFFFFFF; }

// Turns raw numbers into values of one reading. A number that means "no value" or that cannot be
// true gives nothing and is counted in the reading's `refused`.
class Border {
 public:
  explicit Border(Refused& refused) : refused_(refused) {}

  std::optional<Ratio> Percent(std::uint32_t raw);
  std::optional<Celsius> Degrees(std::int32_t raw);
  std::optional<Watts> TenthsOfWatts(std::int32_t raw);
  // 0 is a value here; see UnknownIfZero.
  std::optional<Bytes> Mebibytes(std::uint64_t raw);
  std::optional<Bytes> Pages(std::uint64_t pages, std::uint64_t page_kib);
  std::optional<Bytes> Kibibytes(std::uint64_t raw);
  std::optional<Watts> Milliwatts(std::uint32_t raw);
  std::optional<Volts> HundredthsOfVolts(std::uint32_t raw);
  std::optional<Hertz> Megahertz(std::uint32_t raw);
  std::optional<Rpm> TurnsPerMinute(std::int32_t raw);
  // `unit` bytes a second. A chip that moves more than any can is refused.
  std::optional<BytesPerSecond> Flow(double raw, double unit);
  std::optional<BytesPerSecond> Flow(std::uint32_t raw, double unit);
  std::optional<Count> Events(std::uint32_t raw);
  std::optional<Count> Events16(std::uint16_t raw);
  std::optional<Count> Events64(std::uint64_t raw);
  std::optional<Count> Flag(std::int32_t raw);

  // Keeps a part only if it is no more than the whole, where both are known.
  void DropAbove(std::optional<Bytes>& part, const std::optional<Bytes>& whole);
  // A total of 0 is the vendor's way to say that reading failed.
  template <class Q>
  void UnknownIfZero(std::optional<Q>& total) {
    if (!total || total->value != 0) return;
    total.reset();
    Refuse();
  }
  void Refuse() { ++refused_.sentinel; }

 private:
  // The value, or nothing, counted, where it is none.
  template <class Q>
  std::optional<Q> Only(bool is_value, double value) {
    if (is_value) return Q{value};
    Refuse();
    return std::nullopt;
  }

  Refused& refused_;
};

// How long a call that sleeps is to sleep, within what it takes.
std::int64_t Milliseconds(nanoseconds time, std::int64_t least, std::int64_t most);

// The state of a chip or of the kernel driver; nothing where the number is none that the vendor
// documents.
std::optional<Health> HealthOf(std::uint32_t raw);

// The text of a field that need not be terminated: up to the first NUL or the end, without blanks
// around it; "NA" is the vendor's empty.
std::string TextOf(std::span<const char> field);
std::string TextOf(std::span<const unsigned char> field);

}  // namespace ascend::dcmi
