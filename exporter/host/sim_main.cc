// ascend-exporter-sim-host: the driver host for a simulated machine. It holds no real driver.
#include "exporter/compose/drivers.h"
#include "exporter/host/driver_host.h"

int main() { return ascend::RunDriverHost(&ascend::SimulatedDriver); }
