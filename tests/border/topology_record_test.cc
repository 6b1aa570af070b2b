// What a search found, on its way to the front; and what a hostile sender makes of it.
#include "exporter/border/topology_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

namespace ascend {
namespace {

Topology Full(const std::shared_ptr<Berth>& berth) {
  Topology topology;
  topology.driver = {"dcmi", "25.5.0", "25.5.rc1", "phy_id"};
  topology.state = DriverState::kNoDevices;
  topology.limits = {std::chrono::seconds(5), std::chrono::seconds(20)};
  topology.most_devices = 16;
  topology.device_nodes = 0;
  topology.driver_health = Health::kAlarm;
  topology.refused = {{"dcmi", DriverState::kNotAdmin}, {"npu_smi", DriverState::kToolNotFound}};
  topology.duplicate_devices = 1ULL << 60U;
  topology.unknown_lines = {{"npu-smi", 7}, {"hccn_tool", 0}};
  for (int i = 0; i < static_cast<int>(kMaxDevices); ++i) {
    TopologyDevice& device = topology.devices.emplace_back();
    device.found = {{1536 + i / 2, i % 2}, i, std::nullopt};
    if (i % 3 != 0) device.found.logic_id = i + 100;
    if (i % 4 != 0) device.channel = {berth, &berth->channels[static_cast<std::size_t>(2 * i)]};
    device.worker = static_cast<std::uint32_t>(1000 - i);
    device.waiting = i % 5 == 0;
  }
  return topology;
}

TEST(TopologyRecordTest, ArrivesAsItWasSent) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  const Topology sent = Full(berth);
  ASSERT_TRUE(PushTopology(sent, *berth));
  const std::optional<Topology> got = ReadTopology(berth);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->driver.backend, sent.driver.backend);
  EXPECT_EQ(got->driver.library_version, sent.driver.library_version);
  EXPECT_EQ(got->driver.driver_version, sent.driver.driver_version);
  EXPECT_EQ(got->driver.device_id_source, sent.driver.device_id_source);
  EXPECT_EQ(got->state, sent.state);
  EXPECT_EQ(got->limits.min_period, sent.limits.min_period);
  EXPECT_EQ(got->limits.min_deadline, sent.limits.min_deadline);
  EXPECT_EQ(got->most_devices, sent.most_devices);
  EXPECT_EQ(got->device_nodes, sent.device_nodes);
  EXPECT_EQ(got->driver_health, sent.driver_health);
  EXPECT_EQ(got->refused, sent.refused);
  EXPECT_EQ(got->duplicate_devices, sent.duplicate_devices);
  EXPECT_EQ(got->unknown_lines, sent.unknown_lines);
  ASSERT_EQ(got->devices.size(), sent.devices.size());
  for (std::size_t i = 0; i < sent.devices.size(); ++i) {
    EXPECT_EQ(got->devices[i].found, sent.devices[i].found);
    EXPECT_EQ(got->devices[i].channel, sent.devices[i].channel);
    EXPECT_EQ(got->devices[i].worker, sent.devices[i].worker);
    EXPECT_EQ(got->devices[i].waiting, sent.devices[i].waiting);
  }
}

TEST(TopologyRecordTest, WhatIsAbsentStaysAbsent) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  ASSERT_TRUE(PushTopology({}, *berth));
  const std::optional<Topology> got = ReadTopology(berth);
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->driver.backend.empty());
  EXPECT_EQ(got->state, DriverState::kInitFailed);
  EXPECT_EQ(got->most_devices, std::nullopt);
  EXPECT_EQ(got->device_nodes, std::nullopt);
  EXPECT_EQ(got->driver_health, std::nullopt);
  EXPECT_TRUE(got->devices.empty());
}

TEST(TopologyRecordTest, OnlyTheNewestIsTrue) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  EXPECT_FALSE(ReadTopology(berth));
  for (int i = 0; i < 3; ++i) {
    Topology topology;
    topology.device_nodes = i;
    ASSERT_TRUE(PushTopology(topology, *berth));
  }
  EXPECT_EQ(ReadTopology(berth)->device_nodes, 2);
  EXPECT_FALSE(ReadTopology(berth)) << "it was read";
}

