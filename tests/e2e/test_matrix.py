"""Every driver call fails in every way, and nothing else does: the part of the fault matrix in
which any two of call, fault, number of devices and moment meet. ./dev matrix plays all of it."""

import itertools
import sys
import time
import unittest

from harness import ROOT, TestCase

sys.path.insert(0, str(ROOT / "tests" / "matrix"))

import cells  # noqa: E402
import pages  # noqa: E402
import runner  # noqa: E402

TARGETS = [cells.Target("m", "init", False),
           *(cells.Target("m", f"read_{i}", True) for i in range(9))]


class SelectionTest(unittest.TestCase):
    def test_every_call_meets_every_fault(self):
        picked = cells.covering(cells.every_cell(TARGETS))
        self.assertEqual({(cell.target, cell.fault) for cell in picked},
                         set(itertools.product(TARGETS, cells.FAULTS)))

    def test_all_pairs_of_all_dimensions_meet(self):
        every = cells.every_cell(TARGETS)
        picked = cells.covering(every)
        self.assertEqual(set().union(*map(cells.pairs, picked)),
                         set().union(*map(cells.pairs, every)))

    def test_few_cells_are_picked_and_none_twice(self):
        picked = cells.covering(cells.every_cell(TARGETS))
        self.assertEqual(len(picked), len(set(picked)))
        self.assertLess(len(picked), 1.2 * len(TARGETS) * len(cells.FAULTS))

    def test_every_way_of_a_fault_occurs(self):
        ways = {cell.way for cell in cells.every_cell(TARGETS)}
        self.assertEqual(ways, {way for known in cells.WAYS.values() for way in known})


class JudgementTest(unittest.TestCase):
    """The checks find what they are there for."""

    WELL = ('ascend_npu_up{device="1"} 1\n'
            'ascend_npu_temperature_celsius{device="1"} 40\n'
            'ascend_npu_info{device="1",serial="A",die_id="B"} 1\n'
            'ascend_npu_last_sample_timestamp_seconds{device="1"} 100\n'
            'ascend_npu_energy_joules_total{device="1"} 5\n')

    def page(self, was="", becomes="", at=100.5):
        return pages.Page(self.WELL.replace(was, becomes), at)

    def differences(self, *change, at=100.5):
        return pages.differences(self.page(*change, at=at), self.page(), "1")

    def test_a_page_that_is_well_has_no_fault(self):
        self.assertEqual(self.differences(), "")
        self.assertEqual(pages.falsehoods(self.page(), self.page(), "1"), [])
        self.assertEqual(pages.nonsense(self.page(), "1"), [])

    def test_a_series_less_or_a_value_or_an_old_sample_is_a_difference(self):
        self.assertIn("lacks", self.differences('ascend_npu_up{device="1"} 1\n', ""))
        self.assertIn("41 in place of 40", self.differences(" 40", " 41"))
        self.assertIn("old", self.differences(at=110))

    def test_a_value_that_the_machine_does_not_have_is_false_and_an_absent_one_is_not(self):
        def falsehoods(*change):
            return pages.falsehoods(self.page(*change), self.page(), "1")
        self.assertEqual(len(falsehoods(" 40", " 41")), 1)
        self.assertEqual(len(falsehoods('serial="A"', 'serial="C"')), 1)
        self.assertEqual(falsehoods('serial="A"', 'serial=""'), [])
        self.assertEqual(falsehoods('ascend_npu_temperature_celsius{device="1"} 40\n', ""), [])

    def test_what_cannot_be_of_any_device_is_nonsense(self):
        for value in ("-60", "1000", "NaN", "+Inf"):
            self.assertEqual(len(pages.nonsense(self.page(" 40", f" {value}"), "1")), 1, value)

    def test_a_count_that_falls_is_found_even_after_it_was_absent(self):
        watcher = pages.Watcher()
        for becomes, falls in ((" 5", 0), (" 6", 0), (" 6", 0), (" 2", 1), (" 3", 0)):
            self.assertEqual(len(watcher.falls(self.page(" 5", becomes))), falls)
        watcher.falls(self.page('ascend_npu_energy_joules_total{device="1"} 5\n', ""))
        self.assertEqual(len(watcher.falls(self.page(" 5", " 1"))), 1)


class MatrixTest(TestCase):
    def test_a_fault_costs_what_it_must_and_nothing_else(self):
        began = time.monotonic()
        picked = cells.covering(cells.every_cell(runner.targets_of()))
        results = runner.run(picked)
        print(runner.table(results, began), file=sys.stderr)
        found = runner.violations(results)
        if found:
            self.fail("\n".join(found))
        self.assertEqual({result.cell for result in results}, set(picked))


if __name__ == "__main__":
    unittest.main()
