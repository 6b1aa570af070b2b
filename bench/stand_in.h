// The stand-in for the vendor's library (tests/fake_dcmi) with its sixteen 910C chips.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

inline constexpr int kStandInChips = 16;

// What it answers, in a file of its own that the end of this object removes. Each line is an item
// of tests/fake_dcmi/machine_data.h.
class StandIn {
 public:
  // `folder` is the one of the programs. A call costs next to nothing and no thread of the stand-in
  // runs, so that what is measured is not its own work; a change is seen after 20 ms.
  static absl::StatusOr<StandIn> Make(const std::string& folder,
                                      const std::vector<std::string>& lines = {});
  ~StandIn();
  StandIn(StandIn&& other) noexcept;
  StandIn& operator=(StandIn&&) = delete;

  // Adds a line for as long as the library runs, under it.
  absl::Status Add(std::string_view line);

  [[nodiscard]] std::vector<std::string> flags() const;        // of the program
  [[nodiscard]] std::vector<std::string> environment() const;  // of the program
  [[nodiscard]] const std::string& library() const { return library_; }

 private:
  StandIn(std::string library, std::string data, std::string text);
  [[nodiscard]] absl::Status Write() const;

  std::string library_, data_, text_;
};

}  // namespace ascend
