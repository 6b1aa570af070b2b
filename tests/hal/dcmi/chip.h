// One chip for a test, in either interface of the stand-in library, with numbers that differ
// everywhere, so that what is mixed up shows.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "fake_machine.h"

namespace ascend {

// The parameter is the interface, 1 or 2.
class DcmiChipTest : public testing::TestWithParam<int> {
 protected:
  static constexpr int kPhysicalId = 5;

  DcmiChipTest() {
    machine_.Add("generation " + std::to_string(GetParam()));
    machine_.Add("chip 5 3 1 2");
    Set("chip_name 910B3");
    Set("die 1 2 3 4 5");
    driver_ = machine_.Open();
  }
  void Set(const std::string& key_and_values) { machine_.Add("set 5 " + key_and_values); }
  void Rule(const std::string& rule) { machine_.Add("rule " + rule); }
  // The library's name for a function that only differs in what stands in front.
  [[nodiscard]] std::string Named(const std::string& function) const {
    return (second() ? "dcmiv2_" : "dcmi_") + function;
  }
  [[nodiscard]] bool second() const { return GetParam() == 2; }
  [[nodiscard]] DeviceAddress at() const {
    return second() ? DeviceAddress{.card = 2, .chip = 0} : DeviceAddress{.card = 3, .chip = 1};
  }

  FakeMachine machine_{""};
  std::shared_ptr<NpuDriver> driver_;
};

inline std::string NameOfInterface(const testing::TestParamInfo<int>& test) {
  return test.param == 1 ? "V1" : "V2";
}

}  // namespace ascend
