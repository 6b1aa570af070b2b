// The table that `npu-smi info` prints, in all its layouts: 310 chips with a "Device" column, 910
// chips with HBM, A3 with "Phy-ID", 950 with "NPU ID" in a cell of its own. Widths and columns
// differ between versions of the tool and tables get narrowed or cut on their way through reports,
// so the layout is taken from the words of the header, never from positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/readings.h"

namespace ascend::npu_smi {

struct Usage {
  std::uint64_t used = 0;
  std::uint64_t total = 0;
  friend bool operator==(const Usage&, const Usage&) = default;
};

// One chip, from its two rows. The tool zeroes its memory and goes on when a read fails, so a zero
// that cannot be true is absent here and its `*_refused` is set, as is it for numbers beyond all
// sense and for a health that is none of the tool's words, which is kUnknown.
struct Chip {
  std::int32_t npu = 0;
  std::int32_t chip = 0;
  std::optional<std::int32_t> phy_id;     // column "Phy-ID"
  std::optional<std::int32_t> device_id;  // column "Device": the logic id
  std::string name;                       // as printed: "910B3", "Ascend910"
  std::string bus_id;                     // lower case; empty where it is printed as NA or masked
  std::optional<Health> health;
  std::optional<double> power_watts;
  std::optional<double> temperature_celsius;
  std::optional<double> aicore_percent;
  std::optional<double> npu_percent;  // column "NPU Util(%)"
  std::optional<Usage> ddr;           // MiB; absent for the "0 / 0" of chips without DDR
  std::optional<Usage> hbm;           // MiB
  bool power_refused = false;
  bool temperature_refused = false;
  bool load_refused = false;
  bool ddr_refused = false;
  bool hbm_refused = false;
  bool health_refused = false;
  // All numbers that were printed are zeros: the tool read nothing, whatever it prints for health.
  bool nothing_read = false;
  friend bool operator==(const Chip&, const Chip&) = default;
};

struct Process {
  std::int32_t npu = 0;
  std::int32_t chip = 0;
  std::int32_t pid = 0;
  std::string name;                        // empty where the tool could not resolve it
  std::optional<std::uint64_t> memory_mb;  // MiB
  friend bool operator==(const Process&, const Process&) = default;
};

struct InfoTable {
  std::string tool_version;    // empty: no version line
  std::string driver_version;  // the field "Version:", not always the same number
  bool hbm_column = false;
  bool npu_util_column = false;
  bool phy_id_column = false;
  bool device_column = false;
  bool process_table = false;
  std::vector<Chip> chips;  // in the order printed; no two share (npu, chip)
  std::vector<Process> processes;
  std::vector<std::int32_t> process_npus;  // NPUs that the process table speaks of
  // Chips of which only one row was printed, and second chips of one (npu, chip): one line each.
  std::vector<std::string> incomplete;
  std::size_t not_understood = 0;                 // lines
  std::vector<std::string> not_understood_lines;  // the first few
  friend bool operator==(const InfoTable&, const InfoTable&) = default;
};

// Never fails: any bytes give a table, empty in the worst case. A number that was cut off at the
// end of the text is not taken for a shorter one.
InfoTable ParseInfoTable(std::string_view text);

}  // namespace ascend::npu_smi
