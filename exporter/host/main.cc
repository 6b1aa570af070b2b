// ascend-exporter-host: the driver host for hardware. It holds no simulation.
#include "exporter/compose/drivers.h"
#include "exporter/host/driver_host.h"

int main() { return ascend::RunDriverHost(&ascend::RealDrivers); }
