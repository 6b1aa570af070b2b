"""A vendor's library that crashes: it costs the call that it crashed in, and nothing else."""

import re
import unittest

from processes import (BACK_WITHIN, CRASHES, HELD, RESTARTS, STALE_AFTER, TEMPERATURES, UP,
                       ProcessesTest, Watch, measured)
from stand_ins import FakeTool

CRASHED = r'level=error msg="the driver host crashed: (.*)"'


class CrashTest(ProcessesTest):
    def assert_costs_one_call(self, kind, died, reason="crashed", crashes=1):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            others = measured(before, set(range(8)) - {3})
            rest = measured(before, {3}, TEMPERATURES)
            with Watch(exporter) as watch:
                machine.set_rules(f"rule dcmi_get_device_temperature 3 crash {kind}")
                exporter.wait_for(lambda page: page.value(HELD, device=3, collector="temperature"))
                page = self.wait_until_sampled(exporter, STALE_AFTER + 1)
            self.assert_kept(watch, others | rest)
            self.assertEqual(page.value(UP, device=3), 1)
            self.assertEqual(page.names_of(3) & TEMPERATURES, set())
            self.assertEqual(page.family(HELD), [({"device": "3", "collector": "temperature"}, 1)])
            self.assertEqual(page.value(RESTARTS, reason=reason), 1)
            self.assertEqual(page.value(CRASHES, device=3, collector="temperature"), crashes)
            self.assertEqual(len(re.findall(died, exporter.log)), 1, exporter.log)
            self.assertEqual(exporter.log.count("device 3 is not asked for temperature"), 1)
            self.assert_accepted(page)

    def test_a_write_through_a_null_pointer_costs_the_call(self):
        self.assert_costs_one_call("segv", CRASHED.replace("(.*)", (
            r"SIGSEGV in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_an_abort_costs_the_call(self):
        self.assert_costs_one_call("abort", CRASHED.replace("(.*)", (
            r"SIGABRT in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_an_exit_costs_the_call(self):
        self.assert_costs_one_call("exit", CRASHED.replace("(.*)", (
            r"exit\(\) in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_an_overflow_of_the_stack_costs_the_call(self):
        self.assert_costs_one_call("stack", CRASHED.replace("(.*)", (
            r"SIGSEGV in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_a_corrupt_heap_costs_the_call(self):
        self.assert_costs_one_call("heap", CRASHED.replace("(.*)", (
            r"SIGABRT in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_an_exit_that_leaves_no_trace_costs_the_call(self):
        self.assert_costs_one_call("_exit", CRASHED.replace("(.*)", (
            r"exit\(\) in libdcmi\.so\+0x[0-9a-f]+ .*while device 3 was asked for temperature")))

    def test_calls_of_two_devices_cost_two_calls(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                machine.set_rules("rule dcmi_get_device_temperature 3 crash segv",
                                  "rule dcmi_get_device_power_info 6 crash abort")
                held = {("3", "temperature"), ("6", "power")}
                exporter.wait_for(lambda page: held == {
                    (labels["device"], labels["collector"]) for labels, _ in page.family(HELD)})
                page = self.wait_until_sampled(exporter, STALE_AFTER + 1)
            self.assert_kept(watch, measured(before, set(range(8)) - {3, 6}))
            self.assertEqual(page.value(RESTARTS, reason="crashed"), 2)
            self.assertEqual([page.value(UP, device=device) for device in (3, 6)], [1, 1])
            self.assert_accepted(page)


class CrashOfTheStartTest(ProcessesTest):
    """A library that crashes before it has listed a device."""

    STARTS = ("dlopen *", "dcmi_init *", "dcmi_get_card_list *", "dcmi_get_device_num_in_card 2/*")

    def test_leaves_a_page_that_says_so(self):
        for start in self.STARTS:
            machine = self.machine()
            machine.set_rules(f"rule {start} crash segv")
            with self.subTest(start=start), self.exporter(machine) as exporter:
                page = exporter.wait_for(lambda page: page.state() == "crashed")
                self.assertEqual(page.value("ascend_exporter_driver_up"), 0)
                self.assertEqual(page.devices(UP), set())
                self.assert_accepted(page)
                for path in ("/", "/-/healthy", "/metrics"):
                    self.assertEqual(exporter.get(path).status, 200, path)
                self.assertEqual(len(re.findall(CRASHED, exporter.log)), 1, exporter.log)
                self.assertIn("while it looked for devices", exporter.log)

    def test_lets_auto_go_on_with_the_tool(self):
        machine = self.machine()
        tool = FakeTool(self.folder, self.MACHINE)
        machine.set_rules("rule dcmi_init * crash abort")
        machine.flags = [flag.replace("--driver=dcmi", "--driver=auto") for flag in machine.flags]
        machine.flags.append(f"--npu-smi.path={tool.path}")
        with self.exporter(machine) as exporter:
            page = exporter.wait_for(lambda page: len(page.devices(UP)) == 8, within=BACK_WITHIN)
            self.assertEqual(page.state(), "ok")
            ((info, _),) = page.family("ascend_npu_driver_info")
            self.assertEqual(info["backend"], "npu_smi")
            self.assertEqual(page.value(RESTARTS, reason="crashed"), 1)
            self.assertIn("while it looked for devices", exporter.log)

    def test_of_a_search_later_on_keeps_the_devices(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            machine.set_rules("rule dcmi_get_card_list * crash segv 1 once")
            exporter.wait_for(lambda page: page.value(RESTARTS, reason="crashed") == 1)
            page = exporter.page()
            self.assertEqual(page.value("ascend_npu_devices_expected"), 8)
            self.assertLessEqual({key for key in before if key.startswith("ascend_npu_info{")},
                                 page.keys())
            self.assert_accepted(page)


if __name__ == "__main__":
    unittest.main()
