#include "exporter/compose/options.h"

namespace ascend {
namespace {

SamplingOptions MakeSamplingOptions(const Settings& settings) {
  SamplingOptions options;
  options.periods = {settings.fast_period,  settings.health_period,  settings.memory_period,
                     settings.links_period, settings.network_period, settings.identity_period};
  options.deadlines = {settings.fast_deadline,    settings.health_deadline,
                       settings.memory_deadline,  settings.links_deadline,
                       settings.network_deadline, settings.identity_deadline};
  options.window = settings.window;
  return options;
}

}  // namespace

DiscoveryOptions MakeDiscoveryOptions(const Settings& settings) {
  DiscoveryOptions options;
  options.sampling = MakeSamplingOptions(settings);
  options.period = settings.discovery_period;
  options.lost_retention = settings.lost_retention;
  options.state_folder = settings.state_path;
  return options;
}

PublishingOptions MakePublishingOptions(const Settings& settings) {
  return {.sampling = MakeSamplingOptions(settings),
          .expected_devices = settings.devices_expected,
          .lost_retention = settings.lost_retention};
}

EngineOptions MakeEngineOptions(const Settings& settings) {
  return {MakeDiscoveryOptions(settings), settings.devices_expected};
}

}  // namespace ascend
