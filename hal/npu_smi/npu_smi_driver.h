// The driver behind OpenNpuSmi, with what tests set differently.
#pragma once

#include <memory>
#include <string>

#include "hal/clock.h"
#include "hal/npu_driver.h"

namespace ascend::npu_smi {

struct DriverSetup {
  std::string tool;  // absolute path
  nanoseconds run_deadline = std::chrono::seconds(10);
  bool sees_host_pids = false;  // the pids that the tool prints are those of the host
};

std::shared_ptr<NpuDriver> MakeDriver(DriverSetup setup, Clock& clock);

}  // namespace ascend::npu_smi
