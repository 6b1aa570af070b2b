#!/usr/bin/env python3
"""Runs the exporter for a long time on a library with sixteen chips in which, and around which,
everything goes wrong by chance, and checks every page that anybody gets.

    soak.py MINUTES [--seed=N]

The environment says what is tested, as in tests/e2e/harness.py. Exit status 1: something was wrong.
"""

import argparse
import os
import pathlib
import random
import signal
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import census  # noqa: E402
import clients  # noqa: E402
import soak_machine  # noqa: E402
import page_check  # noqa: E402
import process_faults  # noqa: E402
from family import Family  # noqa: E402
from harness import PROGRAM, Exporter, Page, Server, poll  # noqa: E402
from ledger import Ledger  # noqa: E402
from mischief import Mischief  # noqa: E402
from prober import Prober, percentile  # noqa: E402
from stand_ins import FAKE_DCMI  # noqa: E402

DEVICES = 16
STEP = 0.02  # seconds
LATE = 0.4  # seconds; a thread that wakes so late says that the machine has no time for tests
SETTLING = 20.0  # seconds from the last fault until all has to be whole
LONG = 10  # minutes; from there on the front is left alone in the second half, to see it grow


def free_port():
    """One that no socket without a port of its own gets."""
    for port in random.SystemRandom().sample(range(20000, 32000), 50):
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


class OnePlace(Server):
    """The exporter at a port of the caller's choice, where a new front is found, too."""

    LISTENING = Exporter.LISTENING
    STOP_LIMIT = Exporter.STOP_LIMIT


