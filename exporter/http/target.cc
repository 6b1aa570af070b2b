#include "exporter/http/target.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace ascend {
namespace {

constexpr std::array<std::string_view, 2> kSchemes = {"http://", "https://"};

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool BeginsWithScheme(std::string_view text, std::string_view scheme) {
  return text.size() >= scheme.size() &&
         std::equal(scheme.begin(), scheme.end(), text.begin(),
                    [](char wanted, char c) { return wanted == LowerCase(c); });
}

// Cuts "http://host" off; what remains is empty or begins with "/" or "?".
std::optional<std::string_view> WithoutAuthority(std::string_view text) {
  if (text.starts_with('/')) return text;
  for (const std::string_view scheme : kSchemes) {
    if (!BeginsWithScheme(text, scheme)) continue;
    const std::size_t end = std::min(text.find_first_of("/?", scheme.size()), text.size());
    if (end == scheme.size()) return std::nullopt;
    return text.substr(end);
  }
  return std::nullopt;
}

std::optional<char> ReadByte(std::string_view hex) {
  unsigned char byte = 0;
  const char* const end = hex.data() + hex.size();
  const auto [stop, error] = std::from_chars(hex.data(), end, byte, 16);
  if (hex.size() != 2 || error != std::errc() || stop != end || byte == 0) return std::nullopt;
  return static_cast<char>(byte);
}

std::optional<std::string> PercentDecoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    const std::optional<char> byte = ReadByte(text.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    decoded.push_back(*byte);
    i += 2;
  }
  return decoded;
}

}  // namespace

std::optional<Target> ReadTarget(std::string_view text) {
  const std::optional<std::string_view> rest = WithoutAuthority(text);
  if (!rest) return std::nullopt;
  const std::size_t mark = rest->find('?');
  std::optional<std::string> path = PercentDecoded(rest->substr(0, mark));
  if (!path) return std::nullopt;
  if (path->empty()) path->push_back('/');
  const bool has_query = mark != std::string_view::npos;
  return Target{*std::move(path), has_query ? rest->substr(mark + 1) : std::string_view()};
}

}  // namespace ascend
