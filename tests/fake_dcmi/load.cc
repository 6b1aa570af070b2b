// What the rules for the function "dlopen" do while the library is loaded. Where there are none,
// loading leaves no trace in the counts.
#include <cstdlib>
#include <fstream>
#include <string>

#include "call.h"
#include "session.h"

namespace {

bool HasRuleForLoading(const char* path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("rule dlopen ")) return true;
  }
  return false;
}

[[gnu::constructor]] void OnLoad() {
  const char* path = std::getenv("FAKE_DCMI_DATA");
  if (path == nullptr || !HasRuleForLoading(path)) return;
  (void)fake_dcmi::Call("dlopen").Verdict();
  fake_dcmi::ForgetSession();
}

}  // namespace
