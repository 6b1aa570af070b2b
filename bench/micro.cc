#include "bench/micro.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "bench/sim_page.h"
#include "exporter/page/encoder.h"
#include "exporter/page/landing_page.h"
#include "exporter/page/number.h"
#include "exporter/page/page_cache.h"

namespace ascend {
namespace {

constexpr std::size_t kNumbers = 1024;

void BenchNumbers(benchmark::State& state, double largest, double scale) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> values(0, largest);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const double value = values(random);
    numbers.push_back(scale == 0 ? value : std::floor(value * scale) / scale);
  }
  char out[kMaxNumberSize];
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(WriteNumber(out, numbers[i++ % kNumbers]));
    benchmark::ClobberMemory();
  }
}

void RegisterNumbers() {
  const auto add = [](const char* name, double largest, double scale) {
    benchmark::RegisterBenchmark(
        name, [=](benchmark::State& state) { BenchNumbers(state, largest, scale); });
  };
  add("Number/flag", 2, 1);
  add("Number/small_integer", 100, 1);
  add("Number/bytes", 0x1p37, 1);
  add("Number/tenths", 600, 10);
  add("Number/thousandths", 600, 1000);
  add("Number/random", 100, 0);
}

void RegisterPages(const SharedSnapshot& snapshot, const OwnMetrics& own) {
  benchmark::RegisterBenchmark("EncodeText", [=](benchmark::State& state) {
    std::string text;
    for (auto _ : state) {
      text.clear();
      EncodeText(*snapshot, text);
      benchmark::DoNotOptimize(text.data());
    }
  });
  benchmark::RegisterBenchmark("OwnMetrics", [&own](benchmark::State& state) {
    std::string text;
    for (auto _ : state) {
      text.clear();
      own.EncodeText(text);
      benchmark::DoNotOptimize(text.data());
    }
  });
  benchmark::RegisterBenchmark("PageCache/unchanged", [=, &own](benchmark::State& state) {
    SnapshotStore store;
    store.Store(snapshot);
    PageCache cache(store, own);
    for (auto _ : state) benchmark::DoNotOptimize(cache.Text());
  });
  benchmark::RegisterBenchmark("MakeLayout", [=](benchmark::State& state) {
    const Catalog catalog;
    for (auto _ : state) {
      benchmark::DoNotOptimize(MakeLayout(catalog, DriverInfo{}, snapshot->layout->devices));
    }
  });
  benchmark::RegisterBenchmark("LandingPage", [=](benchmark::State& state) {
    const Catalog catalog;
    for (auto _ : state) {
      benchmark::DoNotOptimize(LandingPage(catalog, snapshot.get(), "/metrics", "0.0.0"));
    }
  });
}

}  // namespace

absl::Status RunMicro(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "ascend-bench");
  std::vector<char*> arguments;
  for (std::string& flag : flags) arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  OwnMetrics own;
  const absl::StatusOr<SharedSnapshot> snapshot = SimulatedSnapshot(own);
  if (!snapshot.ok()) return snapshot.status();
  RegisterNumbers();
  RegisterPages(*snapshot, own);
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) {
    return absl::InvalidArgumentError(
        fmt::format("{}: not known; --micro takes the flags of Google Benchmark", arguments[1]));
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return absl::OkStatus();
}

}  // namespace ascend
