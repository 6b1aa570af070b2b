"""The exporter's processes, and what the page says while they are hurt.

    with started(machine) as exporter, Watch(exporter) as watch:
        os.kill(front_of(exporter), signal.SIGKILL)
        ...
    self.assert_kept(watch, wanted)
"""

import contextlib
import functools
import http.client
import os
import random
import re
import signal
import socket
import threading
import time

from harness import PATIENCE, Exporter, TestCase, poll
from kernel import children_of, program_of, runs
from matrix_machine import MatrixMachine

PERIOD = 0.2  # seconds, of every group
STALE_AFTER = 2.0  # three periods, but two seconds at least
ALLOWANCE = 1.0  # for a machine that has better things to do than to run tests
BACK_WITHIN = 5.0  # seconds; whatever process was lost
ENDED_WITHIN = 5.0  # seconds after SIGTERM
SCRAPE_EVERY = 0.05
GROUPS = ("fast", "health", "memory", "links", "network", "identity")
QUICK = [f"--sampling.{group}-period=200ms" for group in GROUPS] + [
    f"--sampling.{group}-deadline=200ms" for group in GROUPS] + ["--devices.discovery-period=200ms"]

UP = "ascend_npu_up"
TEMPERATURE = "ascend_npu_temperature_celsius"
TEMPERATURES = {TEMPERATURE, "ascend_npu_temperature_window_min_celsius",
                "ascend_npu_temperature_window_max_celsius"}
LAST_SAMPLE = "ascend_npu_last_sample_timestamp_seconds"
RESTARTS = "ascend_exporter_host_restarts_total"
HELD = "ascend_exporter_held_call_info"
CRASHES = "ascend_exporter_call_crashes_total"
# What is left of a device that is not there: who it is and that it is not there.
REMAINS = {UP, "ascend_npu_info", LAST_SAMPLE}
COUNTERS = ("ascend_npu_energy_joules_total", "ascend_npu_busy_seconds_total")

_LABEL = re.compile(r'\w+="(?:[^"\\]|\\.)*"')
_DEVICE = re.compile(r'[{,]device="(\d+)"')
# Faults and processes come and go by themselves.
_STEADY = re.compile(r"ascend_npu_(?!fault_last|processes)\w+\{")


# --- The exporter's processes ---

def of_role(exporter, role):
    """The processes of a role: "front", or "host" with that of the simulation."""
    return [pid for pid in children_of(exporter.pid)
            if program_of(pid).removeprefix("ascend-exporter-").removeprefix("sim-") == role]


def one_of_role(exporter, role):
    """The only process of a role, as soon as there is exactly one."""
    (pid,) = poll(lambda: pids if len(pids := of_role(exporter, role)) == 1 else None,
                  within=BACK_WITHIN, what=f"there is one {role}")
    return pid


def front_of(exporter):
    return one_of_role(exporter, "front")


def host_of(exporter):
    return one_of_role(exporter, "host")


