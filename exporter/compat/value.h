// Numbers in the npu-exporter's units.
#pragma once

#include <optional>

#include "exporter/compat/plan.h"

namespace ascend {

// None where what it is made of is unknown.
std::optional<double> VendorValue(const CompatPlan::Family& family,
                                  const CompatPlan::Series& series, Values values);

// The decimal that is meant: what a conversion of units left behind the fifteenth digit is cut off.
double MeantDecimal(double value);

}  // namespace ascend
