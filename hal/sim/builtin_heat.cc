#include "hal/sim/builtin_chip.h"

namespace ascend::sim {
namespace {

constexpr Hertz kCtrlCpuClock{2.0e9};
constexpr Hertz kHbmClock{1.6e9};
constexpr Hertz kDdrClock{3.2e9};

// At rest the parts of a chip are within some degrees of what the chip reports.
SensorReading SensorsOf(const Model& model, bool has_hbm) {
  const auto warmer = [&model](double by) { return Celsius{model.celsius + by}; };
  SensorReading reading;
  reading.aicore = warmer(1);
  reading.soc = warmer(2);
  reading.ntc1 = warmer(-4);
  reading.ntc2 = warmer(-3);
  reading.ntc3 = warmer(-4);
  reading.ntc4 = warmer(-5);
  if (has_hbm) {
    reading.fp_max = warmer(2);
    reading.n_die = warmer(0);
    reading.hbm = warmer(-2);
  } else {
    reading.cluster = warmer(0);
    reading.peripheral = warmer(-1);
  }
  return reading;
}

Section<CoreUtilizationReading> CoresOf(const Model& model) {
  auto reading = std::make_shared<CoreUtilizationReading>();
  for (int i = 0; i < model.aicores; ++i) {
    reading->aicores.Add({static_cast<std::uint32_t>(i), Ratio{0}});
  }
  for (int i = 0; i < model.vector_cores; ++i) {
    reading->vector_cores.Add({static_cast<std::uint32_t>(i), Ratio{0}});
  }
  return reading;
}

}  // namespace

void AddHeat(const Model& model, Chip& chip) {
  const ChipFamily family = chip.identity.family;
  const bool has_hbm = model.hbm_mib > 0;
  chip.voltage = Volts{model.volts};
  if (model.limit_watts > 0) chip.power_limit = Watts{model.limit_watts};
  ClockReading& clocks = chip.clocks.emplace();
  clocks.aicore = Hertz{model.aicore_hertz};
  clocks.aicore_max = Hertz{model.aicore_max_hertz};
  clocks.ctrlcpu = kCtrlCpuClock;
  if (has_hbm) {
    clocks.vectorcore = clocks.aicore;
    clocks.hbm = kHbmClock;
  } else {
    clocks.ddr = kDdrClock;
  }
  chip.sensors = SensorsOf(model, has_hbm);
  chip.cores = CoresOf(model);
  if (family == ChipFamily::k910B || family == ChipFamily::k910_93) {
    ThrottleReading& throttle = chip.throttle.emplace();
    for (const ThrottleReason& reason : kThrottleReasons) throttle.*reason.active = Count{0};
  }
  if (family == ChipFamily::k310P) {
    const Ratio idle{0};
    chip.media = MediaReading{
        .vdec = idle, .vpc = idle, .venc = idle, .jpege = idle, .jpegd = idle, .refused = {}};
  }
}

}  // namespace ascend::sim
