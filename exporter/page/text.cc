#include "exporter/page/text.h"

#include <cstdint>

namespace ascend {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The length of the UTF-8 sequence at the start of `text`, 0 if it is none (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF).
std::size_t Utf8Sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const std::uint8_t second = byte(1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return size;
}

}  // namespace

std::string_view TakeCharacter(std::string_view& text) {
  const std::size_t size = Utf8Sequence(text);
  const std::string_view character = size == 0 ? kReplacement : text.substr(0, size);
  text.remove_prefix(size == 0 ? 1 : size);
  return character;
}

void AppendLabelValue(std::string& out, std::string_view value) {
  while (!value.empty()) {
    const std::string_view character = TakeCharacter(value);
    switch (character.front()) {
      case '\\':
        out += "\\\\";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\n':
        out += "\\n";
        break;
      default:
        out += character;
    }
  }
}

void AppendFamilyHead(std::string& out, std::string_view name, std::string_view help,
                      std::string_view type) {
  out.append("# HELP ").append(name).append(" ");
  for (char c : help) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

}  // namespace ascend
