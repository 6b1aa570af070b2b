// Makes the library need libmmpa.so, without saying where that is.
extern "C" int fake_mmpa_version();
extern "C" __attribute__((visibility("default"))) int fake_dcmi_dependency() {
  return fake_mmpa_version();
}
