// The border at which the vendor's numbers and text become ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hal/readings.h"

namespace ascend::dcmi {

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
  std::optional<Count> Events(std::uint32_t raw);
  std::optional<Count> Flag(std::int32_t raw);

  // Keeps a part only if it is no more than the whole, where both are known.
  void DropAbove(std::optional<Bytes>& part, const std::optional<Bytes>& whole);
  // A total of 0 is the vendor's way to say that reading failed.
  void UnknownIfZero(std::optional<Bytes>& total);
  void Refuse() { ++refused_.sentinel; }

 private:
  Refused& refused_;
};

// The text of a field that need not be terminated: up to the first NUL or the end, without blanks
// around it; "NA" is the vendor's empty.
std::string TextOf(std::span<const char> field);
std::string TextOf(std::span<const unsigned char> field);

}  // namespace ascend::dcmi
