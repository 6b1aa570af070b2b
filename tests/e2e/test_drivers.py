"""One machine, three drivers: each shows it in full, and all tell the same.

UPDATE_GOLDEN=1 in the environment writes the golden pages anew; read what changed.
"""

import difflib
import os
import pathlib
import re
import unittest

from harness import Exporter, TestCase
from stand_ins import DRIVERS, load

GOLDEN = pathlib.Path(__file__).parent / "golden"
MACHINES = ("16x910c", "2x910a", "4x310p", "8x910b")
MIB = 1024 * 1024
INITIAL_PID_NAMESPACE = 0xEFFFFFFC  # PROC_PID_INIT_INO of the kernel

# Time, what is integrated over time, and files of the host that the test runs on.
VOLATILE = ("ascend_npu_last_sample_timestamp_seconds", "ascend_npu_fault_last_timestamp_seconds",
            "ascend_npu_energy_joules_total", "ascend_npu_card_energy_joules_total",
            "ascend_npu_busy_seconds_total", "ascend_npu_hbm_bandwidth_busy_seconds_total",
            "ascend_npu_device_nodes")
# Depends on the pid namespace of the test; has a test of its own.
PROCESSES = "ascend_npu_processes"
# Their labels say as much as the driver knows.
IDENTITY = ("ascend_npu_info", "ascend_npu_driver_info")

ALL = {"ascend_npu_up", "ascend_npu_info", "ascend_npu_last_sample_timestamp_seconds",
       "ascend_npu_health_state", "ascend_npu_temperature_celsius", "ascend_npu_utilization_ratio",
       "ascend_npu_busy_seconds_total", "ascend_npu_memory_used_bytes",
       "ascend_npu_memory_total_bytes"}
HBM = {"ascend_npu_hbm_used_bytes", "ascend_npu_hbm_total_bytes"}
DDR = {"ascend_npu_ddr_used_bytes", "ascend_npu_ddr_total_bytes"}
POWER = {"ascend_npu_power_watts", "ascend_npu_energy_joules_total"}
LIBRARY_ALL = {"ascend_npu_faults_total", "ascend_npu_ecc_enabled", "ascend_npu_ecc_errors_total",
               "ascend_npu_ecc_lifetime_errors_total", "ascend_npu_ecc_isolated_pages"}
LIBRARY_HBM = {"ascend_npu_hbm_temperature_celsius", "ascend_npu_hbm_utilization_ratio",
               "ascend_npu_hbm_bandwidth_utilization_ratio",
               "ascend_npu_hbm_bandwidth_busy_seconds_total"}
LIBRARY_DDR = {"ascend_npu_ddr_bandwidth_utilization_ratio", "ascend_npu_hugepages_used_bytes",
               "ascend_npu_hugepages_capacity_bytes"}


def families_of(chip, backend):
    """The families that the driver must show for the chip, at least, and no others."""
    library = backend != "npu_smi"
    families = set(ALL)
    if library:
        families |= LIBRARY_ALL
    if "hbm" in chip:
        families |= HBM | (LIBRARY_HBM if library else set())
    if "ddr" in chip:
        families |= DDR | (LIBRARY_DDR if library else set())
    if "power_watts" in chip:
        families |= POWER
    if library and "overall" in chip.get("utilization", {}):
        families.add("ascend_npu_overall_utilization_ratio")
    if library and chip.get("faults"):
        families.add("ascend_npu_fault")  # when it began before the start, nobody knows
    return families


def values_of(chip):
    """What every driver must say of the chip, worked out from its description alone."""
    memory = chip.get("hbm") or chip["ddr"]
    values = {
        ("ascend_npu_up", ""): 1,
        ("ascend_npu_temperature_celsius", ""): chip["temperature_celsius"],
        ("ascend_npu_memory_used_bytes", ""): memory["used_mib"] * MIB,
        ("ascend_npu_memory_total_bytes", ""): memory["total_mib"] * MIB,
        ("ascend_npu_utilization_ratio", "aicore"): chip["utilization"]["aicore"] / 100,
        ("ascend_npu_power_watts", ""): chip.get("power_watts"),
    }
    for state in ("ok", "warning", "alarm", "critical", "unknown"):
        values["ascend_npu_health_state", state] = float(state == chip["health"])
    return values


LABEL_OF = {"ascend_npu_utilization_ratio": "engine", "ascend_npu_health_state": "state"}


