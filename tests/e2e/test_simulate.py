"""A day in a moment: the simulation in virtual time, page by page."""

import os
import re
import subprocess
import time
import unittest

from harness import PROGRAM, Page, TestCase, environment, promtool_says, run
from stand_ins import Scenario

DAY_LIMIT = 300.0  # seconds
EVERY = 30
DAY_PAGES = 24 * 60 * 60 // EVERY
SAMPLES = 24  # pages of the day that the slower checks look at

MARK = re.compile(r"# simulated time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")
# A line of a page, as the text format has it.
LINE = re.compile(r'# (?:HELP|TYPE) [a-z0-9_]+ .+|'
                  r'[a-z][a-z0-9_]*(?:\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"'
                  r'(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})? '
                  r'-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?')


def pages_of(output):
    """(simulated time, text) of each page."""
    parts = MARK.split(output)
    assert parts[0] == "", parts[0]
    return list(zip(parts[1::2], parts[2::2]))


class SimulateTest(TestCase):
    def simulate(self, *flags, scenario="8x910b", env=None):
        begin = time.monotonic()
        done = run("simulate", f"--sim.scenario={scenario}", *flags, env=env, within=DAY_LIMIT)
        self.assertEqual((done.returncode, done.stderr.count("level=error")), (0, 0), done.stderr)
        return done.stdout, time.monotonic() - begin

    def test_a_day_has_a_valid_page_for_every_step(self):
        output, seconds = self.simulate("--for=24h", f"--every={EVERY}s")
        print(f"24 simulated hours of eight chips in {seconds:.1f} s")
        pages = pages_of(output)
        self.assertEqual(len(pages), DAY_PAGES)
        self.assertEqual(len({moment for moment, _ in pages}), DAY_PAGES)
        for moment, text in pages:
            for line in filter(None, text.split("\n")):
                self.assertRegex(line, LINE, moment)
                self.assertEqual(LINE.fullmatch(line).end(), len(line), moment)
        for moment, text in pages[::DAY_PAGES // SAMPLES]:
            with self.subTest(moment=moment):
                self.assertEqual(promtool_says(text.rstrip("\n") + "\n"), ("", 0))
                self.assert_all_there(Page(text.rstrip("\n") + "\n"))
        self.assert_counters_only_grow(pages)

    def assert_all_there(self, page):
        for device in range(8):
            self.assertEqual(page.value("ascend_npu_up", device=device), 1)
            self.assertTrue(30 <= page.value("ascend_npu_temperature_celsius", device=device) < 95)
            self.assertIsNotNone(page.value("ascend_npu_memory_used_bytes", device=device))

    def assert_counters_only_grow(self, pages):
        energy = re.compile(r'ascend_npu_energy_joules_total\{device="0"\} (\S+)')
        seen = [float(energy.search(text).group(1)) for _, text in pages]
        self.assertEqual(seen, sorted(seen))
        mean_watts = (seen[-1] - seen[0]) / (EVERY * (len(seen) - 1))
        self.assertTrue(80 < mean_watts < 500, mean_watts)

    def test_the_same_scenario_gives_the_same_bytes(self):
        for name in ("8x910b", "16x910c", "4x310p"):
            with self.subTest(name=name):
                once, _ = self.simulate("--for=1h", scenario=name)
                again, _ = self.simulate("--for=1h", scenario=name)
                self.assertEqual(once, again)
                self.assertEqual(len(pages_of(once)), 120)

    def test_another_seed_gives_other_bytes(self):
        path = self.folder / "seed.yaml"
        outputs = set()
        for seed in (1, 2):
            path.write_text(f"machine: 8x910b\nseed: {seed}\n", encoding="utf-8")
            outputs.add(self.simulate("--for=10m", scenario=path)[0])
        self.assertEqual(len(outputs), 2)

    def test_events_happen_at_their_time(self):
        events = [{"at": "2m", "for": "2m", "device": 3, "kind": "temperature", "celsius": 95},
                  {"at": "2m", "for": "2m", "device": 4, "kind": "hang", "call": "power"},
                  {"at": "2m", "for": "2m", "device": 0, "kind": "fault", "code": "80E01801",
                   "repeat": 2}]
        scenario = Scenario(self.folder, "8x910b", "idle", events)
        output, _ = self.simulate("--for=6m", "--every=1m", scenario=scenario.path)
        pages = [Page(text.rstrip("\n") + "\n") for _, text in pages_of(output)]
        self.assertEqual(len(pages), 6)

        def seen(predicate):  # during the events, and before and after them
            return predicate(pages[2]), [predicate(pages[i]) for i in (0, 4, 5)]
        for predicate in (
                lambda page: page.value("ascend_npu_temperature_celsius", device=3) == 95,
                lambda page: page.value("ascend_npu_up", device=4) == 0,
                lambda page: page.value("ascend_npu_devices", state="hung") == 1,
                lambda page: "0" in page.devices("ascend_npu_fault")):
            self.assertEqual(seen(predicate), (True, [False] * 3))
        self.assertEqual(pages[5].value("ascend_npu_faults_total", device=0,
                                        action="restart_workload"), 2)

    def test_a_reader_that_goes_away_is_a_failure(self):
        read, write = os.pipe()
        with subprocess.Popen([PROGRAM, "simulate", "--for=24h"], stdout=write,
                              stderr=subprocess.PIPE, env=environment()) as process:
            os.close(write)
            os.close(read)
            process.stderr.read()
            self.assertNotEqual(process.wait(DAY_LIMIT), 0)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "simulate", "--for=1m"], stdout=full,
                                  stderr=subprocess.PIPE, env=environment(), timeout=DAY_LIMIT,
                                  check=False)
        self.assertNotEqual(done.returncode, 0)

    def test_steps_longer_than_the_whole_are_refused(self):
        done = run("simulate", "--for=1m", "--every=2m")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Aascend-exporter: [^\n]*--every[^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
