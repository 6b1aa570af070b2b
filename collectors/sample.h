// Values on their way from a collector to the publisher. Trivially copyable: samples cross a
// process border as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hal/readings.h"

namespace ascend {

struct Sample {
  std::uint16_t row = 0;  // index into the catalogue's rows
  std::uint32_t key = 0;  // member of an open set (a fault code), else 0
  double value = 0;       // of a state row: the number of the state
};

// Why a value was dropped; the label values of ascend_exporter_rejected_values_total.
enum class RejectReason : std::uint8_t { kSentinel, kOutOfRange, kInconsistent };
inline constexpr std::array<std::string_view, 3> kRejectReasonNames = {"sentinel", "out_of_range",
                                                                       "inconsistent"};

// Takes what one collector has to say about one device. Never allocates; what does not fit is
// dropped.
class Sink {
 public:
  // `first_row` is the catalogue's index of the collector's first row.
  Sink(std::span<Sample> buffer, std::size_t first_row, ChipTraits traits)
      : buffer_(buffer), first_row_(first_row), traits_(traits) {}

  // `row` counts from the collector's first row.
  void Put(std::size_t row, double value, std::uint32_t key = 0) {
    if (size_ == buffer_.size()) return;
    buffer_[size_++] = {static_cast<std::uint16_t>(first_row_ + row), key, value};
  }
  void Reject(RejectReason reason, std::uint16_t count = 1) {
    rejected_[static_cast<std::size_t>(reason)] += count;
  }
  void ReportLost() { lost_ = true; }
  void Identify(const DeviceIdentity& identity) { identity_ = identity; }

  [[nodiscard]] ChipTraits traits() const { return traits_; }
  [[nodiscard]] std::span<Sample> samples() const { return buffer_.first(size_); }
  [[nodiscard]] const std::array<std::uint16_t, 3>& rejected() const { return rejected_; }
  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] const std::optional<DeviceIdentity>& identity() const { return identity_; }

 private:
  std::span<Sample> buffer_;
  std::size_t first_row_;
  ChipTraits traits_;
  std::size_t size_ = 0;
  std::array<std::uint16_t, 3> rejected_{};
  bool lost_ = false;
  std::optional<DeviceIdentity> identity_;
};

}  // namespace ascend
