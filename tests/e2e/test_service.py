"""What the service manager hears, and what is served when descriptors or memory run out."""

import contextlib
import os
import resource
import signal
import socket
import threading
import time
import unittest

from harness import PATIENCE, poll
from kernel import runs, status_of, stopped
from processes import (BACK_WITHIN, TEMPERATURE, UP, ProcessesTest, Watch, front_of, host_of,
                       measured)
from stand_ins import Scenario

WATCHDOG = 2.0  # seconds


class Manager:
    """The end of a notification socket that systemd has."""

    def __init__(self, path):
        self._path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self._path)
        os.chmod(self._path, 0o777)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self.messages = []  # (time.monotonic(), lines)

    def __enter__(self):
        self._reader.start()
        return self

    def __exit__(self, *_):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"", self._path)
        self._reader.join()
        self._socket.close()

    def _read(self):
        while message := self._socket.recv(4096):
            self.messages.append((time.monotonic(), message.decode("utf-8").splitlines()))

    @property
    def env(self):
        return {"NOTIFY_SOCKET": self._path, "WATCHDOG_USEC": str(int(WATCHDOG * 1e6))}

    def said(self, line, since=0):
        return [at for at, lines in list(self.messages) if line in lines and at >= since]

    def wait_for(self, line, since=0, within=PATIENCE):
        return poll(lambda: self.said(line, since), within, f"{line} is said")[0]


class NotifyTest(ProcessesTest):
    def setUp(self):
        super().setUp()
        self.manager = self.enterContext(Manager(self.folder / "notify"))

    def service(self, *flags):
        scenario = Scenario(self.folder, self.MACHINE)
        return self.exporter(scenario, *flags, env=scenario.env | self.manager.env)

    def test_ready_reloading_and_stopping_are_said(self):
        config = self.folder / "config.yaml"
        config.write_text("log: {level: info}\n", encoding="utf-8")
        with self.service(f"--config.file={config}") as exporter:
            self.manager.wait_for("READY=1")
            self.assertEqual(exporter.get("/metrics").status, 200)
            for text in ("log: {level: debug}\n", "log: {level: loud}\n"):
                config.write_text(text, encoding="utf-8")
                began = time.monotonic()
                os.kill(exporter.pid, signal.SIGHUP)
                reloading = self.manager.wait_for("RELOADING=1", began)
                lines = next(lines for at, lines in self.manager.messages if at == reloading)
                micros = [int(line.partition("=")[2]) for line in lines
                          if line.startswith("MONOTONIC_USEC=")]
                self.assertEqual(len(micros), 1)
                self.assertAlmostEqual(micros[0] / 1e6, reloading, delta=BACK_WITHIN)
                self.manager.wait_for("READY=1", reloading)
            exporter.stop()
            self.manager.wait_for("STOPPING=1")

    def test_the_watchdog_is_fed_twice_in_its_time(self):
        with self.service() as exporter:
            self.manager.wait_for("READY=1")
            self.wait_until_whole(exporter)
            begin = self.manager.wait_for("WATCHDOG=1")
            self.wait_until_sampled(exporter, 3 * WATCHDOG)
            fed = self.manager.said("WATCHDOG=1", begin)
            gaps = [after - before for before, after in zip(fed, fed[1:])]
            self.assertGreaterEqual(len(fed), 5)
            self.assertLess(max(gaps), WATCHDOG)

    def test_the_watchdog_is_not_fed_while_the_front_stands_still(self):
        with self.service() as exporter:
            self.manager.wait_for("WATCHDOG=1")
            with stopped(front_of(exporter)):
                began = time.monotonic()
                self.let_pass(2 * WATCHDOG)
                # One may have been on its way.
                self.assertEqual(self.manager.said("WATCHDOG=1", began + 0.1), [])
            self.manager.wait_for("WATCHDOG=1", time.monotonic())

    def test_the_watchdog_is_fed_while_the_host_stands_still_or_is_killed(self):
        with self.service() as exporter:
            self.manager.wait_for("WATCHDOG=1")
            with stopped(host_of(exporter)):
                began = time.monotonic()
                poll(lambda: len(self.manager.said("WATCHDOG=1", began)) >= 3, PATIENCE, "it eats")
                self.assertLess(time.monotonic() - began, 3 * WATCHDOG)
            os.kill(host_of(exporter), signal.SIGKILL)
            self.manager.wait_for("WATCHDOG=1", time.monotonic(), WATCHDOG)

    def test_a_front_that_is_started_again_goes_on_feeding(self):
        with self.service() as exporter:
            self.manager.wait_for("WATCHDOG=1")
            os.kill(front_of(exporter), signal.SIGKILL)
            killed = time.monotonic()
            self.manager.wait_for("WATCHDOG=1", killed, WATCHDOG)


def set_limit(pid, which, soft):
    """The soft limit alone, so that it can be raised again."""
    hard = resource.prlimit(pid, which)[1]
    resource.prlimit(pid, which, (soft, hard))


