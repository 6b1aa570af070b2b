// Why a value differs between the two pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exporter/compat/page_index.h"
#include "exporter/compat/vendor_table.h"

namespace ascend {

struct Explanation {
  bool known = true;  // false: nothing accounts for it
  std::string words;
};

// Of two values that differ. `row` may be null: a name that the table does not have.
Explanation ExplainValues(const VendorName* row, double there, double here);

// Of a series that only the npu-exporter has. `here_has_name`: other series of the name are here.
Explanation ExplainOnlyThere(const VendorName* row, const PageSample& sample, bool here_has_name);

// Of a series that only this program has.
Explanation ExplainOnlyHere(const VendorName& row, double here);

// Of a label that says who a chip is.
Explanation ExplainLabel(std::string_view label, std::string_view there, std::string_view here);

// A number as the page prints it.
std::string NumberText(double value);

std::string ToleranceText(Motion motion);

}  // namespace ascend
