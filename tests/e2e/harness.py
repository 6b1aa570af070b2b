"""Real processes under test: the exporter and whatever else a test starts.

The environment says what is tested: ASCEND_EXPORTER is the binary, FAKE_DCMI_DIR the folder of the
stand-in for the vendor's library. Every wait has a limit that only something stuck reaches.
"""

import http.client
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from prometheus_client.parser import text_string_to_metric_families

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINES = ROOT / "tests" / "machines"
PROGRAM = os.environ.get("ASCEND_EXPORTER", "")
PATIENCE = 30.0  # seconds; for what takes milliseconds when nothing is stuck
POLL = 0.02


def poll(look, within, what):
    """The first true answer of `look`; an AssertionError where there is none in time."""
    idle = threading.Event()
    deadline = time.monotonic() + within
    while True:
        answer = look()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within:g} s: {what}")
        idle.wait(POLL)


def environment(**changes):
    """That of the tests without what would change the program's search for its driver."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return kept | {name: str(value) for name, value in changes.items()}


class Page(dict):
    """A metrics page: values by name and labels, the latter sorted: `up{a="1",b="2"}`."""

    def __init__(self, text):
        super().__init__()
        self.text = text
        self._families = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                key = series(sample.name, **sample.labels)
                if key in self:
                    raise AssertionError(f"twice on the page: {key}")
                self[key] = sample.value
                self._families.setdefault(sample.name, []).append((sample.labels, sample.value))

    def value(self, name, /, **labels):
        """The value of one series, None where it is absent."""
        return self.get(series(name, **labels))

    def family(self, name):
        """(labels, value) of every series of the name."""
        return self._families.get(name, [])

    def names(self):
        return set(self._families)

    def devices(self, name):
        """The devices that have a series of the name."""
        return {labels["device"] for labels, _ in self.family(name)}

    def names_of(self, device):
        """The names that have a series of the device."""
        return {name for name, rows in self._families.items()
                if any(labels.get("device") == str(device) for labels, _ in rows)}

    def state(self):
        """The driver's state by name, None before the first search for devices ended."""
        current = [labels["state"] for labels, value in self.family("ascend_exporter_driver_state")
                   if value == 1]
        return current[0] if current else None

    def every_chip_was_asked(self, chips):
        """Whether every collector has asked every one of so many chips."""
        calls = {}
        for labels, value in self.family("ascend_exporter_driver_calls_total"):
            calls[labels["collector"]] = calls.get(labels["collector"], 0) + value
        only_where_it_is = {"hbm", "ddr", "power", "card_power"}
        return bool(calls) and all(calls[name] >= chips for name in calls.keys() - only_where_it_is)


def series(name, /, **labels):
    def quoted(text):
        return str(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    inside = ",".join(f'{key}="{quoted(value)}"' for key, value in sorted(labels.items()))
    return f"{name}{{{inside}}}" if inside else name


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()


class Server:
    """A process that says on its standard error where it listens. A context manager: a body that
    ends well ends the process with SIGTERM, any other kills it and shows its log."""

    LISTENING = ""  # expression whose first group is host:port
    STOP_LIMIT = PATIENCE

    def __init__(self, argv, **popen):
        self._argv = [str(word) for word in argv]
        self._popen = {"env": environment()} | popen
        self._lines = []
        self._news = threading.Condition()
        self._ended = False
        self._stopped = False
        self.process = None
        self.address = None
        self.started = None  # time.monotonic() just before the program was executed

    def __enter__(self):
        self.started = time.monotonic()
        self.process = subprocess.Popen(self._argv, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        **self._popen)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.address = self.wait_for_log(self.LISTENING).group(1)
        except AssertionError:
            self._kill()
            raise
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind is None and not self._stopped:
                self.stop()
        finally:
            self._kill()
            if kind is not None:
                print(f"--- log of {self._argv[0]}\n{self.log}---", file=sys.stderr)

    def _read(self):
        for line in self.process.stderr:
            with self._news:
                self._lines.append(line.decode("utf-8", "backslashreplace"))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        self.process.stderr.close()

    @property
    def log(self):
        with self._news:
            return "".join(self._lines)

    @property
    def pid(self):
        return self.process.pid

    def wait_for_log(self, expression, within=PATIENCE):
        """The first match of the expression in the log."""
        def look():
            return re.search(expression, "".join(self._lines))
        with self._news:
            self._news.wait_for(lambda: look() or self._ended, within)
            match = look()
        if match is None:
            raise AssertionError(f"not in the log: {expression}\n{self.log}")
        return match

    def stop(self):
        """Ends the process with SIGTERM, as a supervisor does; it must end well and in time.
        Returns the seconds that it took."""
        self._stopped = True
        if self.process.poll() is not None:
            raise AssertionError(f"ended by itself with {self.process.returncode}\n{self.log}")
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(self.STOP_LIMIT)
        except subprocess.TimeoutExpired:
            message = f"runs on {self.STOP_LIMIT:g} s after SIGTERM\n{self.log}"
            raise AssertionError(message) from None
        if status != 0:
            raise AssertionError(f"SIGTERM ends it with {status}\n{self.log}")
        return time.monotonic() - begin

    def get(self, path, method="GET", headers=None, within=PATIENCE):
        connection = http.client.HTTPConnection(self.address, timeout=within)
        try:
            connection.request(method, path, headers=headers or {})
            return Reply(connection.getresponse())
        finally:
            connection.close()


class Exporter(Server):
    LISTENING = r"listening on http://([^/\s]+)/"
    STOP_LIMIT = 5.0

    def __init__(self, *flags, program=None, **popen):
        super().__init__([program or PROGRAM, "--web.listen-address=127.0.0.1:0", *flags], **popen)

    def page(self):
        reply = self.get("/metrics")
        if reply.status != 200:
            raise AssertionError(f"/metrics answers {reply.status}: {reply.body!r}")
        return Page(reply.body.decode("utf-8"))

    def wait_for(self, predicate, within=PATIENCE, what=""):
        """The first page that `predicate` is true of."""
        page = None

        def look():
            nonlocal page
            page = self.page()
            return page if predicate(page) else None
        try:
            return poll(look, within, what or predicate)
        except AssertionError as error:
            raise AssertionError(f"{error}; the last page:\n{page.text}") from None


def run(*arguments, env=None, within=PATIENCE):
    """The program run to its end, with its output as text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], env=env or environment(), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=within,
                          check=False)


def promtool_says(text):
    """What `promtool check metrics` has to say of a page; empty and 0 where all is well."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text.encode("utf-8"),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                          check=False)
    return done.stdout.decode("utf-8"), done.returncode


def program_for_everyone(folder):
    """A copy of the program, with those beside it, that every user may execute."""
    program = pathlib.Path(PROGRAM)
    for part in ("", "-supervisor", "-front", "-host", "-sim-host"):
        copy = pathlib.Path(folder) / (program.name + part)
        shutil.copyfile(program.with_name(program.name + part), copy)
        copy.chmod(0o755)
    return pathlib.Path(folder) / program.name


class TestCase(unittest.TestCase):
    """Has a folder of its own, `self.folder`, that users without rights may read."""

    @classmethod
    def setUpClass(cls):
        if not PROGRAM:
            raise AssertionError("ASCEND_EXPORTER names no program")

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)

    def assert_accepted(self, page):
        """promtool and this parser have nothing against the page."""
        self.assertEqual(promtool_says(page.text), ("", 0))
