"""The checks of the soak find what is planted, and nothing else."""

import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import page_check  # noqa: E402
from ledger import Ledger  # noqa: E402

CLOCK = 'ascend_npu_hbm_used_bytes{device="%d"} %d'
TYPES = """# TYPE ascend_npu_temperature_celsius gauge
# TYPE ascend_npu_network_receive_bytes_total counter
# TYPE ascend_npu_energy_joules_total counter
# TYPE ascend_npu_power_watts gauge
"""


class Machine:
    """Gives values of the clock as (device + 1) * 100; those that it gave an hour ago end in 99."""

    def last_true(self, device, value):
        if value == 100 * (device + 1):
            return time.monotonic()
        return time.monotonic() - 3600 if value == 100 * (device + 1) + 99 else None


def page(moment=0.0, front=1, changes=()):
    """A page of two devices, with (old, new) parts of its text changed."""
    lines = [TYPES.strip(), f"process_start_time_seconds {front}"]
    for device in (0, 1):
        lines += [f'ascend_npu_up{{device="{device}"}} 1',
                  f'ascend_npu_temperature_celsius{{device="{device}"}} {30 + device}',
                  f'ascend_npu_network_receive_bytes_total{{device="{device}"}} {7 + device}',
                  f'ascend_npu_power_watts{{device="{device}"}} {100 + device}',
                  f'ascend_npu_energy_joules_total{{device="{device}"}} {100 * moment + device}',
                  f'{page_check.LAST_SAMPLE}{{device="{device}"}} {time.time() - 0.05}',
                  CLOCK % (device, 100 * (device + 1))]
    text = "\n".join(lines) + "\n"
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


class ChecksTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger(say=lambda text: None)
        later = [(CLOCK % (device, 100 * (device + 1)), CLOCK % (device, 150 * (device + 1)))
                 for device in (0, 1)]
        pages = [page(), page(moment=0.01, changes=later)]  # what moves is known by its moving
        self.baseline = page_check.Baseline(pages)
        self.holds = page_check.Holds(self.ledger, lambda device: device == 1)
        self.checker = page_check.Checker(self.baseline, Machine(), self.ledger, self.holds)

    def found(self, *pages):
        for text in pages:
            now = time.monotonic()
            self.checker.check(text, now, now)
        self.ledger.judge(everything=True)
        return sorted((violation.kind, violation.device) for violation in self.ledger.violations)

    def found_after(self, *changes):
        return self.found(page(changes=changes))

    def test_a_page_of_the_machine_is_right(self):
        self.assertEqual(self.found(page(), page()), [])

    def test_the_value_of_another_device_is_false(self):
        self.assertEqual(self.found_after(('celsius{device="0"} 30', 'celsius{device="0"} 31')),
                         [("false value", 0)])

    def test_a_value_that_the_clock_never_had_is_false(self):
        self.assertEqual(self.found_after((CLOCK % (1, 200), CLOCK % (1, 100))),
                         [("false value", 1)])

    def test_a_value_that_was_true_an_hour_ago_is_old(self):
        self.assertEqual(self.found_after((CLOCK % (1, 200), CLOCK % (1, 299))), [("old value", 1)])

    def test_a_series_that_is_not_there_is_missing(self):
        gone = 'ascend_npu_temperature_celsius{device="1"} 31\n'
        self.assertEqual(self.found_after((gone, "")), [("incomplete", 1)])

    def test_a_series_that_was_never_there_is_false(self):
        new = 'ascend_npu_up{device="1"} 1\nascend_npu_voltage_volts{device="1"} 1'
        self.assertEqual(self.found_after(('ascend_npu_up{device="1"} 1', new)),
                         [("false value", 1)])

    def test_a_device_that_is_down_is_noticed(self):
        self.assertEqual(self.found_after(('up{device="0"} 1', 'up{device="0"} 0')), [("down", 0)])

    def test_a_sample_that_is_old_is_noticed(self):
        text = page(changes=[(f'{page_check.LAST_SAMPLE}{{device="1"}} ', "x 1\n# ")])
        self.assertIn(("old sample", 1), self.found(text))

    def test_a_counter_that_falls_is_noticed_unless_another_front_counts(self):
        self.assertEqual(self.found(page(moment=1), page(moment=0.5, front=2)), [])
        self.assertEqual(self.found(page(moment=0.1, front=2)),
                         [("counter fell", 0), ("counter fell", 1)])

    def test_an_integral_that_is_more_than_its_power_is_noticed(self):
        self.assertEqual(self.found(page(), page(moment=3)), [])
        more = ('joules_total{device="1"} 301', 'joules_total{device="1"} 901')
        self.assertEqual(self.found(page(moment=3, changes=[more])), [("integral ran ahead", 1)])

    def test_text_that_is_no_metrics_page_is_noticed(self):
        self.assertEqual(self.found_after(("process_start", "process start")),
                         [("no metrics line", None)])
        self.assertIn(("cut page", None), self.found(page()[:-1]))

    def test_a_series_that_is_there_twice_is_noticed(self):
        line = 'ascend_npu_up{device="1"} 1\n'
        self.assertEqual(self.found_after((line, line + line)), [("twice on the page", None)])

    def test_a_call_that_is_held_without_a_reason_is_noticed(self):
        held = 'ascend_exporter_held_call_info{device="%d",collector="all"} 1\n'
        self.assertEqual(self.found(page() + held % 1), [])
        self.assertEqual(self.found(page() + held % 0), [("innocent is held", 0)])

    def test_what_was_done_explains_what_is_seen_and_nothing_else(self):
        self.ledger.excuse("gap", 0)
        down = [(f'up{{device="{device}"}} 1', f'up{{device="{device}"}} 0') for device in (0, 1)]
        false = ('celsius{device="0"} 30', 'celsius{device="0"} 31')
        self.assertEqual(self.found(page(changes=[*down, false])),
                         [("down", 1), ("false value", 0)])

    def test_an_excuse_that_has_ended_explains_no_more(self):
        self.ledger.excuse("gap", 0, end=time.monotonic() - 1)
        self.assertEqual(self.found_after(('up{device="0"} 1', 'up{device="0"} 0')), [("down", 0)])


if __name__ == "__main__":
    unittest.main()
