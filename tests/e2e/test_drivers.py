"""One machine, three drivers: each shows all of the description that it can know, nothing else, and
all tell the same.

UPDATE_GOLDEN=1 in the environment writes the golden pages anew; read what changed.
"""

import concurrent.futures
import contextlib
import difflib
import functools
import os
import pathlib
import re
import tempfile
import unittest

from drivers_expectations import ANY, expected, name_of
from drivers_knowledge import GAPS, as_seen, without_gaps
from harness import MACHINES, Exporter, TestCase, poll
from stand_ins import DRIVERS, FakeLibrary, load

GOLDEN = pathlib.Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in MACHINES.glob("*.yaml"))
# Of machines with many chips that are alike, those whose golden page is kept.
GOLDEN_DEVICES = {"8x910b": {"0", "3", "5", "7"}, "16x910c": {"4", "5"}}
ALL_COLLECTORS = [f"--collectors.enable={name}" for name in (
    "core_utilization", "network_pfc_priority", "hccs_bandwidth", "pcie_bandwidth",
    "network_bandwidth")]
ENOUGH = 20.0  # seconds in which every collector has asked every chip, by far
# Depends on the pid namespace of the test.
PROCESSES = "ascend_npu_processes"
UP = "ascend_npu_up"
# Its labels say what the driver is.
DRIVER_INFO = "ascend_npu_driver_info"


def known_series(name, backend):
    """What the driver's page must hold, with values or ANY."""
    machine = load(name)
    return without_gaps(expected(as_seen(name, machine, backend)), machine, backend)[0]


def complete_page(folder, name, backend):
    driver = DRIVERS[backend](folder, name)
    chips = len(load(name)["chips"])
    wanted = known_series(name, backend).keys()
    page = None

    def look():
        nonlocal page
        page = exporter.page()
        return wanted <= page.keys() and page.every_chip_was_asked(chips)

    with Exporter(*ALL_COLLECTORS, *driver.flags, env=driver.env) as exporter:
        with contextlib.suppress(AssertionError):  # the tests tell what is missing
            poll(look, ENOUGH, "all series")
    return page


@functools.cache
def pages_of(name):
    """The page of each driver about the machine."""
    def page(backend):
        with tempfile.TemporaryDirectory() as folder:
            return complete_page(folder, name, backend)

    with concurrent.futures.ThreadPoolExecutor(len(DRIVERS)) as pool:
        return dict(zip(DRIVERS, pool.map(page, DRIVERS)))


def npu_series(page):
    return {key: value for key, value in page.items()
            if key.startswith("ascend_npu_") and name_of(key) != DRIVER_INFO}


def timed(name):
    """The series whose values depend on time and host."""
    return {key for key, value in expected(load(name)).items() if value is ANY}


def golden(page, name):
    """What of a page does not depend on time and host."""
    devices = GOLDEN_DEVICES.get(name)
    volatile = {name_of(key) for key in timed(name)}
    lines = []
    for line in page.text.splitlines():
        family = re.match(r"(?:# (?:HELP|TYPE) )?(\w+)", line).group(1)
        if not family.startswith("ascend_npu_") or family == PROCESSES or line.startswith("# HELP"):
            continue
        device = re.search(r'device="(\d+)"', line)
        if devices and device and device[1] not in devices:
            continue
        if family in volatile and not line.startswith("#"):
            line = line.rpartition(" ")[0] + " <number>"
        lines.append(line + "\n")
    return "".join(lines)


def difference(first, second):
    """Series of one side only, and those with other values; a line each."""
    both = first.keys() & second.keys()
    lines = [f"- {key} {first[key]}" for key in sorted(first.keys() - both)]
    lines += [f"+ {key} {second[key]}" for key in sorted(second.keys() - both)]
    lines += [f"! {key} {first[key]} {second[key]}" for key in sorted(both)
              if ANY not in (first[key], second[key]) and first[key] != second[key]]
    return "\n".join(lines)