TEST(TopologyRecordTest, AFullRingRefusesAndTakesTheNextOneAfterItWasRead) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  int pushed = 0;
  while (PushTopology(Full(berth), *berth)) ++pushed;
  EXPECT_GT(pushed, 2);
  ASSERT_TRUE(ReadTopology(berth));
  EXPECT_TRUE(PushTopology(Full(berth), *berth));
}

// The record of a real one as bytes.
std::vector<std::byte> Bytes(const std::shared_ptr<Berth>& berth) {
  EXPECT_TRUE(PushTopology(Full(berth), *berth));
  std::vector<std::byte> bytes(RecordRing::kBytes);
  bytes.resize(berth->topology.Pop(bytes).value_or(0));
  return bytes;
}

void ExpectSound(const Topology& topology, const std::shared_ptr<Berth>& berth) {
  std::set<int> ids;
  EXPECT_LE(topology.devices.size(), kMaxDevices);
  for (const TopologyDevice& device : topology.devices) {
    EXPECT_TRUE(ids.insert(device.found.device).second) << "an id twice";
    EXPECT_GE(device.found.device, 0);
    if (device.channel == nullptr) continue;
    const auto index = device.channel.get() - berth->channels.data();
    EXPECT_GE(index, 0);
    EXPECT_LT(index, static_cast<std::ptrdiff_t>(kMaxChannels));
    EXPECT_EQ(device.channel.get(), &berth->channels[static_cast<std::size_t>(index)]);
  }
  EXPECT_LE(topology.refused.size(), kMaxOpenings);
  EXPECT_LT(static_cast<std::size_t>(topology.state), kDriverStateNames.size());
  EXPECT_GE(topology.limits.min_period, nanoseconds(0));
  EXPECT_LE(topology.limits.min_period, std::chrono::hours(1));
  EXPECT_GE(topology.most_devices.value_or(0), 0);
}

TEST(TopologyRecordTest, BytesThatWereChangedGiveASoundOneOrNone) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  const std::vector<std::byte> real = Bytes(berth);
  std::mt19937_64 random(9);
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::byte> bytes = real;
    const int changes = round % 10 == 0 ? 2'000 : 1 + round % 20;
    for (int i = 0; i < changes; ++i) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    ASSERT_TRUE(berth->topology.Push({bytes}));
    const std::optional<Topology> got = ReadTopology(berth);
    ASSERT_TRUE(got);
    ExpectSound(*got, berth);
    if (HasFailure()) return;
  }
}

TEST(TopologyRecordTest, BytesOfAnotherLengthAreNone) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  std::vector<std::byte> bytes = Bytes(berth);
  const std::size_t size = bytes.size();
  bytes.resize(size + 8);
  for (const std::size_t other : {std::size_t{0}, std::size_t{1}, size - 1, size + 1, size + 8}) {
    ASSERT_TRUE(berth->topology.Push({std::span(bytes).first(other)}));
    EXPECT_FALSE(ReadTopology(berth)) << other;
  }
}

TEST(HoldsTest, RemembersAsManyDevicesAsAHostHas) {
  const std::shared_ptr<Board> board = PrivateBoard();
  Holds& holds = board->holds;
  EXPECT_EQ(holds.Find(0), nullptr);
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(kMaxDevices); ++id) {
    Holds::Device* const device = holds.FindOrAdd(1000 * id);
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(holds.Find(1000 * id), device);
    EXPECT_EQ(holds.FindOrAdd(1000 * id), device);
  }
  EXPECT_EQ(holds.FindOrAdd(7), nullptr) << "full";
  EXPECT_EQ(holds.Find(7), nullptr);
}

TEST(HoldsTest, NoDeviceHasAnIdThatCannotBe) {
  const std::shared_ptr<Board> board = PrivateBoard();
  for (const std::int32_t id : {-1, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(board->holds.FindOrAdd(id), nullptr);
    EXPECT_EQ(board->holds.Find(id), nullptr);
  }
}

}  // namespace
}  // namespace ascend
