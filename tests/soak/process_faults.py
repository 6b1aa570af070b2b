"""What is done to the processes and the settings. Each is a generator, as in device_faults.py; one
is under way at a time."""

import http.client
import os
import signal
import time

import family

BACK_WITHIN = 6.0  # seconds from the end of the front to a whole page
ANSWERS_WITHIN = 5.0  # seconds from the end of the front
RELEASED_WITHIN = 3.5  # seconds
BAD_SETTINGS = ("sampling:\n  fast_perod: 1s\n", "sampling:\n  memory_period: 5\n", "sampling: [",
                "\0\1\2", "x: y\n" * 1000, "sampling:\n  memory_period: 365d\n", "- a\n- b\n",
                "devices:\n  expected: -1\n")
# Settings as they are at the start, and with one thing changed.
SETTINGS = """sampling:
  health_period: 500ms
  memory_period: {memory}
  links_period: 2s
  network_period: 2s
  identity_period: 5s
  window: {window}
log:
  level: {level}
devices:
  discovery_period: 2s
"""
SWITCHED = "voltage"  # a collector that reloads switch off and on
ITS_METRIC = "ascend_npu_voltage_volts"
WINDOW = "10s"


def settings(memory="1s", level="info", disable=""):
    text = SETTINGS.format(memory=memory, level=level, window=WINDOW)
    return text + (f"collectors:\n  disable: [{disable}]\n" if disable else "")


class ProcessFaults:
    def __init__(self, soak, chance):
        self._soak = soak
        self._ledger = soak.ledger
        self._family = soak.family
        self._chance = chance
        self._switched_off = None  # the excuse, while the collector is off

    def all(self):
        return [(4, self.kill_host), (2 if self._soak.front_may_die() else 0, self.kill_front),
                (2, self.stop_host), (2, self.stop_front), (1, self.stop_supervisor),
                (1, self.stop_all), (3, self.reload), (2, self.reload_bad), (1, self.reload_often),
                (3, self.release)]

    def kill_host(self):
        hosts = self._family.of_role("host")
        if not hosts:
            return
        self._family.may_die("kill", True)
        self._family.kill(hosts[-1])
        yield 1.0
        self._family.may_die("kill", False)

    def kill_front(self):
        now = time.monotonic()
        self._ledger.excuse("front killed", begin=now, end=now + ANSWERS_WITHIN)
        self._ledger.excuse("gap", begin=now, end=now + BACK_WITHIN)
        for pid in self._family.of_role("front"):
            self._family.kill(pid)
        self._soak.devices.front_began()
        yield 1.0

    def stop_host(self):
        excuse = self._ledger.excuse("gap")
        seconds = self._chance.choice([0.3, 1, 2, 4, 8, 12])
        self._soak.tell(f"hosts stand still for {seconds:g} s")
        yield from self._stopped(self._family.of_role("host"), seconds)
        excuse.end = time.monotonic() + BACK_WITHIN

    def stop_front(self):
        excuse = self._ledger.excuse("front stopped")
        seconds = self._chance.choice([0.2, 0.5, 1, 3, 8])
        self._soak.tell(f"the front stands still for {seconds:g} s")
        yield from self._stopped(self._family.of_role("front"), seconds)
        excuse.end = time.monotonic() + 1.5

    def stop_supervisor(self):
        yield from self._stopped([self._family.supervisor], self._chance.uniform(0.2, 5))

    def stop_all(self):
        excuses = [self._ledger.excuse("front stopped"), self._ledger.excuse("gap")]
        seconds = self._chance.choice([0.5, 2, 6, 12])
        self._soak.tell(f"all stand still for {seconds:g} s")
        yield from self._stopped(list(self._family.everyone()), seconds)
        for excuse, more in zip(excuses, (1.5, BACK_WITHIN)):
            excuse.end = time.monotonic() + more

    def _stopped(self, pids, seconds):
        deaths, begin = self._family.deaths, time.monotonic()
        for pid in pids:
            family.send(pid, signal.SIGSTOP)
        yield seconds
        for pid in pids:
            family.send(pid, signal.SIGCONT)
        if self._family.deaths != deaths:  # nobody could start another host
            self._ledger.excuse("gap", begin=begin, end=time.monotonic() + BACK_WITHIN)

    def reload(self):
        off = self._switched_off is None and self._chance.random() < 0.5
        if off:
            self._switched_off = self._ledger.excuse("switched off", names=[ITS_METRIC])
        self._soak.write_settings(settings(memory=self._chance.choice(["500ms", "1s", "1500ms"]),
                                           level=self._chance.choice(["info", "debug"]),
                                           disable=SWITCHED if off else ""))
        self._ask("reload", signal.SIGHUP)
        yield 4.0
        self._look_at_result(1)
        if not off and self._switched_off is not None:
            self._switched_off.end = time.monotonic() + BACK_WITHIN
            self._switched_off = None

    def reload_bad(self):
        good = self._soak.read_settings()
        text = self._chance.choice(BAD_SETTINGS)
        self._soak.tell(f"a reload of {text[:40]!r}")
        self._soak.write_settings(text)
        self._ask("reload", signal.SIGHUP)
        yield 4.0
        self._look_at_result(0)
        self._soak.write_settings(good)
        self._ask("reload", signal.SIGHUP)
        yield 4.0
        self._look_at_result(1)

    def reload_often(self):
        for _ in range(20):
            self._ask("reload", signal.SIGHUP)
            yield self._chance.uniform(0, 0.2)
        yield 4.0

    def _look_at_result(self, expected):
        page = self._soak.page()
        found = page and page.value("ascend_exporter_config_last_reload_successful")
        if page and found != expected:
            self._ledger.accuse("a reload is told wrongly", f"{found} in place of {expected}")

    def release(self):
        excuse = self._ledger.excuse("gap")
        self._family.may_die("release", True)
        self._ask("release", signal.SIGUSR2)
        yield RELEASED_WITHIN
        self._check_released()
        yield self._chance.uniform(0, 4)
        self._ask("acquire", signal.SIGUSR1)
        excuse.end = time.monotonic() + BACK_WITHIN
        yield 1.0
        self._family.may_die("release", False)

    def _check_released(self):
        page = self._soak.page()
        hosts = self._family.of_role("host")
        if hosts:
            self._ledger.accuse("a host outlives its release", f"processes {hosts}")
        if page and page.state() != "released":
            self._ledger.accuse("a release is told wrongly", f"the driver is {page.state()}")

    def _ask(self, what, number):
        """By a signal or by HTTP."""
        if self._chance.random() < 0.5:
            os.kill(self._family.supervisor, number)
            return
        begin = time.monotonic()
        connection = http.client.HTTPConnection(self._soak.address, timeout=10)
        try:
            connection.request("POST", f"/-/{what}")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            status = error
        finally:
            connection.close()
        if status != 202:
            self._ledger.accuse("a wish is refused", f"{what}: {status!r}", when=begin)
            os.kill(self._family.supervisor, number)