class Soak:
    window = 10.0  # seconds, of the settings

    def __init__(self, folder, minutes, seed):
        self.seed = seed
        self.minutes = minutes
        self.over = threading.Event()  # ends the clients
        self.ledger = Ledger(self.say)
        self.machine = soak_machine.SoakMachine(folder, FAKE_DCMI)
        self.where = ("127.0.0.1", free_port())
        self.address = f"127.0.0.1:{self.where[1]}"
        self._settings = pathlib.Path(folder) / "exporter.yml"
        self.write_settings(process_faults.settings())
        state = pathlib.Path(folder) / "state"
        state.mkdir()
        state.chmod(0o777)
        self.exporter = OnePlace(
            [PROGRAM, f"--web.listen-address={self.address}", "--sampling.fast-period=100ms",
             "--web.enable-lifecycle", "--compat.path=/npu", f"--path.state={state}",
             f"--config.file={self._settings}", *self.machine.flags], env=self.machine.env)
        self._mischief = Mischief(self, seed)
        self.devices = self._mischief.devices
        self.clients = []
        self.counters = self.windows = frozenset()

    def say(self, text):
        print(text, flush=True)

    def tell(self, text):
        """What is done, for whoever looks for the reason of a violation."""
        self.say(f"{self.ledger.elapsed():8.1f} s  {text}")

    def write_settings(self, text):
        new = self._settings.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        os.replace(new, self._settings)

    def read_settings(self):
        return self._settings.read_text(encoding="utf-8")

    def page(self):
        """None where nobody answers, as while another front begins."""
        try:
            return Page(self.exporter.get("/metrics", within=clients.TIMEOUT).body.decode("utf-8"))
        except OSError as error:
            self.tell(f"no page: {error!r}")
            return None

    def checker(self):
        return page_check.Checker(self.baseline, self.machine, self.ledger, self.holds)

    def front_may_die(self):
        return self.minutes < LONG or self.ledger.elapsed() < self.minutes * 30

    def run(self):
        with self.exporter:
            self.family = Family(self.exporter.pid, self.ledger)
            self.family.start()
            self._warm_up()
            self.census = census.Census(self.family, self.ledger, 10 if self.minutes > 3 else 3)
            self.prober = Prober(self)
            self.clients = [self.prober, *clients.churn(self)]
            for client in [self.census, *self.clients]:
                client.start()
            self._mischief.start(self.machine.functions())
            self._play(self.minutes * 60, self._mischief.step)
            self._mischief.finish()
            self.tell("nothing is wrong any more")
            self._play(SETTLING, lambda: None)
            self._end()

    def _warm_up(self):
        poll(lambda: self._complete(self.page()), 60, "every chip is asked everything")
        self._play(8, lambda: None)
        self.baseline = poll(self._find_baseline, 60, "the machine holds still")
        self.counters = frozenset(name for name, kind in self.baseline.types.items()
                                  if kind == "counter")
        self.windows = frozenset(name for name in self.baseline.types if "_window_" in name)
        self.holds = page_check.Holds(self.ledger, self.devices.guilty)
        self.say(f"{len(self.baseline.static)} series hold still; alike on all devices: "
                 + ", ".join(self.baseline.alike()))

    def _find_baseline(self):
        """None where a machine that has much to do made a device late."""
        pages = []
        for _ in range(8):
            pages.append(self.page().text)
            self._play(0.7, lambda: None)
        try:
            return page_check.Baseline(pages)
        except AssertionError as error:
            self.say(str(error))
            return None

    def _complete(self, page):
        return page and len(page.devices("ascend_npu_up")) == DEVICES and (
            page.every_chip_was_asked(DEVICES))

    def _play(self, seconds, step):
        """Turns the clock, judges, and notes when the machine has no time."""
        now = time.monotonic()
        end, beat, hosts = now + seconds, now, self.family.hosts_started
        while now < end:
            step()
            if now >= beat:
                self.machine.beat()
                beat = now + soak_machine.BEAT
            if self.family.hosts_started != hosts:
                hosts = self.family.hosts_started
                self.devices.host_began()
            self.ledger.judge()
            time.sleep(STEP)
            before, now = now, time.monotonic()
            if now - before > LATE:
                self.ledger.excuse("no time", begin=before - 1, end=now + 1)
                self.ledger.faults["(no time)"] += 1

    def _end(self):
        page = self.page()
        self.over.set()
        for client in self.clients:
            client.join()
            if client.crash is not None:
                self.ledger.accuse("a client of the soak failed",
                                   f"{client.name}: {client.crash!r}")
        self.census.stop()
        self.family.stop()
        self._check_whole(page)
        self.ledger.judge(everything=True)

    def _check_whole(self, page):
        held = {int(labels["device"]) for labels, _ in page.family(page_check.HELD)}
        there = {line.rpartition(" ")[0] for line in page.text.split("\n")}
        gone = {key for key, line in self.baseline.static_series.items()
                if key not in there and self.baseline.device_of[line] not in held}
        if gone - {key for key in gone if key.startswith(process_faults.ITS_METRIC)}:
            self.ledger.accuse("not whole at the end", ", ".join(sorted(gone)[:5]))
        roles = sorted(self.family.everyone().values())
        if roles != ["front", "host", "supervisor"]:
            self.ledger.accuse("processes at the end", ", ".join(roles))

    def report(self):
        scrapes = sum(getattr(client, "scrapes", 0) for client in self.clients)
        times = self.prober.latencies
        self.say(f"\n=== soak of {self.minutes:g} minutes, seed {self.seed}")
        self.say("faults: " + ", ".join(
            f"{name} {count}" for name, count in sorted(self.ledger.faults.items())))
        self.say(f"hosts that ended by a fault: {self.family.deaths}, most by one call that "
                 f"crashes: {self.devices.most_deaths}; hosts started: {self.family.hosts_started}")
        self.say(f"pages checked: {scrapes}; latency of {len(times)}: " + ", ".join(
            f"p{share * 100:g} {percentile(times, share) * 1000:.1f} ms"
            for share in (0.5, 0.99, 0.999, 1)))
        self.say("explained: " + ", ".join(
            f"{what} {count}" for what, count in sorted(self.ledger.lifted.items())))
        lines, complaints = census.report(self.census, self.minutes)
        self.say("memory:\n" + "\n".join(lines))
        for complaint in complaints:
            self.ledger.accuse("growth", complaint)
        self.say(f"violations: {len(self.ledger.violations)}")
        for violation in self.ledger.violations:
            self.say(f"  {violation}")
        return 1 if self.ledger.violations else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1000000))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):  # ends the exporter, too
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        soak = Soak(folder, options.minutes, options.seed)
        soak.run()
        return soak.report()


if __name__ == "__main__":
    sys.exit(main())
