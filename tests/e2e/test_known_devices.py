"""What is known of the devices outlives the processes: those that are lost, and how many there
should be."""

import os
import pathlib
import signal
import unittest

from harness import run
from processes import RESTARTS, UP, ProcessesTest, front_of, host_of, measured, names_of


class LostDeviceTest(ProcessesTest):
    """A device that is gone stays on the page as lost, whichever process is replaced."""

    def lose(self, machine, exporter, device=3):
        machine.lose(device)
        return exporter.wait_for(self.lost)

    @staticmethod
    def lost(page):
        return (page.value(UP, device=3) == 0 and "ascend_npu_info" in page.names_of(3)
                and page.value("ascend_npu_devices", state="lost") == 1
                and page.value("ascend_npu_devices_expected") == 8)

    def test_when_the_host_is_killed(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            self.wait_until_whole(exporter)
            self.lose(machine, exporter)
            os.kill(host_of(exporter), signal.SIGKILL)
            exporter.wait_for(lambda page: page.value(RESTARTS, reason="killed") == 1)
            page = self.wait_until_sampled(exporter, 1)
            self.assertTrue(self.lost(page), page.text)

    def test_when_the_front_is_killed(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            self.wait_until_whole(exporter)
            self.lose(machine, exporter)
            os.kill(front_of(exporter), signal.SIGKILL)
            # Who it was went with the front: only the device itself could tell again.
            self.page_in_time(exporter, lambda page: (
                page.value(UP, device=3) == 0
                and page.value("ascend_npu_devices", state="lost") == 1
                and page.value("ascend_npu_devices_expected") == 8))

    def test_that_is_back_after_another_host_started_is_there_again(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            self.lose(machine, exporter)
            os.kill(host_of(exporter), signal.SIGKILL)
            exporter.wait_for(lambda page: page.value(RESTARTS, reason="killed") == 1)
            machine.restore()
            page = exporter.wait_for(lambda page: measured(before) <= page.keys())
            self.assertEqual(page.value("ascend_npu_devices", state="lost"), 0)

    def test_whose_number_changes_is_another_one(self):
        machine = self.machine()
        with self.exporter(machine, "--devices.lost-retention=2s") as exporter:
            before = self.wait_until_whole(exporter)
            machine.renumber(3, 13)
            page = exporter.wait_for(lambda page: page.value(UP, device=13) == 1
                                     and not page.names_of(3))
            self.assertEqual(names_of(page, 13), names_of(before, 3))
            self.assertEqual(page.value("ascend_npu_devices_expected"), 8)
            self.assert_accepted(page)


class StateTest(ProcessesTest):
    """How many devices there should be, kept from one start to the next in a file."""

    EXPECTED = "ascend_npu_devices_expected"

    def seven(self):
        machine = self.machine()
        machine.lose(3)
        return machine

    def assert_expects(self, machine, devices, *flags, expected=8, **popen):
        with self.exporter(machine, f"--path.state={self.folder / 'state'}", *flags,
                           **popen) as exporter:
            page = self.wait_until_whole(exporter, devices)
            self.assertEqual(page.value(self.EXPECTED), expected)
        return exporter.log

    def test_is_kept(self):
        state = self.folder / "state"
        state.mkdir()
        self.assert_expects(self.machine(), 8)
        self.assertEqual([file.name for file in state.iterdir()], ["devices"])
        self.assertEqual((state / "devices").read_text(encoding="utf-8"), "8\n")
        log = self.assert_expects(self.seven(), 7)
        self.assertNotIn("state", log)

    def test_that_is_broken_costs_one_line(self):
        state = self.folder / "state"
        state.mkdir()
        for broken in (b"", b"eight\n", b"-1\n", b"99999999999999999999\n", os.urandom(4096), b"8"):
            with self.subTest(broken=broken[:10]):
                (state / "devices").write_bytes(broken)
                log = self.assert_expects(self.machine(), 8)
                self.assertEqual(log.count(str(state / "devices")), 1, log)
                self.assertEqual((state / "devices").read_text(encoding="utf-8"), "8\n")

    def test_that_cannot_be_written_costs_one_line(self):
        for name, prepare in (("no folder", lambda path: None), ("a file", pathlib.Path.touch),
                              ("a folder in its place", lambda path: (path / "devices").mkdir(
                                  parents=True))):
            with self.subTest(name=name):
                prepare(self.folder / "state")
                log = self.assert_expects(self.machine(), 8)
                self.assertEqual(log.count(str(self.folder / "state" / "devices")), 1, log)
            state = self.folder / "state"
            if state.is_file():
                state.unlink()

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_on_a_full_disk_costs_one_line(self):
        state = self.folder / "state"
        state.mkdir()
        machine = self.machine()
        exporter = self.exporter(machine, f"--path.state={state}")
        exporter.run_by("unshare", "--mount", "sh", "-c", (
            f'mount -t tmpfs -o size=4k none "{state}" && head -c 4096 /dev/zero > "{state}/full"; '
            'exec "$@"'), "sh")
        with exporter:
            page = self.wait_until_whole(exporter)
            self.assertEqual(page.value(self.EXPECTED), 8)
            self.wait_until_sampled(exporter, 1)
            self.assertEqual(exporter.log.count(str(state / "devices")), 1)
            self.assertIn("No space left on device", exporter.log)
            self.assertEqual(page.family(RESTARTS), [])
        self.assertEqual(list(state.iterdir()), [])


class RefusedTest(ProcessesTest):
    def test_periods_that_cannot_be_are_refused_in_one_line(self):
        for flag, value in (("fast-period", "0"), ("fast-period", "0s"), ("fast-period", "1ms"),
                            ("memory-period", "365d"), ("memory-period", "1y"),
                            ("fast-period", "5"), ("fast-period", "-1s"), ("window", "1e99s"),
                            ("fast-deadline", "0ms"), ("identity-period", "2h"),
                            ("fast-period", "1 parsec"), ("fast-period", "")):
            with self.subTest(flag=flag, value=value):
                done = run(f"--sampling.{flag}={value}", "--driver=sim")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stdout, "")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(f"--sampling.{flag}", done.stderr)


if __name__ == "__main__":
    unittest.main()
