#include "hal/sim/yaml_value.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "fmt/format.h"
#include "hal/driver_state.h"

namespace ascend::sim {
namespace {

constexpr std::size_t kMaxFileBytes = 8U << 20U;
constexpr std::size_t kMaxValues = 500'000;  // bounds what aliases of aliases can grow to
constexpr int kMaxDepth = 16;

// Copies the parser's tree and refuses what the parser lets through.
class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  absl::StatusOr<YamlValue> Convert(const YAML::Node& node, int depth) {
    YamlValue value;
    value.line = node.Mark().line + 1;
    if (depth > kMaxDepth || ++values_ > kMaxValues) {
      return YamlError(file_, value.line, "", "nested too deep or too large for a scenario");
    }
    absl::Status status;
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        value.kind = YamlValue::Kind::kScalar;
        value.text = node.Scalar();
        value.quoted = node.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        value.kind = YamlValue::Kind::kList;
        status = ConvertItems(node, depth, value);
        break;
      case YAML::NodeType::Map:
        value.kind = YamlValue::Kind::kMap;
        status = ConvertEntries(node, depth, value);
        break;
      case YAML::NodeType::Null:
      case YAML::NodeType::Undefined:
        break;
    }
    if (!status.ok()) return status;
    return value;
  }

 private:
  absl::Status ConvertItems(const YAML::Node& node, int depth, YamlValue& list) {
    for (const YAML::Node& child : node) {
      auto item = Convert(child, depth + 1);
      if (!item.ok()) return item.status();
      list.items.push_back(*std::move(item));
    }
    return absl::OkStatus();
  }

  absl::Status ConvertEntries(const YAML::Node& node, int depth, YamlValue& map) {
    for (const auto& child : node) {
      const int line = child.first.Mark().line + 1;
      if (!child.first.IsScalar()) {
        return YamlError(file_, line, "", "a key must be a plain word");
      }
      const std::string& key = child.first.Scalar();
      if (const YamlEntry* first = map.Find(key)) {
        return YamlError(file_, line, key,
                         fmt::format("given twice, first on line {}; keep one", first->line));
      }
      auto value = Convert(child.second, depth + 1);
      if (!value.ok()) return value.status();
      map.entries.push_back({key, line, *std::move(value)});
    }
    return absl::OkStatus();
  }

  const std::string& file_;
  std::size_t values_ = 0;
};

absl::StatusOr<YamlValue> ParseYaml(const std::string& text, const std::string& file) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() != 1) {
      return YamlError(file, 1, "",
                       fmt::format("holds {} YAML documents, want one", documents.size()));
    }
    return Converter(file).Convert(documents.front(), 0);
  } catch (const YAML::Exception& error) {
    return YamlError(file, error.mark.line + 1, "", fmt::format("not YAML: {}", error.msg));
  } catch (const std::exception& error) {
    return YamlError(file, 1, "", fmt::format("cannot be read as YAML: {}", error.what()));
  }
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("{}: is a directory, want a YAML file", path));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  std::array<char, 16384> block;
  while (stream && text.size() <= kMaxFileBytes) {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad() || (!stream && !stream.eof())) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("{}: cannot be read: {}", path,
                                   std::error_code(errno, std::generic_category()).message()));
  }
  if (text.size() > kMaxFileBytes) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("{}: larger than {} MiB", path, kMaxFileBytes >> 20U));
  }
  return text;
}

}  // namespace

const YamlEntry* YamlValue::Find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &YamlEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

absl::Status YamlError(const std::string& file, int line, const std::string& key,
                       const std::string& what) {
  return DriverError(DriverState::kInitFailed,
                     key.empty() ? fmt::format("{}:{}: {}", file, line, what)
                                 : fmt::format("{}:{}: {}: {}", file, line, key, what));
}

absl::StatusOr<YamlValue> LoadYaml(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  return ParseYaml(*text, path);
}

YamlValue MergeMaps(const YamlValue& base, const YamlValue& over) {
  YamlValue merged = base;
  merged.kind = YamlValue::Kind::kMap;
  merged.line = over.line;
  for (const YamlEntry& entry : over.entries) {
    const auto found = std::ranges::find(merged.entries, entry.key, &YamlEntry::key);
    const bool present = found != merged.entries.end();
    if (entry.value.kind == YamlValue::Kind::kNull) {
      if (present) merged.entries.erase(found);
      continue;
    }
    YamlEntry laid = entry;
    if (entry.value.kind == YamlValue::Kind::kMap) {
      laid.value = MergeMaps(present ? found->value : YamlValue(), entry.value);
    }
    if (present) {
      *found = std::move(laid);
    } else {
      merged.entries.push_back(std::move(laid));
    }
  }
  return merged;
}

}  // namespace ascend::sim
