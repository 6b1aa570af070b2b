// Where the vendor's library and the libraries of the driver that it needs may lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ascend::dcmi {

// The candidates for libdcmi.so in the order of their trial: the folders of LD_LIBRARY_PATH, the
// vendor's usual folders, and the same below /host/usr/local where a container mounts the host's.
std::vector<std::string> LibraryCandidates();

// The folders with the driver's other libraries: that of the library itself, then the vendor's
// usual.
std::vector<std::string> DependencyFolders(std::string_view library);

}  // namespace ascend::dcmi