def make_test(name):
    """A test class for one machine."""

    class DriversTest(TestCase):
        def setUp(self):
            super().setUp()
            self.pages = pages_of(name)

        def test_a_page_says_what_the_description_says_and_no_more(self):
            for backend, page in self.pages.items():
                with self.subTest(backend=backend):
                    self.assertEqual(difference(known_series(name, backend), npu_series(page)), "")

        def test_what_two_drivers_both_show_is_the_same(self):
            kinds = [kind for kind in DRIVERS if name != "newer" or kind != "dcmi"]
            for one, other in zip(kinds, kinds[1:] + kinds[:1]):
                first, second = npu_series(self.pages[one]), npu_series(self.pages[other])
                both = (first.keys() & second.keys()) - timed(name)
                if name == "card-in-reset":  # only the library says that the chip is lost
                    both = {key for key in both if name_of(key) != "ascend_npu_devices"}
                with self.subTest(one=one, other=other):
                    self.assertGreater(len(both), 20 * len(load(name)["chips"]))
                    self.assertEqual(difference({key: first[key] for key in both},
                                                {key: second[key] for key in both}), "")

        def test_the_driver_is_named_with_its_versions(self):
            machine = load(name)
            for backend, page in self.pages.items():
                version = "tool_version" if backend == "npu_smi" else "library_version"
                [(labels, value)] = page.family(DRIVER_INFO)
                with self.subTest(backend=backend):
                    self.assertEqual(value, 1)
                    self.assertEqual(
                        (labels["backend"], labels["library_version"], labels["driver_version"]),
                        (backend, machine[version], machine["driver_version"]))

        def test_pages_are_as_they_were(self):
            for backend, page in self.pages.items():
                path = GOLDEN / f"{name}-{backend}.prom"
                now = golden(page, name)
                if os.environ.get("UPDATE_GOLDEN") == "1":
                    path.write_text(now, encoding="utf-8")
                with self.subTest(golden=path.name):
                    changes = difflib.unified_diff(
                        path.read_text(encoding="utf-8").splitlines(), now.splitlines(), "golden",
                        "now", lineterm="", n=0)
                    self.assertEqual("\n".join(changes), "")

        def test_promtool_has_nothing_to_say(self):
            for backend, page in self.pages.items():
                with self.subTest(backend=backend):
                    self.assert_accepted(page)

    DriversTest.__qualname__ = DriversTest.__name__ = f"DriversTest_{name}"
    return DriversTest


for machine_name in NAMES:
    globals()[f"DriversTest_{machine_name}"] = make_test(machine_name)


