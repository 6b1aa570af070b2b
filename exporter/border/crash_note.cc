#include "exporter/border/crash_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <string_view>

namespace ascend {
namespace {

struct SignalName {
  int signal;
  std::string_view name;
};
constexpr SignalName kNames[] = {
    {0, "exit()"},      {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},
    {SIGILL, "SIGILL"}, {SIGFPE, "SIGFPE"},   {SIGABRT, "SIGABRT"},
};

char Printable(char c) { return c >= ' ' && c <= '~' ? c : '?'; }

}  // namespace

std::optional<CrashReport> ReadCrashNote(const CrashNote& note) {
  const CrashNoteState state = note.state.load(std::memory_order_acquire);
  const std::int32_t signal = note.signal;
  const std::int32_t channel = note.channel;
  const std::array<char, kCrashFrameBytes> frame = note.frame;

  if (state != CrashNoteState::kBeingWritten && state != CrashNoteState::kComplete) return {};
  if (signal < 0 || signal >= NSIG) return {};
  CrashReport report;
  report.complete = state == CrashNoteState::kComplete;
  report.signal = signal;
  if (channel >= 0) report.channel = channel;
  std::transform(frame.begin(), std::find(frame.begin(), frame.end(), '\0'),
                 std::back_inserter(report.frame), Printable);
  return report;
}

std::string DescribeCrash(const CrashReport& report) {
  const auto* const known =
      std::find_if(std::begin(kNames), std::end(kNames),
                   [&](const SignalName& name) { return name.signal == report.signal; });
  const std::string cause = known == std::end(kNames) ? fmt::format("signal {}", report.signal)
                                                      : std::string(known->name);
  return fmt::format("{} in {}", cause, report.frame.empty() ? "an unknown place" : report.frame);
}

}  // namespace ascend
