// The driver behind OpenNpuSmi, with what tests set differently.
#pragma once

#include <memory>
#include <string>

#include "hal/clock.h"
#include "hal/hccn_tool.h"
#include "hal/npu_driver.h"
#include "hal/npu_smi/deadlines.h"
#include "hal/npu_smi/process.h"

namespace ascend::npu_smi {

struct DriverSetup {
  std::string tool;                           // absolute path
  nanoseconds run_deadline = kTableDeadline;  // of the table of all cards
  bool sees_host_pids = false;                // the pids that the tool prints are those of the host
  nanoseconds query_deadline = kQueryDeadline;
  HccnOptions hccn;
  std::string sysfs_root = "/sys";  // empty: nowhere
  RunTool run = RunProcess;
};

std::shared_ptr<NpuDriver> MakeDriver(DriverSetup setup, Clock& clock);

}  // namespace ascend::npu_smi