class DescriptorsTest(ProcessesTest):
    """No file descriptors are left."""

    def assert_lives_again(self, exporter, before):
        return self.page_in_time(exporter, lambda page: measured(before) <= page.keys(),
                                 2 * BACK_WITHIN)

    def test_of_the_front_that_idle_connections_hold_are_had_back(self):
        scenario = Scenario(self.folder, self.MACHINE)
        exporter = self.exporter(scenario)
        exporter.run_by("prlimit", "--nofile=40")
        with exporter, contextlib.ExitStack() as connections:
            before = self.wait_until_whole(exporter)
            host, _, port = exporter.address.rpartition(":")
            for _ in range(80):
                connections.enter_context(socket.create_connection((host, int(port)), PATIENCE))
            front = front_of(exporter)
            spent = self.cpu_of(front)
            self.let_pass(1)
            self.assertLess(self.cpu_of(front) - spent, 0.5)  # does not spin
            connections.close()
            self.assert_lives_again(exporter, before)
            self.assertEqual(front_of(exporter), front)
            self.assertLessEqual(exporter.log.count("Too many open files"), 2, exporter.log)

    def cpu_of(self, pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_of_the_host_cost_no_scrape(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                host = host_of(exporter)
                set_limit(host, resource.RLIMIT_NOFILE, 3)
                self.wait_until_sampled(exporter, 1)
                if runs(host):
                    set_limit(host, resource.RLIMIT_NOFILE, 1024)
                exporter.wait_for(lambda page: measured(before) <= page.keys())
            self.assertEqual(watch.failures, [])

    def test_of_the_supervisor_keep_it_trying(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            set_limit(exporter.pid, resource.RLIMIT_NOFILE, 3)
            os.kill(host_of(exporter), signal.SIGKILL)
            exporter.wait_for_log("cannot be started: Too many open files")
            self.assertEqual(exporter.get("/metrics").status, 200)
            os.kill(front_of(exporter), signal.SIGKILL)
            exporter.wait_for_log("cannot start the front: Too many open files")
            set_limit(exporter.pid, resource.RLIMIT_NOFILE, 1024)
            self.assert_lives_again(exporter, before)

    def test_at_the_start_let_it_serve_or_say_why_not(self):
        served = []
        for limit in (10, 16, 20, 24, 32, 40, 64):
            exporter = self.exporter(Scenario(self.folder, self.MACHINE))
            exporter.run_by("prlimit", f"--nofile={limit}")
            try:
                with exporter:
                    exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
                served.append(limit)
            except AssertionError:
                self.assertNotIn(exporter.process.returncode, (0, None))
                self.assertIn("Too many open files", exporter.log)
                self.assertLessEqual(exporter.log.count("Too many open files"), 2, exporter.log)
        self.assertIn(40, served)
        self.assertEqual(served, sorted(served))


class MemoryTest(ProcessesTest):
    """No memory is left."""

    STEP = 64 * 1024

    def address_space(self, pid):
        return int(status_of(pid)["VmSize"].split()[0]) * 1024

    def assert_survives(self, choose):
        with self.exporter(self.machine()) as exporter:
            before = self.wait_until_whole(exporter)
            victim = choose(exporter)
            set_limit(victim, resource.RLIMIT_AS, self.address_space(victim) + self.STEP)
            for _ in range(20):
                with contextlib.suppress(OSError, AssertionError):
                    exporter.get("/metrics", within=1)
                    exporter.get("/", within=1)
            if runs(victim):
                set_limit(victim, resource.RLIMIT_AS, resource.RLIM_INFINITY)
            page = self.page_in_time(exporter, lambda page: measured(before) <= page.keys(),
                                     2 * BACK_WITHIN)
            self.assert_accepted(page)

    def test_at_the_start_lets_it_serve_or_says_so(self):
        served = []
        for limit in (8, 16, 32, 64, 128, 256, 512, 1024):  # MiB
            exporter = self.exporter(Scenario(self.folder, self.MACHINE))
            exporter.run_by("prlimit", f"--as={limit << 20}")
            try:
                with exporter:
                    exporter.wait_for(lambda page: len(page.devices(UP)) == 8)
                served.append(limit)
            except AssertionError:
                self.assertNotIn(exporter.process.returncode, (0, None))
                self.assertRegex(exporter.log, "memory|failed to map segment")
                self.assertLessEqual(exporter.log.count("\n"), 6, exporter.log)
        self.assertIn(1024, served)
        self.assertEqual(served, sorted(served))

    def test_of_the_host(self):
        self.assert_survives(host_of)

    def test_of_the_supervisor(self):
        self.assert_survives(lambda exporter: exporter.pid)

    def test_when_another_host_is_to_be_started(self):
        with self.exporter(self.machine()) as exporter:
            before = self.wait_until_whole(exporter)
            set_limit(exporter.pid, resource.RLIMIT_AS, self.address_space(exporter.pid))
            os.kill(host_of(exporter), signal.SIGKILL)
            page = exporter.wait_for(lambda page: page.value(UP, device=0) != 1)
            self.assertEqual(page.devices(TEMPERATURE), set())
            set_limit(exporter.pid, resource.RLIMIT_AS, resource.RLIM_INFINITY)
            exporter.wait_for(lambda page: measured(before) <= page.keys())


if __name__ == "__main__":
    unittest.main()
