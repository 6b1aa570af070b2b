#include "exporter/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/selection.h"
#include "exporter/engine/device_sampler.h"
#include "exporter/engine/publisher.h"
#include "exporter/log.h"
#include "exporter/page/encoder.h"
#include "exporter/standard_streams.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of all files together

absl::StatusOr<std::string> ReadAll(std::istream& stream, const std::string& name) {
  std::string text(kMostBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad() || text.size() > kMostBytes) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {}", name, stream.bad() ? "cannot be read" : "is larger than 16 MiB; cut it"));
  }
  return text;
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(std::cin, "standard input");
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(
        fmt::format("{}: cannot be opened; give files with the output of "
                    "npu-smi or hccn_tool, or - for standard input",
                    path));
  }
  return ReadAll(file, path);
}

std::string Report(const std::vector<CapturedOutput>& outputs) {
  std::string text;
  for (const CapturedOutput& output : outputs) {
    text += fmt::format("# {}: {}\n", output.form,
                        output.not_understood == 0
                            ? "understood"
                            : fmt::format("{} lines not understood", output.not_understood));
    for (const std::string& line : output.lines) text += fmt::format("#   {}\n", line);
    if (output.not_understood > output.lines.size()) text += "#   ...\n";
  }
  return text;
}

// Samples every device once and publishes, all on this thread.
class OneLook {
 public:
  OneLook(std::shared_ptr<const Catalog> catalog, std::shared_ptr<NpuDriver> driver)
      : catalog_(std::move(catalog)), driver_(std::move(driver)) {}

  absl::StatusOr<std::string> Page() {
    const absl::StatusOr<Discovery> found = driver_->Discover();
    if (!found.ok()) return found.status();
    Topology topology;
    topology.driver = found->info;
    topology.state = DriverState::kOk;
    topology.limits = driver_->limits();
    for (const FoundDevice& device : found->devices) {
      const std::size_t index = topology.devices.size();
      if (index == kMaxDevices) break;
      topology.devices.push_back(
          {.found = device, .channel = {berth_, &berth_->channels[index]}, .waiting = false});
    }
    PushTopology(topology, *berth_);
    publisher_.Use(berth_);
    publisher_.Step();
    const SamplingPlan plan = MakePlan({}, topology.limits);
    for (const TopologyDevice& device : topology.devices) Sample(device, plan);
    clock_.Advance(std::chrono::seconds(1));
    publisher_.Step();
    std::string page;
    for (const std::string& problem : found->problems) page += fmt::format("# {}\n", problem);
    EncodeText(*store_.Load(), page);
    return page;
  }

 private:
  void Sample(const TopologyDevice& device, const SamplingPlan& plan) {
    DeviceSampler::Parts parts = {.catalog = catalog_,
                                  .driver = driver_,
                                  .channel = device.channel,
                                  .board = board_,
                                  .log = std::make_shared<CallLog>(),
                                  .on_block = [this](bool) { publisher_.Step(); },
                                  .clock = &clock_};
    DeviceSampler sampler(std::move(parts), plan, device.found);
    while (sampler.RunDue() <= clock_.Now()) continue;
  }

  const std::shared_ptr<const Catalog> catalog_;
  const std::shared_ptr<NpuDriver> driver_;
  VirtualClock clock_;
  OwnMetrics own_;
  SnapshotStore store_;
  const std::shared_ptr<Berth> berth_ = PrivateBerth();
  const std::shared_ptr<Board> board_ = PrivateBoard();
  Publisher publisher_{{.catalog = catalog_,
                        .own = &own_,
                        .store = &store_,
                        .clock = &clock_,
                        .board = board_,
                        .on_trouble = [] {}},
                       {}};
};

}  // namespace

int Parse(const Invocation& invocation) {
  StartLogging("error", invocation.settings.log_format);
  std::vector<std::string> texts;
  for (const std::string& path : invocation.parse_files) {
    absl::StatusOr<std::string> text = ReadFile(path);
    if (!text.ok()) return Fail(text.status());
    texts.push_back(*std::move(text));
  }
  Captured captured = OpenCaptured(texts, RealClock());
  if (absl::Status printed = Print(Report(captured.outputs)); !printed.ok()) return Fail(printed);
  const bool has_table = std::ranges::any_of(
      captured.outputs, [](const CapturedOutput& output) { return output.form == "npu-smi info"; });
  if (!has_table) {
    return Fail(absl::InvalidArgumentError(
        "there is no table of `npu-smi info` among the texts, so nobody knows which chips they are "
        "about; add its output"));
  }
  const absl::StatusOr<std::string> page = OneLook(EverythingCatalog(), captured.driver).Page();
  if (!page.ok()) return Fail(page.status());
  const absl::Status printed = Print(*page);
  return printed.ok() ? EXIT_SUCCESS : Fail(printed);
}

}  // namespace ascend
