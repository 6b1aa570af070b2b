// Checked access to a map of a YAML file: asking for a key makes it an allowed one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hal/clock.h"
#include "hal/sim/yaml_value.h"

namespace ascend::sim {

struct Bounds {
  double low = 0;
  double high = 0;
};

// Keeps the first problem of a file. Single thread.
class YamlProblems {
 public:
  explicit YamlProblems(std::string file) : file_(std::move(file)) {}
  void Add(int line, const std::string& key, const std::string& what) {
    if (first_.ok()) first_ = YamlError(file_, line, key, what);
  }
  [[nodiscard]] const absl::Status& status() const { return first_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  absl::Status first_;
};

// Every getter answers nothing for a key that is absent, and for one that is wrong, after it told
// the problems. `value` and `problems` outlive the object. Call RefuseOthers last.
class YamlFields {
 public:
  // `key` names the value in the error where it is no map.
  YamlFields(const YamlValue& value, const std::string& key, YamlProblems& problems);

  std::optional<double> Number(std::string_view key, Bounds bounds);
  std::optional<std::int64_t> Integer(std::string_view key, Bounds bounds);  // "12" or "0x0c"
  std::optional<std::string> Text(std::string_view key, std::size_t max_bytes);
  std::optional<bool> Flag(std::string_view key);
  std::optional<nanoseconds> Duration(std::string_view key);  // "1m30s"
  // The place of the text in `choices`.
  std::optional<std::size_t> Choice(std::string_view key,
                                    std::span<const std::string_view> choices);
  const YamlValue* Map(std::string_view key);
  const YamlValue* List(std::string_view key);
  const YamlValue* Any(std::string_view key);

  // Asks for a key as above and says that it must be there.
  template <typename T>
  T Required(std::string_view key, std::optional<T> value) {
    if (!value) RefuseAbsent(key);
    return value.value_or(T());
  }
  void RefuseAbsent(std::string_view key);  // no effect where the key is present
  // Refuses the value of a key, or the whole map where the key is absent.
  void Refuse(std::string_view key, const std::string& what);
  // Refuses the first key that nobody asked for.
  void RefuseOthers();

  [[nodiscard]] YamlProblems& problems() { return problems_; }

 private:
  const YamlEntry* Ask(std::string_view key);
  // The text of a plain scalar, where the key has one.
  const YamlEntry* AskPlain(std::string_view key, std::string_view wanted);
  void RefuseRange(const YamlEntry& entry, Bounds bounds);

  const YamlValue& map_;
  YamlProblems& problems_;
  std::vector<std::string> asked_;
};

// A finite number, all of the text.
std::optional<double> ParseNumber(std::string_view text);

// The known word that `word` may be a slip of, empty if none is near.
std::string NearestOf(std::string_view word, std::span<const std::string> known);

// "a, b, c".
template <typename Words>
std::string Listed(const Words& words) {
  std::string list;
  for (const auto& word : words) {
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

}  // namespace ascend::sim
