"""Processes that are stopped for a while, orphans, and what is left when the exporter ends."""

import os
import signal
import time
import unittest

from harness import PATIENCE, poll
from kernel import children_of, descendants_of, program_of, runs, stat_of, status_of, stopped
from processes import (BACK_WITHIN, STALE_AFTER, UP, ProcessesTest, Watch, front_of, host_of,
                       measured, of_role)
from stand_ins import FakeTool


class StoppedTest(ProcessesTest):
    """SIGSTOP, as a debugger, a frozen cgroup or a suspended machine stop processes."""

    STOPPED_FOR = STALE_AFTER + 1.5

    def assert_recovers(self, choose):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            pids = choose(exporter)
            with stopped(*pids):
                self.let_pass(self.STOPPED_FOR)
            frame = self.first_frame(exporter)
            self.assertEqual(frame.stale(STALE_AFTER + 0.3), [])
            page = exporter.wait_for(lambda page: measured(before) <= page.keys(),
                                     within=BACK_WITHIN)
            self.assert_accepted(page)
            self.assertEqual(page.state(), "ok")
            return page

    def first_frame(self, exporter):
        watch = Watch(exporter)
        watch.scrape()
        self.assertEqual(watch.failures, [])
        return watch

    def test_of_the_host(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                with stopped(host_of(exporter)):
                    page = exporter.wait_for(lambda page: page.value(UP, device=0) == 0)
                    page = exporter.wait_for(
                        lambda page: not page.devices("ascend_npu_temperature_celsius"))
                self.assertEqual(watch.failures, [])
                exporter.wait_for(lambda page: measured(before) <= page.keys(), within=BACK_WITHIN)
            self.assertEqual(watch.stale(STALE_AFTER + 0.5), [])
            self.assertEqual(watch.falls(), [])
            self.assert_accepted(page)

    def test_of_the_front(self):
        self.assert_recovers(lambda exporter: [front_of(exporter)])

    def test_of_front_and_host(self):
        self.assert_recovers(lambda exporter: [front_of(exporter), host_of(exporter)])

    def test_of_all_three(self):
        self.assert_recovers(lambda exporter: [exporter.pid, front_of(exporter),
                                               host_of(exporter)])

    def test_of_the_supervisor_is_not_seen(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch, stopped(exporter.pid):
                self.wait_until_sampled(exporter, STALE_AFTER)
            self.assert_kept(watch, measured(before))

    def test_sigterm_ends_all_in_time_whoever_is_stopped(self):
        machine = self.machine()
        for who in ("host", "front", "both"):
            with self.subTest(who=who), self.exporter(machine) as exporter:
                self.wait_until_whole(exporter)
                mine = descendants_of(exporter.pid)
                pids = [pid for role in ("host", "front") if who in (role, "both")
                        for pid in of_role(exporter, role)]
                with stopped(*pids):
                    self.assertLess(exporter.stop(), exporter.STOP_LIMIT)
                    self.assertEqual([pid for pid in mine if runs(pid)], [])


class OrphansTest(ProcessesTest):
    # A run of npu-smi leaves a process behind, whose parent ends before it does.
    LEAVES_ORPHANS = '(sleep 0.3 &)\n[ "$*" = info ] && exec cat "{text}"\nexit 1\n'

    def tool(self):
        tool = FakeTool(self.folder, self.MACHINE)
        tool.script(self.LEAVES_ORPHANS.format(text=self.folder / "npu-smi.text"))
        return tool

    def zombies_of(self, pid):
        return [child for child in self.all_children(pid) if stat_of(child)[0] == "Z"]

    def all_children(self, pid):
        stats = {int(entry): stat_of(entry) for entry in os.listdir("/proc") if entry.isdigit()}
        return [child for child, stat in stats.items() if stat is not None and stat[1] == pid]

    def test_are_reaped(self):
        with self.exporter(self.tool()) as exporter:
            exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
            poll(lambda: len(self.all_children(exporter.pid)) > 2, PATIENCE, "there are orphans")
            poll(lambda: len(self.all_children(exporter.pid)) == 2, PATIENCE, "they are reaped")

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_are_reaped_by_process_1_of_a_container_that_sigterm_ends(self):
        tool = self.tool()
        exporter = self.exporter(tool)
        exporter.run_by("unshare", "--pid", "--fork", "--kill-child")
        with exporter:
            exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
            (init,) = children_of(exporter.pid)
            self.assertEqual(status_of(init)["NSpid"].split()[-1], "1")
            poll(lambda: len(self.all_children(init)) > 2, PATIENCE, "there are orphans")
            poll(lambda: len(self.all_children(init)) == 2, PATIENCE, "they are reaped")
            mine = [init, *descendants_of(init)]
            began = time.monotonic()
            exporter.ends_otherwise()
            os.kill(init, signal.SIGTERM)
            self.assertEqual(exporter.process.wait(BACK_WITHIN), 0)
            self.assertLess(time.monotonic() - began, exporter.STOP_LIMIT)
            self.assertEqual([pid for pid in mine if runs(pid)], [])

    def test_a_tool_that_hangs_does_not_outlive_the_exporter(self):
        tool = FakeTool(self.folder, self.MACHINE)
        for end in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(end=end), self.exporter(tool) as exporter:
                exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
                # Its children end with its group, which nobody is left to end after SIGKILL.
                tool.script("trap '' TERM\nsleep 60 & sleep 60\n" if end == signal.SIGTERM
                            else "exec sleep 60\n")
                poll(lambda: any(program_of(pid) == "sleep" for pid in
                                 descendants_of(exporter.pid)), PATIENCE, "the tool hangs")
                mine = descendants_of(exporter.pid)
                if end == signal.SIGTERM:
                    self.assertLess(exporter.stop(), exporter.STOP_LIMIT)
                else:
                    exporter.ends_otherwise()
                    os.kill(exporter.pid, signal.SIGKILL)
                self.assert_gone(mine)
            tool = FakeTool(self.folder, self.MACHINE)


if __name__ == "__main__":
    unittest.main()
