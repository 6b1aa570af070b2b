#include "hal/dcmi/network_tool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "fake_machine.h"
#include "hal/virtual_clock.h"

namespace ascend::dcmi {
namespace {

TEST(DcmiNetworkToolTest, WhatATimeAgoWasTrueIsNotGivenAgainWhenTheToolHangs) {
  const FakeMachine machine("");
  machine.WriteHccnTool("case \"$*\" in *-link*) echo 'link status: UP' ;; *) exit 1 ;; esac");
  VirtualClock clock;
  NetworkTool tool(HccnOptionsFor(machine.hccn_tool()), clock);
  const auto first = tool.Link({.phy_id = 3});
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->ports[0].up, Count{1});
  machine.WriteHccnTool("exec sleep 60");
  clock.Advance(std::chrono::seconds(30));
  EXPECT_TRUE(absl::IsUnavailable(tool.Link({.phy_id = 3}).status()));
}

}  // namespace
}  // namespace ascend::dcmi
