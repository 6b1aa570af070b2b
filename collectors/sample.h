// Values on their way from a collector to the publisher. Trivially copyable: samples cross a
// process border as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "hal/fixed_list.h"
#include "hal/readings.h"

namespace ascend {

struct Sample {
  std::uint16_t row;   // index into the catalogue's rows
  std::uint16_t text;  // 0: none; else where its text begins in the block's, counted from 1
  std::uint32_t key;   // member of an open set (a fault code, a link), else 0
  double value;        // of a state row: the number of the state
};

// Why a value was dropped; the label values of ascend_exporter_rejected_values_total.
enum class RejectReason : std::uint8_t { kSentinel, kOutOfRange, kInconsistent };
inline constexpr std::array<std::string_view, 3> kRejectReasonNames = {"sentinel", "out_of_range",
                                                                       "inconsistent"};

// A sample of a counter that begins again at 0 after `range`.
struct WrappingSample {
  std::size_t sample = 0;  // index into the sink's samples
  double range = 0;
};

// Takes what one collector has to say about one device. Never allocates; what does not fit is
// dropped.
class Sink {
 public:
  struct Room {
    std::span<Sample> samples;
    std::span<char> text;
    std::size_t text_begin = 0;  // where `text` lies in the block's text
  };
  // `first_row` is the catalogue's index of the collector's first row; `known` is who the device is
  // as far as it is known.
  Sink(Room room, std::size_t first_row, const DeviceIdentity& known)
      : room_(room),
        first_row_(first_row),
        traits_(known.traits),
        pci_address_(known.pci_address) {}

  // `row` counts from the collector's first row.
  void Put(std::size_t row, double value, std::uint32_t key = 0) {
    if (size_ == room_.samples.size()) return;
    room_.samples[size_++] = {static_cast<std::uint16_t>(first_row_ + row), 0, key, value};
  }
  // A counter that begins again at 0 after `range`; 0: it never does.
  void PutWrapping(std::size_t row, double value, std::uint32_t key, double range) {
    if (range > 0) wrapping_.Add({size_, range});
    Put(row, value, key);
  }
  // A series of value 1 whose text labels have these values, in their order. NULs end a value.
  void PutText(std::size_t row, std::uint32_t key, std::initializer_list<std::string_view> texts);
  void Reject(RejectReason reason, std::uint16_t count = 1) {
    rejected_[static_cast<std::size_t>(reason)] += count;
  }
  void ReportLost() { lost_ = true; }
  void ReportFaultEvents(const FixedList<std::uint32_t, kMaxFaultCodes>& codes) {
    fault_events_ = codes;
  }
  void Identify(const DeviceIdentity& identity) { identity_ = identity; }

  [[nodiscard]] ChipTraits traits() const { return traits_; }
  [[nodiscard]] std::string_view pci_address() const { return pci_address_.view(); }
  [[nodiscard]] std::span<Sample> samples() const { return room_.samples.first(size_); }
  [[nodiscard]] std::span<const WrappingSample> wrapping() const { return wrapping_.items(); }
  [[nodiscard]] std::span<const char> text() const { return room_.text.first(text_size_); }
  [[nodiscard]] const std::array<std::uint16_t, 3>& rejected() const { return rejected_; }
  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] const FixedList<std::uint32_t, kMaxFaultCodes>& fault_events() const {
    return fault_events_;
  }
  [[nodiscard]] const std::optional<DeviceIdentity>& identity() const { return identity_; }

 private:
  Room room_;
  std::size_t first_row_;
  ChipTraits traits_;
  FixedText<31> pci_address_;
  std::size_t size_ = 0;
  std::size_t text_size_ = 0;
  FixedList<WrappingSample, 128> wrapping_;
  std::array<std::uint16_t, 3> rejected_{};
  bool lost_ = false;
  FixedList<std::uint32_t, kMaxFaultCodes> fault_events_;
  std::optional<DeviceIdentity> identity_;
};

}  // namespace ascend
