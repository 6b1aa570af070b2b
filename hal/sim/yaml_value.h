// A YAML document as plain values that remember their lines. The parser's own types and exceptions
// end in yaml_value.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend::sim {

struct YamlEntry;

struct YamlValue {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  bool quoted = false;  // a scalar in quotes is text, whatever it looks like
  int line = 1;
  std::string text;
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  // in the order of the file, no key twice

  // The entry of the key, or nullptr.
  [[nodiscard]] const YamlEntry* Find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  int line = 1;  // of the key
  YamlValue value;
};

// "FILE:LINE: key: what is wrong, what is allowed", as the error of an open. An empty key is left
// out.
absl::Status YamlError(const std::string& file, int line, const std::string& key,
                       const std::string& what);

// Reads the one document of a file. May block on the file.
absl::StatusOr<YamlValue> LoadYaml(const std::string& path);

// `over` laid on `base`, map by map; a null in `over` removes the key. Both are maps.
YamlValue MergeMaps(const YamlValue& base, const YamlValue& over);

}  // namespace ascend::sim
