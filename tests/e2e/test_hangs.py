"""Calls into the vendor's library that do not return: the device that was asked is down, another
process takes over, and no sample of the other devices is missing meanwhile."""

import time
import unittest

from harness import PATIENCE, poll
from kernel import descendants_of, runs
from processes import (ALLOWANCE, BACK_WITHIN, HELD, PERIOD, REMAINS, RESTARTS, STALE_AFTER, UP,
                       ProcessesTest, Watch, host_of, measured, names_of)

HANG = "rule dcmi_get_device_temperature 3 hang"
HUNG_AFTER = 10.0  # seconds past the deadline until a call is thought not to return
SECOND_REPLACEMENT_AFTER = 60.0
OTHERS = set(range(8)) - {3}


class HungCallTest(ProcessesTest):
    def test_is_left_behind_and_no_sample_of_the_others_is_missing(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            with Watch(exporter) as watch:
                hung, began = time.time(), time.monotonic()
                machine.set_rules(HANG)
                exporter.wait_for(lambda page: page.value(UP, device=3) == 0)
                self.assertLess(time.monotonic() - began, STALE_AFTER + 3 * PERIOD + ALLOWANCE)
                exporter.wait_for(lambda page: names_of(page, 3) == REMAINS)
                exporter.wait_for(lambda page: page.value(RESTARTS, reason="hung") == 1)
                took = time.monotonic() - began
                page = self.wait_until_sampled(exporter, STALE_AFTER + 1)
            self.assert_kept(watch, measured(before, OTHERS))
            self.assertGreater(took, HUNG_AFTER)
            self.assertLess(took, HUNG_AFTER + BACK_WITHIN)
            new = host_of(exporter)
            self.assertNotEqual(new, old)
            self.assertFalse(runs(old))
            # The new one hangs there as well. Nothing of the device came back in between.
            down = [frame.number(f'{UP}{{device="3"}}') for frame in watch.frames
                    if frame.at > hung + STALE_AFTER + 3 * PERIOD + ALLOWANCE]
            self.assertEqual(set(down), {0})
            self.assertEqual(page.value("ascend_npu_devices", state="hung"), 1)
            self.assertEqual(page.value("ascend_exporter_hosts_left_behind"), 0)
            self.assert_accepted(page)

            # A second one would do no better: not before a minute has passed.
            self.wait_until_sampled(exporter, HUNG_AFTER + 3)
            self.assertEqual(host_of(exporter), new)
            self.assertEqual(exporter.page().value(RESTARTS, reason="hung"), 1)

            machine.set_rules()
            page = exporter.wait_for(lambda page: measured(before) <= page.keys())
            self.assertEqual(page.value(UP, device=3), 1)
            self.assertEqual(host_of(exporter), new)

    def test_that_returns_in_time_costs_no_host(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            with Watch(exporter) as watch:
                machine.set_rules(HANG)
                exporter.wait_for(lambda page: names_of(page, 3) == REMAINS)
                self.wait_until_sampled(exporter, 2)
                machine.set_rules()
                exporter.wait_for(lambda page: measured(before) <= page.keys())
            self.assert_kept(watch, measured(before, OTHERS))
            self.assertEqual(host_of(exporter), old)
            self.assertEqual(exporter.page().value("ascend_exporter_stuck_calls"), 0)

    def test_of_the_search_for_devices_is_replaced_too(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                machine.set_rules("rule dcmi_get_card_list * hang")
                exporter.wait_for(lambda page: page.state() == "hung")
                self.wait_until_sampled(exporter, 2)
                machine.set_rules()
                page = exporter.wait_for(lambda page: page.state() == "ok")
            self.assert_kept(watch, measured(before))
            self.assert_accepted(page)


class OneLockTest(ProcessesTest):
    """A library with one lock around all calls: one that hangs keeps all others waiting."""

    def test_one_stuck_call_takes_no_series_of_the_others(self):
        machine = self.machine(settings=["one_lock"])
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            with Watch(exporter) as watch:
                machine.set_rules(HANG)
                exporter.wait_for(lambda page: page.value(RESTARTS, reason="serialized") == 1)
                page = self.wait_until_sampled(exporter, STALE_AFTER + 1)
            self.assert_kept(watch, measured(before, OTHERS))
            self.assertNotEqual(host_of(exporter), old)
            self.assertEqual(page.family(HELD), [({"device": "3", "collector": "all"}, 1)])
            self.assertEqual({device: page.value(UP, device=device) for device in range(8)},
                             {device: int(device != 3) for device in range(8)})
            self.assertEqual(names_of(page, 3), REMAINS)
            self.assertEqual(exporter.log.count("device 3 is left alone for a time"), 1)
            self.assert_accepted(page)

    def test_a_hang_that_ends_by_itself_soon_is_waited_for(self):
        machine = self.machine(settings=["one_lock"])
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            with Watch(exporter) as watch:
                machine.set_rules("rule dcmi_get_device_temperature 3 slow 300")
                self.wait_until_sampled(exporter, 1)
                machine.set_rules()
                exporter.wait_for(lambda page: measured(before) <= page.keys())
            self.assertEqual(watch.missing(measured(before, OTHERS)), [])
            self.assertEqual(host_of(exporter), old)


class EndTest(ProcessesTest):
    def test_sigterm_ends_all_in_time_while_a_call_hangs(self):
        for settings, rule in (([], HANG), (["one_lock"], HANG),
                               ([], "rule dcmi_init * hang"), ([], "rule dlopen * hang")):
            machine = self.machine(settings=settings)
            with self.subTest(settings=settings, rule=rule):
                if "device" not in rule:
                    machine.set_rules(rule)
                with self.exporter(machine) as exporter:
                    if "device" in rule:
                        self.wait_until_whole(exporter)
                        machine.set_rules(rule)
                        exporter.wait_for(lambda page: page.value(UP, device=3) == 0)
                    else:
                        host_of(exporter)
                    mine = descendants_of(exporter.pid)
                    self.assertLess(exporter.stop(), exporter.STOP_LIMIT)
                    self.assertEqual([pid for pid in mine if runs(pid)], [])

    def test_sigterm_while_hosts_are_replaced_leaves_no_process(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            self.wait_until_whole(exporter)
            machine.set_rules("rule dcmi_get_device_temperature 3 crash segv",
                              "rule dcmi_get_device_health 4 crash abort")
            poll(lambda: "the driver host crashed" in exporter.log, PATIENCE, "it crashes")
            mine = descendants_of(exporter.pid)
            self.assertLess(exporter.stop(), exporter.STOP_LIMIT)
            self.assert_gone(mine)


if __name__ == "__main__":
    unittest.main()
