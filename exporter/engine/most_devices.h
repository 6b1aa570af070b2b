// The most devices that were ever seen on this host, kept in a small file.
#pragma once

#include <optional>
#include <string>

namespace ascend {

// One thread at a time. The file is FOLDER/devices; what cannot be read or written is said once in
// the log, and the number is then that of this process alone.
class MostDevices {
 public:
  // An empty folder: no file.
  explicit MostDevices(const std::string& folder);

  // Takes how many are known now; returns the most, nothing while none was ever seen.
  std::optional<int> Update(int known);

 private:
  void Read();
  void Write();
  void Complain(const std::string& what, int error);

  const std::string path_;  // empty: no file
  int most_ = 0;
  int written_ = 0;
  bool complained_ = false;
};

}  // namespace ascend
