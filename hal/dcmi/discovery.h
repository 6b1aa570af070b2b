// Finds the NPUs of the machine and how they are numbered.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/known_lacks.h"
#include "hal/npu_driver.h"

namespace ascend::dcmi {

// One enumeration; made anew for each. Blocks in the vendor's library.
class Enumeration {
 public:
  // What follows `functions` outlives the enumeration and is shared with later ones. Once the
  // library has told a physical id, a device without one is left out instead of being taken for
  // another. What the kernel driver lacks is asked once.
  Enumeration(const Functions& functions, std::atomic<bool>& physical_ids_work, DeviceLacks& lacks)
      : functions_(functions), physical_ids_work_(physical_ids_work), lacks_(lacks) {}

  absl::StatusOr<Discovery> Run();

 private:
  // A call that failed; kOk where it answered nonsense.
  struct Failure {
    const char* function = "";
    int code = kOk;
  };
  struct Npu {
    DeviceAddress address;
    std::int32_t logic_id = 0;
    std::optional<std::int32_t> physical_id;
    Failure phy_id_failure;
    std::string why_no_physical_id;
  };

  // The ids that a list of the library's has, of cards or of chips.
  absl::StatusOr<std::vector<int>> List(const Function<int*, int*, int>& function, int capacity);
  absl::StatusOr<std::vector<int>> ListCards();
  absl::StatusOr<std::vector<int>> ListLogicIds();
  void AddCard(int card);
  // The device ids of a card that are NPUs: not taken to be 0 to count-1 where the library can
  // tell.
  std::vector<int> NpusOf(int card, int count);
  void AddNpu(DeviceAddress address);
  void AddNumberedNpu(DeviceAddress address, int logic_id);
  // A device of the second interface.
  void AddLogicId(int logic_id);
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
  std::atomic<bool>& physical_ids_work_;
  DeviceLacks& lacks_;
  std::vector<Npu> npus_;
  std::vector<Failure> failures_;  // of the problems, one each
  Discovery found_;
};

}  // namespace ascend::dcmi