def golden(page):
    """What of a page does not depend on time and host."""
    lines = []
    for line in page.text.splitlines():
        name = re.match(r"(?:# (?:HELP|TYPE) )?([a-z0-9_]+)", line).group(1)
        if not name.startswith("ascend_npu_") or name == PROCESSES:
            continue
        if name in VOLATILE and not line.startswith("#"):
            line = line.rpartition(" ")[0] + " <number>"
        lines.append(line + "\n")
    return "".join(lines)


def process_counts(machine, backend):
    """By device; none where the driver cannot prove that its list is the host's."""
    if backend != "sim" and os.stat("/proc/self/ns/pid").st_ino != INITIAL_PID_NAMESPACE:
        return {}
    return {str(chip["device"]): len(chip["processes"])
            for chip in machine["chips"] if "processes" in chip}


def complete(machine, backend):
    """Whether a page shows all that the driver must show."""
    counted = process_counts(machine, backend).keys()

    def is_complete(page):
        return page.devices(PROCESSES) >= counted and all(
            families_of(chip, backend) <= page.names_of(chip["device"])
            for chip in machine["chips"])
    return is_complete


def make_test(name):
    """A test class for one machine."""

    class DriversTest(TestCase):
        @classmethod
        def setUpClass(cls):
            super().setUpClass()
            cls.machine = load(name)

        def setUp(self):
            super().setUp()
            self.pages = {}
            for backend, make in DRIVERS.items():
                folder = self.folder / backend
                folder.mkdir()
                driver = make(folder, name)
                with Exporter(*driver.flags, env=driver.env) as exporter:
                    self.pages[backend] = exporter.wait_for(complete(self.machine, backend))

        def test_each_driver_shows_the_machine_as_described(self):
            for backend, page in self.pages.items():
                for chip in self.machine["chips"]:
                    with self.subTest(backend=backend, device=chip["device"]):
                        self.assert_shows(page, backend, chip)

        def assert_shows(self, page, backend, chip):
            shown = page.names_of(chip["device"]) - {PROCESSES}
            self.assertEqual({name for name in shown if name.startswith("ascend_npu_")},
                             families_of(chip, backend))
            for (family, state), value in values_of(chip).items():
                labels = {LABEL_OF[family]: state} if state else {}
                self.assertEqual(page.value(family, device=chip["device"], **labels), value, family)

        def test_what_two_drivers_both_know_is_equal(self):
            backends = list(self.pages)
            for one, other in zip(backends, backends[1:] + backends[:1]):
                first, second = self.pages[one], self.pages[other]
                both = {key for key in first.keys() & second.keys()
                        if key.startswith("ascend_npu_")
                        and not key.startswith(VOLATILE + IDENTITY)}
                with self.subTest(one=one, other=other):
                    self.assertGreater(len(both), 10 * len(self.machine["chips"]))
                    self.assertEqual({key: first[key] for key in both},
                                     {key: second[key] for key in both})

        def test_card_power_is_shown_once_a_card(self):
            cards = {str(chip["npu_id"]): chip["card_power_watts"]
                     for chip in self.machine["chips"] if "card_power_watts" in chip}
            for backend in ("sim", "dcmi"):
                shown = self.pages[backend].family("ascend_npu_card_power_watts")
                self.assertEqual({labels["card"]: value for labels, value in shown}, cards)
                self.assertEqual(len(shown), len(cards), backend)
            self.assertEqual(self.pages["npu_smi"].family("ascend_npu_card_power_watts"), [])

        def test_processes_are_counted_where_the_list_is_the_hosts(self):
            for backend, page in self.pages.items():
                with self.subTest(backend=backend):
                    shown = {labels["device"]: value for labels, value in page.family(PROCESSES)}
                    self.assertEqual(shown, process_counts(self.machine, backend))

        def test_pages_are_as_they_were(self):
            for backend, page in self.pages.items():
                path = GOLDEN / f"{name}-{backend}.prom"
                if os.environ.get("UPDATE_GOLDEN") == "1":
                    path.write_text(golden(page), encoding="utf-8")
                with self.subTest(golden=path.name):
                    changes = difflib.unified_diff(
                        path.read_text(encoding="utf-8").splitlines(), golden(page).splitlines(),
                        "golden", "now", lineterm="", n=0)
                    self.assertEqual("\n".join(changes), "")

        def test_promtool_has_nothing_to_say(self):
            for backend, page in self.pages.items():
                with self.subTest(backend=backend):
                    self.assert_accepted(page)

    DriversTest.__qualname__ = DriversTest.__name__ = f"DriversTest_{name}"
    return DriversTest


for machine_name in MACHINES:
    globals()[f"DriversTest_{machine_name}"] = make_test(machine_name)

if __name__ == "__main__":
    unittest.main()
