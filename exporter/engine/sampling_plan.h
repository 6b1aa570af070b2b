// When each group is sampled and when its values are too old to show.
#pragma once

#include <algorithm>
#include <array>

#include "collectors/collector.h"
#include "hal/clock.h"
#include "hal/npu_driver.h"

namespace ascend {

struct GroupPlan {
  nanoseconds period{0};
  nanoseconds deadline{0};     // of one call
  nanoseconds stale_after{0};  // age at which values leave the page
};

struct SamplingPlan {
  std::array<GroupPlan, kGroups> groups;
  nanoseconds window{0};  // of the extremes

  [[nodiscard]] const GroupPlan& operator[](Group group) const {
    return groups[static_cast<std::size_t>(group)];
  }
};

struct SamplingOptions {
  // In the order of the groups.
  std::array<nanoseconds, kGroups> periods = {std::chrono::seconds(1),  std::chrono::seconds(1),
                                              std::chrono::seconds(5),  std::chrono::seconds(15),
                                              std::chrono::seconds(30), std::chrono::seconds(60)};
  std::array<nanoseconds, kGroups> deadlines = {std::chrono::seconds(1),  std::chrono::seconds(1),
                                                std::chrono::seconds(2),  std::chrono::seconds(5),
                                                std::chrono::seconds(10), std::chrono::seconds(10)};
  nanoseconds window = std::chrono::seconds(60);
};

// The plan for a driver with these limits: three periods make a value stale, two seconds at least.
inline SamplingPlan MakePlan(const SamplingOptions& options, const DriverLimits& limits) {
  SamplingPlan plan;
  plan.window = options.window;
  for (std::size_t i = 0; i < kGroups; ++i) {
    GroupPlan& group = plan.groups[i];
    group.period = std::max(options.periods[i], limits.min_period);
    group.deadline = std::max(options.deadlines[i], limits.min_deadline);
    group.stale_after = std::max<nanoseconds>(3 * group.period, std::chrono::seconds(2));
  }
  return plan;
}

}  // namespace ascend
