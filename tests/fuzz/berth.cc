// The front against hosts that write whatever they like into their memory, while it reads.
#include <spdlog/spdlog.h>

#include <limits>

#include "collectors/all.h"
#include "exporter/border/topology_record.h"
#include "tests/fuzz/hostile_host.h"
#include "tests/fuzz/target.h"

namespace ascend {
namespace {

constexpr double kValues[] = {0,
                              1,
                              -1,
                              0.5,
                              42,
                              1e5,
                              0x1p53,
                              0x1p63,
                              0x1p70,
                              5e-324,
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()};
constexpr std::int64_t kTimes[] = {0,
                                   1,
                                   -1,
                                   1'000'000'000,
                                   std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min()};

class Run {
 public:
  Run(const Catalog& catalog, const PageCheck& check, std::span<const std::uint8_t> bytes)
      : catalog_(catalog), script_(bytes), front_(catalog, check) {
    front_.publisher.Use(berths_[0]);
  }

  void Play() {
    while (!script_.ended()) Act();
    front_.Step();
    front_.clock.now += std::chrono::minutes(10);
    front_.Step();
    front_.CheckOwn();
  }

 private:
  void Act() {
    switch (script_.Take<std::uint8_t>() % 9) {
      case 0:
        return Pass();
      case 1:
        return front_.Step();
      case 2:
        return PushBytes();
      case 3:
        return Scribble();
      case 4:
        return PushCalls();
      case 5:
        return PushDevices();
      case 6:
        return ChangeHosts();
      case 7:
        return SetCall();
      case 8:
        return Die();
    }
  }

  std::size_t Below(std::size_t count) { return script_.Take<std::uint8_t>() % count; }
  const std::shared_ptr<Berth>& AnyBerth() { return berths_[Below(berths_.size())]; }
  DeviceChannel& AnyChannel() { return AnyBerth()->channels[Below(4)]; }
  std::int64_t AnyTime() {
    const std::size_t choice = Below(16);
    if (choice < std::size(kTimes)) return kTimes[choice];
    if (choice == 15) return script_.Take<std::int64_t>();
    // Around now, by milliseconds.
    return front_.clock.now.time_since_epoch().count() +
           script_.Take<std::int16_t>() * std::int64_t{1'000'000};
  }
  double AnyValue() {
    const std::size_t choice = Below(16);
    return choice < std::size(kValues) ? kValues[choice] : script_.Take<double>();
  }

  void Pass() {
    front_.clock.now += std::chrono::milliseconds(script_.Take<std::uint16_t>());
    front_.clock.wall_seconds += script_.Take<std::int8_t>() * 1000;
  }

  void PushBytes() {
    Berth& berth = *AnyBerth();
    const std::size_t place = Below(5);
    const auto bytes = script_.Bytes(script_.Take<std::uint16_t>());
    (place == 4 ? berth.topology : berth.channels[place].ring).Push({std::as_bytes(bytes)});
  }

  // Any bytes anywhere, most often where the numbers are.
  void Scribble() {
    Berth& berth = *AnyBerth();
    const std::size_t place = Below(8);
    std::byte* begin = reinterpret_cast<std::byte*>(&berth);
    std::size_t size = sizeof berth;
    if (place < 4) {
      begin = reinterpret_cast<std::byte*>(&berth.channels[place]);
      size = sizeof(DeviceChannel);
    } else if (place < 7) {
      size = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&berth.channels) - begin);
    }
    const std::size_t at = script_.Take<std::uint32_t>() % size;
    const auto bytes =
        script_.Bytes(std::min<std::size_t>(script_.Take<std::uint8_t>(), size - at));
    std::memcpy(begin + at, bytes.data(), bytes.size());
  }

  void PushCalls() {
    DeviceChannel& channel = AnyChannel();
    GroupBlock block;
    block.group = static_cast<Group>(Below(kGroups));
    block.worker = script_.Take<std::uint8_t>() % 2;
    block.lost = Below(8) == 0;
    block.skipped_ticks = script_.Take<std::uint8_t>();
    block.identified = Below(2) == 0;
    if (block.identified != 0) {
      block.identity.family = static_cast<ChipFamily>(Below(12));
      block.identity.traits = script_.Take<ChipTraits>();
      block.identity.die_id = std::to_string(Below(3));
      const auto serial = script_.Bytes(Below(sizeof block.identity.serial));
      std::memcpy(static_cast<void*>(&block.identity.serial), serial.data(), serial.size());
    }
    const auto text = script_.Bytes(script_.Take<std::uint8_t>());
    std::memcpy(block.text.data(), text.data(), text.size());
    block.text_used = static_cast<std::uint16_t>(text.size());
    const std::size_t calls = Below(4);
    for (std::size_t i = 0; i < calls; ++i) AddCall(block);
    PushBlock(block, channel.ring);
  }