class ClaimsTest(TestCase):
    """What the machines are for, in the words of their first lines."""

    def test_a_container_shows_the_two_chips_that_it_has_by_the_hosts_numbers(self):
        for backend, page in pages_of("container-5-7").items():
            with self.subTest(backend=backend):
                self.assertEqual(page.devices(UP), {"5", "7"})
                ids = {labels["device"]: labels["logic_id"]
                       for labels, _ in page.family("ascend_npu_info")}
                self.assertEqual(ids, {"5": "0", "7": "1"})
                self.assertEqual(page.family(PROCESSES), [])

    def test_behind_a_chip_that_was_lost_before_the_start_every_chip_keeps_its_number(self):
        for backend, page in pages_of("7of8x910b").items():
            with self.subTest(backend=backend):
                self.assertEqual(page.devices(UP), set("0124567"))
                self.assertEqual(page.value("ascend_npu_temperature_celsius", device=6), -1)
                self.assertEqual(page.devices("ascend_npu_fault"), {"5"})

    def test_the_second_chip_of_a_card_is_shown_without_the_first(self):
        for backend, page in pages_of("duo-chip-lost").items():
            with self.subTest(backend=backend):
                self.assertEqual(page.devices(UP), {"1"})
                [(labels, _)] = page.family("ascend_npu_info")
                self.assertEqual((labels["npu_id"], labels["chip_id"]), ("1536", "1"))
                self.assertEqual(page.value("ascend_npu_card_power_watts", card=1536), 72.4)

    def test_a_card_in_reset_is_down_and_the_other_is_whole(self):
        for backend, page in pages_of("card-in-reset").items():
            with self.subTest(backend=backend):
                self.assertEqual(page.family("ascend_npu_up"),
                                 [({"device": "0"}, 1), ({"device": "1"}, 0)])
                self.assertEqual(page.names_of(1) - {"ascend_exporter_call_timeouts_total"},
                                 {"ascend_npu_up"})
                self.assertEqual(page.value("ascend_npu_devices", state="healthy"), 1)
        page = pages_of("card-in-reset")["dcmi"]
        self.assertEqual(page.value("ascend_npu_devices", state="lost"), 1)

    def test_numbers_that_nobody_knows_yet_leave_no_false_series(self):
        page = pages_of("newer")["dcmi"]
        for family in ("ascend_npu_health_state", "ascend_npu_network_health_state"):
            current = [labels["state"] for labels, value in page.family(family)
                       if labels["device"] == "1" and value == 1]
            self.assertEqual(current, ["unknown"], family)
        for family in ("ascend_npu_compatible", "ascend_npu_topology_link_info"):
            self.assertNotIn("1", page.devices(family))
        self.assertEqual([value for labels, value in page.family("ascend_npu_throttle_active")
                          if value != 0], [])
        self.assertEqual({labels["action"] for labels, _ in page.family("ascend_npu_fault")},
                         {"unknown"})
        self.assertEqual({labels["severity"] for labels, _ in page.family("ascend_npu_fault_info")},
                         {"unknown"})

    def test_two_families_of_one_host_are_each_shown_as_what_they_are(self):
        for backend, page in pages_of("mixed").items():
            with self.subTest(backend=backend):
                self.assertEqual(page.devices("ascend_npu_hbm_total_bytes"), {"0", "1"})
                self.assertEqual(page.devices("ascend_npu_ddr_total_bytes"), {"2", "3"})
                self.assertEqual(page.devices("ascend_npu_power_watts"), {"0", "1"})
                self.assertEqual(page.devices("ascend_npu_memory_total_bytes"), set("0123"))
                self.assertEqual(len(page.family("ascend_npu_card_power_watts")), 1)

    def test_ports_of_a_950_are_known_by_die_and_port(self):
        for backend, page in pages_of("2x950").items():
            with self.subTest(backend=backend):
                ub, ethernet = ({(labels["device"], labels["udie"], labels["port"])
                                 for labels, _ in page.family(name)}
                                for name in ("ascend_npu_ub_port_up", "ascend_npu_network_up"))
                self.assertEqual(ub, {(device, *port) for device in "01"
                                      for port in ("04", "05", "06", "18")})
                self.assertEqual(ethernet, {("0", "1", "8"), ("1", "1", "8")})
                self.assertEqual(page.value("ascend_npu_ub_port_up", device=0, udie=0, port=6), 0)

    def test_a_950_is_asked_by_the_second_generation_of_the_library_alone(self):
        library = FakeLibrary(self.folder, "2x950")
        with Exporter(*library.flags, env=library.env) as exporter:
            exporter.wait_for(lambda page: page.every_chip_was_asked(2))
        called = {name.split(" ")[0] for name in library.counts()}
        self.assertIn("dcmiv2_get_device_health", called)
        self.assertLessEqual({name for name in called if not name.startswith("dcmiv2_")},
                             {"dcmi_init"})

    def test_every_gap_in_what_a_driver_knows_is_needed(self):
        for backend, gaps in GAPS.items():
            used = set()
            for name in NAMES:
                machine = load(name)
                used |= without_gaps(expected(machine), machine, backend)[1]
            self.assertEqual([gap.pattern for gap in gaps if gap not in used], [], backend)


if __name__ == "__main__":
    unittest.main()
