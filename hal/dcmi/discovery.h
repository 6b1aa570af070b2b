// Finds the NPUs of the machine and how they are numbered.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/dcmi/card_walk.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/known_lacks.h"
#include "hal/npu_driver.h"

namespace ascend::dcmi {

// What enumerations share with later ones.
struct EnumerationMemory {
  CardWalk& cards;
  // Once the library has told a physical id, a device without one is left out instead of being
  // taken for another.
  std::atomic<bool>& physical_ids_work;
  DeviceLacks& lacks;  // what the kernel driver lacks is asked once
};

// One enumeration; made anew for each. Blocks in the vendor's library, but not for a single card
// that hangs while another answers (card_walk.h): that one is a problem, and the devices that it
// had stay.
class Enumeration {
 public:
  // `functions` and what `memory` names outlive the enumeration.
  Enumeration(const Functions& functions, const EnumerationMemory& memory, nanoseconds patience)
      : functions_(functions), memory_(memory), patience_(patience) {}

  absl::StatusOr<Discovery> Run();

 private:
  // The ids that a list of the library's has, of cards or of chips.
  absl::StatusOr<std::vector<int>> List(const Function<int*, int*, int>& function, int capacity);
  absl::StatusOr<std::vector<int>> ListCards();
  absl::StatusOr<std::vector<int>> ListLogicIds();
  void AskCards(const std::vector<int>& ids);
  [[nodiscard]] std::string WhyNoAnswer(int id, const CardWalk::Result& result) const;
  void NumberDevices();
  [[nodiscard]] std::optional<Health> DriverHealth() const;
  // Why there is no device though the library answered.
  [[nodiscard]] absl::Status NoDevices(std::size_t listed) const;
  [[nodiscard]] bool by_card() const { return functions_.init.interface == Interface::kV1; }
  void Problem(std::string line, const Failure& failure) {
    found_.problems.push_back(std::move(line));
    failures_.push_back(failure);
  }

  const Functions& functions_;
  const EnumerationMemory memory_;
  const nanoseconds patience_;
  std::vector<NumberedNpu> npus_;
  std::vector<Failure> failures_;  // of the problems of cards that answered, one each
  Discovery found_;
};

}  // namespace ascend::dcmi