  void AddCall(GroupBlock& block) {
    CallRecord& call = block.calls[block.calls_used++];
    call.collector = script_.Take<std::uint8_t>() % (catalog_.collectors().size() + 1);
    call.result = static_cast<CallResult>(Below(8) == 0 ? Below(4) : 0);
    call.repeated = Below(8) == 0;
    call.rejected[0] = script_.Take<std::uint8_t>();
    call.number = script_.Take<std::uint8_t>();
    call.started_ns = AnyTime();
    call.duration_ns = AnyTime();
    if (call.collector == catalog_.collectors().size()) return;
    const std::size_t first = catalog_.FirstRow(call.collector);
    const std::size_t rows = catalog_.RowsOfCollector(call.collector).size();
    call.samples = script_.Take<std::uint8_t>();
    for (std::size_t i = 0; i < call.samples; ++i) {
      Sample& sample = block.samples[block.samples_used++];
      const std::size_t row = script_.Take<std::uint8_t>();
      sample.row = static_cast<std::uint16_t>(row >= 254 ? 0xff00 + row : first + row % (rows + 1));
      sample.key = script_.Take<std::uint8_t>();
      sample.text = script_.Take<std::uint8_t>();
      sample.value = AnyValue();
    }
  }

  void PushDevices() {
    const std::shared_ptr<Berth>& berth = AnyBerth();
    Topology topology;
    topology.driver.backend = "dcmi";
    topology.state = static_cast<DriverState>(Below(kDriverStateNames.size() + 2));
    topology.limits = {nanoseconds(AnyTime()), nanoseconds(AnyTime())};
    topology.most_devices = script_.Take<std::int32_t>();
    topology.duplicate_devices = script_.Take<std::uint64_t>();
    topology.unknown_lines = {{"npu-smi", script_.Take<std::uint64_t>()}, {"other", 1}};
    topology.refused = {{"dcmi", DriverState::kOk}, {"dcmi", DriverState::kOk}};
    const std::size_t devices = Below(5);
    for (std::size_t i = 0; i < devices; ++i) {
      TopologyDevice& device = topology.devices.emplace_back();
      device.found.device = Below(16) == 0 ? script_.Take<std::int32_t>() : static_cast<int>(i);
      device.found.address = {static_cast<std::int32_t>(Below(3)), static_cast<std::int32_t>(i)};
      device.worker = script_.Take<std::uint8_t>() % 2;
      device.waiting = Below(4) == 0;
      if (const std::size_t channel = Below(5); channel < 4) {
        device.channel = {berth, &berth->channels[channel]};
      }
    }
    PushTopology(topology, *berth);
  }

  void ChangeHosts() {
    switch (Below(6)) {
      case 0:
        return front_.publisher.Use(AnyBerth());
      case 1:
        return front_.publisher.Use(nullptr);
      case 2:
        return front_.publisher.Accompany(AnyBerth());
      case 3:
        return front_.publisher.Accompany(nullptr);
      case 4:
        front_.publisher.SetAbsence(DriverState::kReleased);
        return;
      case 5:
        front_.publisher.SetAbsence(std::nullopt);
        return;
    }
  }

  void SetCall() {
    const std::shared_ptr<Berth>& berth = AnyBerth();
    DeviceChannel& channel = berth->channels[Below(4)];
    channel.call_number.store(script_.Take<std::uint8_t>());
    channel.call_deadline_ns.store(AnyTime());
    channel.last_return_ns.store(AnyTime());
    channel.call_collector.store(script_.Take<std::uint8_t>());
    channel.device.store(script_.Take<std::int32_t>());
    berth->look_deadline_ns.store(AnyTime());
    berth->look_opening.store(script_.Take<std::uint8_t>());
    for (const bool beside : {false, true}) front_.Look(*berth, beside);
  }

  void Die() {
    Berth& berth = *AnyBerth();
    const auto note = script_.Bytes(sizeof berth.crash);
    std::memcpy(static_cast<void*>(&berth.crash), note.data(), note.size());
    front_.Bury(berth, script_.Take<std::int32_t>());
  }

  const Catalog& catalog_;
  Script script_;
  std::array<std::shared_ptr<Berth>, 2> berths_ = {PrivateBerth(), PrivateBerth()};
  Front front_;
};

}  // namespace
}  // namespace ascend

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const ascend::Catalog catalog;
  static const ascend::PageCheck check(catalog);
  spdlog::set_level(spdlog::level::off);
  ascend::Run(catalog, check, {bytes, size}).Play();
  return 0;
}
