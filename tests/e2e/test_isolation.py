"""The exporter's processes: any of them may be killed or stopped, and none has more rights than it
needs."""

import os
import pathlib
import random
import signal
import time
import unittest

from harness import PATIENCE, poll, program_for_everyone
from kernel import children_of, descendants_of, files_of, maps_of, status_of, stopped
from processes import (BACK_WITHIN, COUNTERS, PERIOD, RESTARTS, STALE_AFTER, UP, ProcessesTest,
                       Watch, front_of, host_of, measured, of_role)
from stand_ins import FakeTool

NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
NO_CAPABILITY = "0" * 16


def kill(pid, number=signal.SIGKILL):
    os.kill(pid, number)


class KilledTest(ProcessesTest):
    def assert_back(self, exporter, wanted, began):
        """The page is whole again in time."""
        page = self.page_in_time(exporter, lambda page: wanted <= page.keys())
        self.assertLess(time.monotonic() - began, BACK_WITHIN)
        return page

    def test_a_host_that_is_killed_costs_no_series_and_no_count(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            front, host = front_of(exporter), host_of(exporter)
            with Watch(exporter) as watch:
                kill(host)
                exporter.wait_for(lambda page: page.value(RESTARTS, reason="killed") == 1)
                page = self.wait_until_sampled(exporter, STALE_AFTER + 1)
            self.assert_kept(watch, measured(before))
            self.assertEqual(front_of(exporter), front)
            self.assertNotEqual(host_of(exporter), host)
            for name in COUNTERS:
                grown = [key for key in page if key.startswith(name) and page[key] > before[key]]
                self.assertTrue(grown, name)
            self.assertEqual(page.family("ascend_exporter_held_call_info"), [])
            self.assertIn("signal 9", exporter.log)

    def test_a_front_that_is_killed_is_back_and_the_host_never_noticed(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            host = host_of(exporter)
            with Watch(exporter) as watch:
                killed, began = time.time(), time.monotonic()
                kill(front_of(exporter))
                self.assert_back(exporter, measured(before), began)
                self.wait_until_sampled(exporter, STALE_AFTER)
            self.assertEqual(host_of(exporter), host)
            self.assertLess(max([at for at, _ in watch.failures], default=killed) - killed,
                            BACK_WITHIN)
            self.assertEqual(watch.stale(STALE_AFTER), [])
            page = exporter.page()
            self.assertEqual(page.state(), "ok")
            self.assertEqual(page.devices(UP), before.devices(UP))
            # So that Prometheus sees why counters began anew.
            self.assertGreater(page.value("process_start_time_seconds"),
                               before.value("process_start_time_seconds"))

    def test_front_and_host_killed_together_are_back(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            for order in ((front_of, host_of), (host_of, front_of)):
                victims = [find(exporter) for find in order]
                began = time.monotonic()
                for victim in victims:
                    kill(victim)
                self.assert_back(exporter, measured(before), began)

    def test_ten_kills_in_a_row_leave_everything_as_it_was(self):
        machine = self.machine()
        choose = random.Random(20)
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            for _ in range(10):
                began = time.monotonic()
                kill(choose.choice([front_of, host_of])(exporter))
                self.assert_back(exporter, measured(before), began)
            self.assertEqual(len(children_of(exporter.pid)), 2)
            page = exporter.page()
            self.assertEqual(page.state(), "ok")
            self.assertEqual(page.value("ascend_exporter_hosts_left_behind"), 0)

    def test_when_the_supervisor_is_killed_all_end(self):
        machine = self.machine()
        for call in ("", "rule dcmi_get_device_temperature 3 hang"):
            with self.subTest(call=call), self.exporter(machine) as exporter:
                self.wait_until_whole(exporter)
                machine.set_rules(*[call] if call else [])
                self.wait_until_sampled(exporter, 2 * PERIOD)
                mine = descendants_of(exporter.pid)
                self.assertEqual(len(mine), 2)
                exporter.ends_otherwise()
                kill(exporter.pid)
                self.assert_gone(mine)

    def test_a_host_that_cannot_be_started_leaves_a_page_that_says_so(self):
        program = program_for_everyone(self.folder)
        machine = self.machine()
        with self.exporter(machine, program=program) as exporter:
            before = self.wait_until_whole(exporter)
            host_program = program.with_name("ascend-exporter-host")
            hidden = program.with_name("hidden")
            os.replace(host_program, hidden)
            kill(host_of(exporter))
            page = exporter.wait_for(lambda page: page.value(UP, device=0) != 1)
            self.assert_accepted(page)
            exporter.wait_for_log("the driver host cannot be started: No such file or directory")
            self.assertEqual(measured(page) & measured(before),
                             {key for key in measured(page) if key in before})
            os.replace(hidden, host_program)
            self.wait_until_whole(exporter)


class RightsTest(ProcessesTest):
    def started(self):
        return self.exporter(self.machine())

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_of_the_front_are_none(self):
        with self.started() as exporter:
            self.wait_until_whole(exporter)
            front = front_of(exporter)
            status = status_of(front)
            for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                self.assertEqual(status[name], NO_CAPABILITY, name)
            self.assertEqual(status["Uid"].split(), [str(NOBODY)] * 4)
            self.assertEqual(status["Gid"].split(), [str(NOBODY)] * 4)
            self.assertEqual(status["Groups"].split(), [])
            self.assertEqual(status["NoNewPrivs"], "1")
            self.assertEqual(status["Seccomp"], "2")
            self.assertNotIn("libdcmi", maps_of(front))
            for fd, file in files_of(front).items():
                allowed = file.startswith(("socket:", "pipe:", "anon_inode:", "/memfd:")) or (
                    file in ("/dev/null", "/proc/stat"))
                self.assertTrue(allowed, f"{fd}: {file}")

    def test_of_the_host_hold_no_network(self):
        tool = FakeTool(self.folder, self.MACHINE)
        found = self.folder / "found"
        tool.script("/usr/bin/python3 - <<'END'\nimport socket\n"
                    "def tried(family):\n    try:\n        socket.socket(family).close()\n"
                    "    except OSError as error:\n        return error.strerror\n"
                    "    return 'open'\n"
                    f"with open('{found}', 'a') as file:\n"
                    "    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_PACKET):\n"
                    "        print(tried(family), file=file)\nEND\n"
                    f'[ "$*" = info ] && exec cat "{self.folder / "npu-smi.text"}"\nexit 1\n')
        with self.exporter(tool) as exporter:
            exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
            poll(lambda: found.exists() and found.read_text(encoding="utf-8"), PATIENCE, "it ran")
            self.assertEqual(set(found.read_text(encoding="utf-8").splitlines()),
                             {"Permission denied"})
            host = host_of(exporter)
            self.assertEqual(status_of(host)["Seccomp"], "2")
            self.assertFalse([file for file in files_of(host).values()
                              if file.startswith("socket:")])

    def test_of_the_supervisor_hold_neither_socket_nor_library(self):
        with self.started() as exporter:
            self.wait_until_whole(exporter)
            self.assertFalse([file for file in files_of(exporter.pid).values()
                              if file.startswith("socket:")])
            libraries = {pathlib.Path(line.split()[-1]).name for line in
                         maps_of(exporter.pid).splitlines() if ".so" in line}
            self.assertLessEqual({name.split(".")[0].split("-")[0] for name in libraries},
                                 {"libc", "ld"}, libraries)
            self.assertIn("libdcmi", maps_of(host_of(exporter)))

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_without_root_it_works_with_what_it_has_and_says_so(self):
        machine = self.machine()
        machine.env.pop("FAKE_DCMI_COUNTS")  # in a folder that is not writable then
        exporter = self.exporter(machine, program=program_for_everyone(self.folder))
        exporter.run_by(*AS_NOBODY)
        with exporter:
            page = self.wait_until_whole(exporter)
            self.assert_accepted(page)
            self.assertIn(f"running as uid {NOBODY}", exporter.log)
            self.assertRegex(exporter.log, rf"front: keeps uid {NOBODY} without capabilities")
            front = status_of(front_of(exporter))
            self.assertEqual((front["CapEff"], front["NoNewPrivs"], front["Seccomp"]),
                             (NO_CAPABILITY, "1", "2"))
            kill(host_of(exporter))
            exporter.wait_for(lambda page: page.value(RESTARTS, reason="killed") == 1)
            self.wait_until_whole(exporter)
            kill(front_of(exporter))
            poll(lambda: len(of_role(exporter, "front")) == 1, PATIENCE, "the front is back")


class AloneTest(ProcessesTest):
    def test_without_isolation_there_is_one_process(self):
        machine = self.machine()
        with self.exporter(machine, "--isolation=none", "--web.enable-lifecycle") as exporter:
            page = self.wait_until_whole(exporter)
            self.assertEqual(children_of(exporter.pid), [])
            self.assertIn("libdcmi", maps_of(exporter.pid))
            self.assert_accepted(page)
            for path in ("/-/reload", "/-/release", "/-/acquire"):
                self.assertEqual(exporter.get(path, method="POST").status, 501, path)
            for ignored in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
                kill(exporter.pid, ignored)
            self.wait_until_sampled(exporter, 2 * PERIOD)

    def test_both_ways_show_the_same(self):
        pages = []
        for isolation in ("full", "none"):
            machine = self.machine()
            with self.exporter(machine, f"--isolation={isolation}") as exporter:
                pages.append(self.wait_until_whole(exporter))
        self.assertEqual(measured(pages[0]), measured(pages[1]))
        own = [{name for name in page.names() if name.startswith("ascend_exporter_")}
               for page in pages]
        self.assertEqual(own[1] - own[0], set())


if __name__ == "__main__":
    unittest.main()
