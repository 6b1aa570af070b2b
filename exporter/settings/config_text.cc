#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <exception>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "exporter/settings/quoted.h"
#include "exporter/settings/setting_table.h"
#include "exporter/settings/settings.h"

namespace ascend {
namespace {

std::string Join(std::string_view section, std::string_view name) {
  return section.empty() ? std::string(name) : fmt::format("{}.{}", section, name);
}

// A key of the file and where it stands.
struct Key {
  std::string section;  // "sampling"; empty at the top
  std::string name;     // "fast_period"
  int line;             // from 1

  [[nodiscard]] std::string path() const { return Join(section, name); }
};

// The setting that stands under `name` in `section` (empty: at the top).
const Setting* FindSetting(std::string_view section, std::string_view name) {
  if (name.empty() || name.find('.') != std::string_view::npos) return nullptr;
  const std::string path = Join(section, name);
  for (const Setting& setting : AllSettings()) {
    if (FileKey(setting) == path) return &setting;
  }
  return nullptr;
}

// What may stand at the top (`section` empty) or in a section; empty if there is no such section.
std::vector<std::string> NamesIn(std::string_view section) {
  const std::string prefix = Join(section, "");
  std::vector<std::string> names;
  for (const Setting& setting : AllSettings()) {
    const std::string key = FileKey(setting);
    if (key.empty() || key.rfind(prefix, 0) != 0) continue;
    const std::string rest = key.substr(prefix.size());
    std::string name = rest.substr(0, rest.find('.'));
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return names;
}

std::string UnknownKey(const Key& key) {
  const std::string_view name = key.name;
  const std::string_view before_point = name.substr(0, name.find('.'));
  if (key.section.empty() && before_point != name && !NamesIn(before_point).empty()) {
    return fmt::format("unknown key; write what is behind the point below {}:", before_point);
  }
  const std::vector<std::string> names = NamesIn(key.section);
  const std::string_view nearest = Nearest(name, {names.begin(), names.end()});
  if (nearest.empty()) return "unknown key; ascend-exporter --help lists all keys";
  return fmt::format("unknown key; did you mean {}?", nearest);
}

int LineOf(const YAML::Node& node) { return node.Mark().line + 1; }

// Lays the nodes of one file over the settings. Lives as long as one call of ApplyConfigText.
class ConfigReader {
 public:
  ConfigReader(const std::string& path, Settings& settings) : path_(path), settings_(settings) {}

  absl::Status ReadMap(const YAML::Node& map, const std::string& section) {
    std::map<std::string, int> lines;  // yaml-cpp keeps both of two equal keys
    for (const auto& entry : map) {
      const int line = LineOf(entry.first);
      if (!entry.first.IsScalar()) {
        return Error(line, section, "has a key that is no plain text; write name: value");
      }
      const Key key{section, entry.first.Scalar(), line};
      const auto [first, is_new] = lines.emplace(key.name, line);
      if (!is_new) {
        return Error(line, key.path(),
                     fmt::format("was set in line {} already; keep one", first->second));
      }
      if (absl::Status status = ReadEntry(key, entry.second); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status Error(int line, std::string_view key, std::string_view problem) const {
    const std::string where =
        line > 0 ? fmt::format("{}:{}", OneLine(path_), line) : OneLine(path_);
    return absl::InvalidArgumentError(
        key.empty() ? fmt::format("{}: {}", where, problem)
                    : fmt::format("{}: {}: {}", where, OneLine(key), problem));
  }

 private:
  absl::Status ReadEntry(const Key& key, const YAML::Node& value) {
    if (const Setting* setting = FindSetting(key.section, key.name)) {
      return TakesList(*setting) ? ReadList(key, *setting, value) : ReadOne(key, *setting, value);
    }
    const std::vector<std::string> names = NamesIn(key.path());
    const bool is_section = key.section.empty() && !key.name.empty() && !names.empty();
    if (!is_section) return Error(key.line, key.path(), UnknownKey(key));
    if (value.IsNull()) return absl::OkStatus();  // all its lines may be comments
    if (!value.IsMap()) {
      return Error(
          key.line, key.path(),
          fmt::format("is a section; write its settings below it, such as {}: ...", names[0]));
    }
    return ReadMap(value, key.name);
  }

  absl::Status ReadOne(const Key& key, const Setting& setting, const YAML::Node& value) {
    if (!value.IsScalar()) {
      const std::string_view found = value.IsMap()        ? "a map"
                                     : value.IsSequence() ? "a list"
                                                          : "nothing";
      return Error(key.line, key.path(),
                   fmt::format("must be one value ({}), not {}", BoundsText(setting), found));
    }
    return AssignAt(key.line, key, setting, {value.Scalar()});
  }

  // The first text of the default, else what the texts are called.
  static std::string Example(const Setting& setting) {
    const std::vector<std::string> texts = ValueTexts(setting, Settings{});
    return texts.empty() ? std::string(setting.value) : texts.front();
  }

  absl::Status ReadList(const Key& key, const Setting& setting, const YAML::Node& value) {
    if (!value.IsSequence()) {
      return Error(key.line, key.path(),
                   fmt::format("must be a list, such as [\"{}\"]", Example(setting)));
    }
    std::vector<std::string> texts;
    for (const YAML::Node& item : value) {
      if (!item.IsScalar()) {
        return Error(key.line, key.path(), "must be a list of texts, but an item is not a text");
      }
      texts.push_back(item.Scalar());
      // Alone first, so that an error names the line of the item.
      absl::Status status = AssignAt(LineOf(item), key, setting, {texts.back()});
      if (!status.ok()) return status;
    }
    return AssignAt(key.line, key, setting, texts);
  }

  absl::Status AssignAt(int line, const Key& key, const Setting& setting,
                        const std::vector<std::string>& texts) {
    absl::Status status = Assign(setting, texts, settings_);
    return status.ok() ? status : Error(line, key.path(), std::string(status.message()));
  }

  const std::string& path_;
  Settings& settings_;
};

// Remembers where the document began that the parser read last.
class DocumentStart final : public YAML::EventHandler {
 public:
  [[nodiscard]] int line() const { return line_; }

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

 private:
  int line_ = 0;
};

// The line where something follows the first document; 0 if nothing does. YAML::Load would ignore
// it, and YAML::LoadAll 0.7 never ends where it is a stray "," or "]".
int LineBehindFirstDocument(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStart start;
  if (!parser.HandleNextDocument(start)) return 0;
  return parser.HandleNextDocument(start) ? start.line() : 0;
}

absl::Status ReadDocument(const std::string& text, const std::string& path, Settings& settings) {
  ConfigReader reader(path, settings);
  if (const int line = LineBehindFirstDocument(text); line > 0) {
    return reader.Error(line, "",
                        "is not part of the one map of settings; put all settings into it");
  }
  const YAML::Node document = YAML::Load(text);
  if (document.IsNull()) return absl::OkStatus();
  if (!document.IsMap()) {
    return reader.Error(LineOf(document), "",
                        "is not a map of settings; write lines such as driver: auto");
  }
  return reader.ReadMap(document, "");
}

}  // namespace

absl::Status ApplyConfigText(const std::string& text, const std::string& path, Settings& settings) {
  Settings read = settings;  // a refused file changes nothing
  try {
    absl::Status status = ReadDocument(text, path, read);
    if (!status.ok()) return status;
  } catch (const YAML::Exception& error) {
    return ConfigReader(path, read)
        .Error(error.mark.line + 1, "", fmt::format("is not YAML: {}", OneLine(error.msg)));
  } catch (const std::exception& error) {
    return ConfigReader(path, read)
        .Error(0, "", fmt::format("is not YAML: {}", OneLine(error.what())));
  }
  settings = std::move(read);
  return absl::OkStatus();
}

}  // namespace ascend
