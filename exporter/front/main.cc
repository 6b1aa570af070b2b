// ascend-exporter-front: the process that serves.
#include <string_view>

#include "exporter/front/front.h"
#include "exporter/supervisor/protocol.h"

int main(int argc, char** argv) {
  std::string_view hosts;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view option = ascend::supervisor::kHostsOption;
    if (argument.starts_with(option)) hosts = argument.substr(option.size());
  }
  return ascend::RunFront(hosts);
}
