#include "hal/dcmi/vendor_values.h"

#include <algorithm>
#include <string_view>

namespace ascend::dcmi {
namespace {

constexpr std::int32_t kMcuInvalid = 0x7ffd;  // 0x7fff: the MCU's read failed
constexpr std::uint32_t kNoValue31 = 0x7FFFFFFF;
constexpr std::uint32_t kNoValue32 = 0xFFFFFFFF;
constexpr std::int32_t kAbsoluteZero = -273;
constexpr std::uint64_t kMaxMebibytes = std::uint64_t{1} << 30;  // more than any memory
constexpr std::uint64_t kMaxPages = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxPageKib = std::uint64_t{1} << 20;  // the largest pages have 1 GiB
constexpr double kKibibyte = 1024.0;
constexpr double kMebibyte = 1024.0 * 1024.0;

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::optional<Ratio> Border::Percent(std::uint32_t raw) {
  if (raw > 100) {
    Refuse();
    return std::nullopt;
  }
  return Ratio{raw / 100.0};
}

std::optional<Celsius> Border::Degrees(std::int32_t raw) {
  if (raw < kAbsoluteZero || raw >= kMcuInvalid) {
    Refuse();
    return std::nullopt;
  }
  return Celsius{static_cast<double>(raw)};
}

std::optional<Watts> Border::TenthsOfWatts(std::int32_t raw) {
  if (raw <= 0 || raw >= kMcuInvalid) {  // nothing that answers draws no power
    Refuse();
    return std::nullopt;
  }
  return Watts{raw / 10.0};
}

std::optional<Bytes> Border::Mebibytes(std::uint64_t raw) {
  if (raw > kMaxMebibytes) {
    Refuse();
    return std::nullopt;
  }
  return Bytes{static_cast<double>(raw) * kMebibyte};
}

std::optional<Bytes> Border::Pages(std::uint64_t pages, std::uint64_t page_kib) {
  if (pages > kMaxPages || page_kib > kMaxPageKib) {
    Refuse();
    return std::nullopt;
  }
  return Bytes{static_cast<double>(pages) * static_cast<double>(page_kib) * kKibibyte};
}

std::optional<Count> Border::Events(std::uint32_t raw) {
  if (raw == kNoValue31 || raw == kNoValue32) {
    Refuse();
    return std::nullopt;
  }
  return Count{static_cast<double>(raw)};
}

std::optional<Count> Border::Flag(std::int32_t raw) {
  if (raw != 0 && raw != 1) {
    Refuse();
    return std::nullopt;
  }
  return Count{static_cast<double>(raw)};
}

void Border::DropAbove(std::optional<Bytes>& part, const std::optional<Bytes>& whole) {
  if (!part || !whole || *part <= *whole) return;
  part.reset();
  Refuse();
}

void Border::UnknownIfZero(std::optional<Bytes>& total) {
  if (!total || total->value != 0) return;
  total.reset();
  Refuse();
}

std::string TextOf(std::span<const char> field) {
  const auto end = std::ranges::find(field, '\0');
  std::string_view text(field.data(), static_cast<std::size_t>(end - field.begin()));
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  return text == "NA" ? "" : std::string(text);
}

std::string TextOf(std::span<const unsigned char> field) {
  return TextOf(std::span<const char>(reinterpret_cast<const char*>(field.data()), field.size()));
}

}  // namespace ascend::dcmi