def free_port():
    """Of no use to others: not one that the kernel picks by itself."""
    while True:
        port = random.randrange(10000, 32000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class SamePort(Exporter):
    """An exporter that listens on the same port when its front is started again."""

    def __init__(self, *flags, **popen):
        super().__init__(*flags, **popen)
        self._argv[1] = f"--web.listen-address=127.0.0.1:{free_port()}"

    def run_by(self, *words):
        """What starts the program: a command that takes another one."""
        self._argv = [*words, *self._argv]
        return self

    def without_flags(self, part):
        self._argv = [word for word in self._argv if part not in word]
        return self

    def ends_otherwise(self):
        """The test itself sees to the end of the process."""
        self._stopped = True


class Machine(MatrixMachine):
    """One whose chips can go away, come back, and change their number."""

    def lose(self, device):
        self._change(lambda line: None if line.startswith((f"chip {device} ", f"set {device} "))
                     else line)

    def renumber(self, device, number):
        self._change(lambda line: re.sub(rf"^(chip|set) {device} ", rf"\1 {number} ", line))

    def restore(self):
        self._base = self._whole
        self.set_rules()

    def _change(self, change):
        self._whole = self._base
        self._base = [changed for line in self._base if (changed := change(line)) is not None]
        self.set_rules()


# --- Pages, many in a second ---

def device_of(key):
    match = _DEVICE.search(key)
    return match.group(1) if match else None


def measured(page, devices=None, without=frozenset()):
    """The series of the devices, all of them if None, that are there while nothing is wrong."""
    wanted = None if devices is None else {str(device) for device in devices}
    return {key for key in page if _STEADY.match(key) and device_of(key) is not None
            and (wanted is None or device_of(key) in wanted)
            and key.partition("{")[0] not in without}


@functools.lru_cache(maxsize=16384)
def _key_of(text):
    """As harness.series() writes it, with its labels sorted."""
    name, brace, labels = text.partition("{")
    return f"{name}{{{','.join(sorted(_LABEL.findall(labels)))}}}" if brace else name


class Frame(dict):
    """One page: the text of each value by its series. `at`: time.time() when it was asked for."""

    def __init__(self, at, text):
        super().__init__()
        self.at = at
        for line in text.splitlines():
            if not line.startswith("#"):
                key, _, value = line.rpartition(" ")
                self[_key_of(key)] = value

    def number(self, key):
        return float(self[key]) if key in self else None


class Watch:
    """Scrapes again and again, from a thread of its own. `frames`: the pages that came, in order;
    `failures`: when a scrape failed, and how."""

    def __init__(self, exporter, every=SCRAPE_EVERY):
        self._exporter = exporter
        self._every = every
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.frames = []
        self.failures = []

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    def _run(self):
        while not self._end.wait(self._every):
            self.scrape()

    def scrape(self):
        at = time.time()
        try:
            reply = self._exporter.get("/metrics", within=BACK_WITHIN)
            if reply.status != 200:
                raise AssertionError(f"/metrics answers {reply.status}")
            self.frames.append(Frame(at, reply.body.decode("utf-8")))
        except (OSError, AssertionError, http.client.HTTPException) as error:
            self.failures.append((at, repr(error)))

    def missing(self, wanted):
        """For every frame that lacks one of the series: its age since the first frame, and some."""
        found = []
        for frame in self.frames:
            absent = wanted - frame.keys()
            if absent:
                found.append((round(frame.at - self.frames[0].at, 2), len(absent),
                              sorted(absent)[:3]))
        return found

    def stale(self, limit):
        """(age, series) of temperatures that were shown though nothing of their device was read for
        longer than the limit."""
        found = []
        for frame in self.frames:
            for key in frame:
                if key.startswith(TEMPERATURE + "{"):
                    sampled = frame.number(f'{LAST_SAMPLE}{{device="{device_of(key)}"}}')
                    if sampled is None or frame.at - sampled > limit:
                        found.append((frame.at - (sampled or 0), key))
        return found

    def falls(self, names=COUNTERS):
        """Counters that became less, with both values; of one process each, the front."""
        found, last = [], {}
        for frame in self.frames:
            for key, text in frame.items():
                if key.startswith(names):
                    if float(text) < last.get(key, 0.0):
                        found.append((key, last[key], text))
                    last[key] = float(text)
        return found


# --- What tests of it share ---

def all_up(chips=8):
    """Every chip answers."""
    def predicate(page):
        well = sum(page.value("ascend_npu_devices", state=state) or 0
                   for state in ("healthy", "unhealthy"))
        return well == chips and all(
            len(page.devices(name)) == chips
            for name in (TEMPERATURE, "ascend_npu_info", "ascend_npu_ecc_enabled"))
    return predicate


def names_of(page, device):
    return {name for name in page.names_of(device) if name.startswith("ascend_npu_")}


class ProcessesTest(TestCase):
    MACHINE = "8x910b"

    def machine(self, **options):
        return Machine(self.folder, self.MACHINE, **options)

    def exporter(self, driver, *flags, **popen):
        return SamePort(*QUICK, *flags, *driver.flags, **{"env": driver.env} | popen)

    def let_pass(self, seconds):
        """Where nothing tells that it has."""
        end = time.monotonic() + seconds
        poll(lambda: time.monotonic() >= end, seconds + PATIENCE, "time passes")

    def page_in_time(self, exporter, accept, within=BACK_WITHIN):
        """The first page that `accept` is true of, from an exporter that may not serve yet."""
        def look():
            try:
                page = exporter.page()
            except (OSError, AssertionError, http.client.HTTPException):
                return None
            return page if accept(page) else None
        return poll(look, within, "the page is as it should be")

    def wait_until_whole(self, exporter, chips=8):
        """The page when every chip has answered everything."""
        exporter.wait_for(all_up(chips))
        self.wait_until_sampled(exporter, 3 * PERIOD)
        return exporter.wait_for(all_up(chips))

    def wait_until_sampled(self, exporter, seconds, device=0):
        """Until a device that is well has been sampled for so long."""
        newest = exporter.page().value(LAST_SAMPLE, device=device)
        return exporter.wait_for(
            lambda page: (page.value(LAST_SAMPLE, device=device) or 0) > newest + seconds,
            what=f"device {device} is sampled for {seconds} s")

    def assert_kept(self, watch, wanted):
        """No scrape failed, none lacked one of the series, none had an old value."""
        self.assertGreater(len(watch.frames), 10)
        self.assertEqual(watch.failures, [])
        self.assertEqual(watch.missing(wanted), [])
        self.assertEqual(watch.stale(STALE_AFTER + ALLOWANCE), [])
        self.assertEqual(watch.falls(), [])

    def assert_gone(self, pids, within=ENDED_WITHIN):
        poll(lambda: not any(runs(pid) for pid in pids), within, "the processes end")
