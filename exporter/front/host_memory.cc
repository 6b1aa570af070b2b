#include "exporter/front/host_memory.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <limits>

#include "collectors/collector.h"
#include "exporter/front/blame.h"

namespace ascend {
namespace {

// Far enough in the future, and the readers can add to it.
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 2;

std::optional<Mono> TimeOf(std::int64_t nanoseconds_since_start) {
  if (nanoseconds_since_start <= 0) return std::nullopt;
  return Mono(nanoseconds(std::min(nanoseconds_since_start, kLatest)));
}

bool Calling(const DeviceChannel& channel) { return channel.call_number.load() % 2 == 1; }

std::optional<HostCall> CallOf(const DeviceChannel& channel, const Catalog& catalog) {
  const HostCall call = {channel.device.load(), channel.call_collector.load()};
  if (call.device < 0 || call.collector >= catalog.collectors().size()) return std::nullopt;
  return call;
}

std::optional<std::int32_t> OpeningOf(const Berth& berth) {
  const std::uint32_t opening = berth.look_opening.load();
  if (opening == 0 || opening > kMaxOpenings) return std::nullopt;
  return static_cast<std::int32_t>(opening) - 1;
}

std::string CallText(const HostCall& call, const Catalog& catalog) {
  return fmt::format("device {} was asked for {}", call.device,
                     catalog.collectors()[call.collector]->name);
}

}  // namespace

void ReadHostState(const Berth& berth, const Topology* topology, HostState& state) {
  state.found = topology != nullptr;
  state.devices.clear();
  state.look_deadline = TimeOf(berth.look_deadline_ns.load());
  state.opening = OpeningOf(berth);
  if (topology == nullptr) return;
  for (const TopologyDevice& device : topology->devices) {
    if (device.channel == nullptr) continue;
    DeviceCalls& calls = state.devices.emplace_back();
    calls.device = device.found.device;
    calls.last_return = TimeOf(device.channel->last_return_ns.load());
    if (!Calling(*device.channel)) continue;
    calls.deadline = TimeOf(device.channel->call_deadline_ns.load());
    calls.begun = TimeOf(device.channel->call_started_ns.load());
  }
}

HostDeath ReadHostDeath(const Berth& berth, const Catalog& catalog, int wait_status) {
  HostDeath death;
  const bool signalled = WIFSIGNALED(wait_status);
  death.kind = signalled ? HostDeath::Kind::kSignalled : HostDeath::Kind::kExited;
  death.code = signalled ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  death.opening = OpeningOf(berth);
  for (const DeviceChannel& channel : berth.channels) {
    if (!Calling(channel)) continue;
    if (const auto call = CallOf(channel, catalog)) death.in_progress.push_back(*call);
  }
  const std::optional<CrashReport> report = ReadCrashNote(berth.crash);
  if (report && report->channel && static_cast<std::size_t>(*report->channel) < kMaxChannels) {
    death.culprit = CallOf(berth.channels[static_cast<std::size_t>(*report->channel)], catalog);
  }
  // A crash on another thread than a device's was the search's, if one was under way.
  if (death.culprit) death.opening.reset();
  return death;
}

std::string DescribeDeath(const Berth& berth, const HostDeath& death, const Catalog& catalog) {
  std::string text;
  const std::optional<CrashReport> report = ReadCrashNote(berth.crash);
  if (report) {
    text = fmt::format("the driver host crashed: {}", DescribeCrash(*report));
  } else if (death.kind == HostDeath::Kind::kSignalled) {
    text = fmt::format("the driver host was ended by signal {} ({})", death.code,
                       strsignal(death.code));
  } else {
    text = fmt::format("the driver host exited with status {}", death.code);
  }
  if (const auto call = BlamedCall(death)) {
    return text + fmt::format(" while {}", CallText(*call, catalog));
  }
  return death.opening ? text + " while it looked for devices" : text;
}

}  // namespace ascend
