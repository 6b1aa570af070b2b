#include "hal/dcmi/vendor_values.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ascend::dcmi {
namespace {

constexpr std::int32_t kMcuInvalid = 0x7ffd;  // 0x7fff: the MCU's read failed
constexpr std::int32_t kAbsoluteZero = -273;
constexpr std::uint64_t kMaxMebibytes = std::uint64_t{1} << 30;  // more than any memory
constexpr std::uint64_t kMaxPages = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxPageKib = std::uint64_t{1} << 20;  // the largest pages have 1 GiB
constexpr std::uint64_t kMaxKibibytes = std::uint64_t{1} << 40;
constexpr std::uint16_t kNoValue16 = 0xFFFF;
constexpr std::uint64_t kNoValue63 = 0x7FFFFFFFFFFFFFFF;  // and all above: signed errors, all ones
constexpr std::uint32_t kMaxMilliwatts = 100'000'000;     // more than a rack
constexpr double kMaxBytesPerSecond = 1e15;
constexpr double kMegahertz = 1e6;
constexpr double kKibibyte = 1024.0;
constexpr double kMebibyte = 1024.0 * 1024.0;

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::optional<Ratio> Border::Percent(std::uint32_t raw) {
  return Only<Ratio>(raw <= 100, raw / 100.0);
}

std::optional<Celsius> Border::Degrees(std::int32_t raw) {
  return Only<Celsius>(raw >= kAbsoluteZero && raw < kMcuInvalid, static_cast<double>(raw));
}

std::optional<Watts> Border::TenthsOfWatts(std::int32_t raw) {
  // Nothing that answers draws no power.
  return Only<Watts>(raw > 0 && raw < kMcuInvalid, raw / 10.0);
}

std::optional<Bytes> Border::Mebibytes(std::uint64_t raw) {
  return Only<Bytes>(raw <= kMaxMebibytes, static_cast<double>(raw) * kMebibyte);
}

std::optional<Bytes> Border::Pages(std::uint64_t pages, std::uint64_t page_kib) {
  return Only<Bytes>(pages <= kMaxPages && page_kib <= kMaxPageKib,
                     static_cast<double>(pages) * static_cast<double>(page_kib) * kKibibyte);
}

std::optional<Bytes> Border::Kibibytes(std::uint64_t raw) {
  return Only<Bytes>(raw <= kMaxKibibytes && !IsNoValue(raw), static_cast<double>(raw) * kKibibyte);
}

std::optional<Watts> Border::Milliwatts(std::uint32_t raw) {
  return Only<Watts>(raw != 0 && raw <= kMaxMilliwatts, raw / 1000.0);
}

std::optional<Volts> Border::HundredthsOfVolts(std::uint32_t raw) {
  return Only<Volts>(raw != 0 && raw < static_cast<std::uint32_t>(kMcuInvalid), raw / 100.0);
}

std::optional<Hertz> Border::Megahertz(std::uint32_t raw) {
  return Only<Hertz>(raw < static_cast<std::uint32_t>(kMcuInvalid), raw * kMegahertz);
}

std::optional<Rpm> Border::TurnsPerMinute(std::int32_t raw) {
  return Only<Rpm>(raw >= 0 && raw < kMcuInvalid, static_cast<double>(raw));
}

std::optional<BytesPerSecond> Border::Flow(double raw, double unit) {
  const double flow = raw * unit;
  // A NaN is no value either.
  return Only<BytesPerSecond>(flow >= 0 && flow <= kMaxBytesPerSecond, flow);
}

std::optional<BytesPerSecond> Border::Flow(std::uint32_t raw, double unit) {
  if (IsNoValue(raw)) return Only<BytesPerSecond>(false, 0);
  return Flow(static_cast<double>(raw), unit);
}

std::optional<Count> Border::Events16(std::uint16_t raw) {
  return Only<Count>(raw != kNoValue16, static_cast<double>(raw));
}

std::optional<Count> Border::Events64(std::uint64_t raw) {
  return Only<Count>(raw < kNoValue63 && !IsNoValue(raw), static_cast<double>(raw));
}

std::optional<Count> Border::Events(std::uint32_t raw) {
  return Only<Count>(!IsNoValue(raw), static_cast<double>(raw));
}

std::optional<Count> Border::Flag(std::int32_t raw) {
  return Only<Count>(raw == 0 || raw == 1, static_cast<double>(raw));
}

void Border::DropAbove(std::optional<Bytes>& part, const std::optional<Bytes>& whole) {
  if (!part || !whole || *part <= *whole) return;
  part.reset();
  Refuse();
}

std::int64_t Milliseconds(nanoseconds time, std::int64_t least, std::int64_t most) {
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return std::clamp<std::int64_t>(whole, least, most);
}

std::optional<Health> HealthOf(std::uint32_t raw) {
  constexpr std::array kStates = {Health::kOk, Health::kWarning, Health::kAlarm, Health::kCritical};
  constexpr std::uint32_t kNotAsked = 4;  // what the library presets
  constexpr std::uint32_t kNotStarted = 0xFFFFFFFF;
  if (raw < kStates.size()) return kStates[raw];
  if (raw == kNotAsked || raw == kNotStarted) return Health::kUnknown;
  return std::nullopt;
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
