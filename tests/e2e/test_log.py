"""The log, and whoever reads it: the exporter works on however they behave."""

import fcntl
import json
import os
import re
import select
import signal
import socket
import subprocess
import time
import unittest

from harness import PATIENCE, PROGRAM, Exporter, TestCase, environment, run
from stand_ins import Scenario

PIPE_SIZE = 4 * 4096  # bytes; small, with room for a few lines
HEALTHY = 7  # chips of the machine; the eighth is described as unhealthy
ENDS_WITHIN = 5.0  # seconds after SIGTERM
LONGEST_LINE = select.PIPE_BUF
LOST = re.compile(r'level=warning msg="(\d+) lines of the log were lost: [^"]+"\n')
# A line of the log in each format, to its end.
LOGFMT = re.compile(r'ts=\S+Z level=[a-z]+ msg="(?:[^"\\\n]|\\.)*"\n')


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def full_pipe():
    """(read end, write end) of a pipe that takes nothing more. The write end blocks."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    os.set_blocking(write, False)
    while True:
        try:
            os.write(write, b"x" * PIPE_SIZE)
        except BlockingIOError:
            break
    os.set_blocking(write, True)  # for both ends of the fork
    return read, write


class Unread(Exporter):
    """An exporter whose log nobody need read: its port is known beforehand."""

    def __init__(self, *flags, stderr, argv=(PROGRAM,)):
        super().__init__(*flags)
        self.address = f"127.0.0.1:{free_port()}"
        self._argv = [*argv, f"--web.listen-address={self.address}", *flags]
        self._stderr = stderr

    def __enter__(self):
        self.started = time.monotonic()
        self.process = subprocess.Popen(self._argv, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self._stderr,
                                        env=environment())
        try:
            self.wait_until_served()
        except BaseException:
            self._kill()
            raise
        return self

    def _kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def wait_until_served(self):
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                self.get("/-/healthy")
                return
            except ConnectionRefusedError:
                select.select([], [], [], 0.02)
        raise AssertionError(f"not served; status {self.process.poll()}")


class ReaderTest(TestCase):
    def setUp(self):
        super().setUp()
        # Whatever happens to a device is logged.
        events = [{"at": f"{at}s", "for": "3s", "device": device, "kind": "health",
                   "state": "alarm"} for at in range(1, 60, 6) for device in range(8)]
        self.flags = [*Scenario(self.folder, "8x910b", events=events).flags,
                      "--sampling.health-period=250ms"]

    def open_pipe(self, make):
        ends = make()
        for end in ends:
            self.addCleanup(lambda fd=end: self.close(fd))
        return ends

    @staticmethod
    def close(fd):
        try:
            os.close(fd)
        except OSError:
            pass  # the test closed it

    def assert_works_on(self, exporter):
        """Its page is sampled anew, a device changes its state, and it ends when told to."""
        name = "ascend_npu_last_sample_timestamp_seconds"
        first = exporter.wait_for(lambda page: page.value(name, device=0) is not None)
        exporter.wait_for(lambda page: page.value(name, device=0) > first.value(name, device=0) + 1)
        for healthy in (0, HEALTHY):
            exporter.wait_for(lambda page, n=healthy:
                              page.value("ascend_npu_devices", state="healthy") == n)
        self.assertLess(exporter.stop(), ENDS_WITHIN)

    def test_a_full_pipe_stops_nothing(self):
        _, write = self.open_pipe(full_pipe)
        with Unread(*self.flags, stderr=write) as exporter:
            self.assert_works_on(exporter)

    def test_a_reader_that_went_away_stops_nothing(self):
        read, write = self.open_pipe(os.pipe)
        os.close(read)
        with Unread(*self.flags, stderr=write) as exporter:
            self.assert_works_on(exporter)

    def test_a_closed_stream_stops_nothing_and_nothing_takes_its_place(self):
        closed = ("/bin/sh", "-c", 'exec "$0" "$@" 2>&-', PROGRAM)
        with Unread(*self.flags, stderr=subprocess.DEVNULL, argv=closed) as exporter:
            self.assertEqual(os.readlink(f"/proc/{exporter.pid}/fd/2"), "/dev/null")
            self.assert_works_on(exporter)

    def test_lost_lines_are_counted_where_the_log_goes_on(self):
        read, write = self.open_pipe(full_pipe)
        with Unread(*self.flags, stderr=write) as exporter:
            exporter.wait_for(lambda page:
                              page.value("ascend_npu_devices", state="healthy") == HEALTHY)
            os.read(read, PIPE_SIZE)
            exporter.stop()
        os.close(write)
        with open(read, encoding="utf-8", closefd=False) as rest:
            log = rest.read()
        for line in log.splitlines(keepends=True):
            self.assertRegex(line, rf"\A{LOGFMT.pattern}\Z")
        lost = LOST.search(log)
        self.assertIsNotNone(lost, log)
        self.assertGreaterEqual(int(lost.group(1)), 2)  # the simulation, and the address
        self.assertTrue(log.startswith("ts=") and log.index(lost.group()) < log.index("\n"), log)
        self.assertIn(f'msg="stopping on signal {signal.SIGTERM.value}"', log)


class LineTest(TestCase):
    def test_a_long_line_is_cut_and_stays_whole(self):
        scenario = Scenario(self.folder, "8x910b").path
        name = os.fsencode(scenario.name)
        folder = os.fsencode(self.folder) + b"/"
        long_path = folder + b"./" * ((LONGEST_LINE - 2 - len(folder) - len(name)) // 2) + name
        for log_format in ("json", "logfmt"):
            with self.subTest(log_format=log_format):
                lines = self.log_of(long_path, log_format)
                self.assertTrue(all(len(line) <= LONGEST_LINE for line in lines))
                (line,) = (line for line in lines if b"values are simulated" in line)
                self.assertGreater(len(line), LONGEST_LINE * 9 // 10)
                if log_format == "json":
                    self.assertTrue(json.loads(line)["msg"].endswith("..."))
                else:
                    self.assertRegex(line.decode(), rf"\A{LOGFMT.pattern}\Z")

    def test_what_is_no_utf_8_is_replaced(self):
        path = os.fsencode(self.folder) + b"/caf\xe9\xff\xe6\x98\x87.yaml"
        os.rename(Scenario(self.folder, "8x910b").path, path)
        (line,) = (line for line in self.log_of(path, "json") if b"values are simulated" in line)
        self.assertIn("/caf\ufffd\ufffd\u6607.yaml", json.loads(line.decode("utf-8"))["msg"])

    def log_of(self, scenario, log_format):
        """The log of an exporter that plays the scenario and is told to stop, as lines of bytes."""
        argv = [PROGRAM, "--web.listen-address=127.0.0.1:0", f"--log.format={log_format}",
                "--driver=sim", b"--sim.scenario=" + scenario]
        with subprocess.Popen(argv, env=environment(), stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            lines = []
            for line in process.stderr:
                lines.append(line)
                if b"listening on" in line:
                    process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0, lines)
        return lines


class StandardOutputTest(TestCase):
    def test_output_that_cannot_be_written_is_one_clear_error(self):
        for words in (["--help"], ["--version"], ["metrics"],
                      ["simulate", "--for=1m", "--log.level=error"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE,
                                      env=environment(), timeout=PATIENCE, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, b"ascend-exporter: cannot write to standard output: "
                                              b"No space left on device\n")

    def test_a_closed_output_is_an_error_too(self):
        done = subprocess.run(["/bin/sh", "-c", 'exec "$0" metrics >&-', PROGRAM],
                              stderr=subprocess.PIPE, env=environment(), timeout=PATIENCE,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"ascend-exporter: cannot write to standard output: "
                                      b"Bad file descriptor\n")

    def test_an_error_that_cannot_be_said_still_ends_with_its_status(self):
        done = subprocess.run(["/bin/sh", "-c", 'exec "$0" --bogus 2>&-', PROGRAM],
                              env=environment(), timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 1)


class UrlTest(TestCase):
    def test_an_error_names_the_url_once(self):
        url = f"http://127.0.0.1:{free_port()}/-/healthy"
        for wrong in (url, "http://:1/"):
            done = run("healthcheck", f"--url={wrong}")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count(wrong), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
