// Stands for the libraries of the driver's own folders that the vendor's library is linked with.
extern "C" __attribute__((visibility("default"))) int fake_mmpa_version();

int fake_mmpa_version() { return 1; }
