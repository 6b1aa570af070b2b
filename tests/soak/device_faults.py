"""What the stand-in library does wrong, for one device or for all. Each fault is a generator: it
begins, yields the seconds that it lasts, and ends.

Where a fault is not excused, it has to go unnoticed on the page.
"""

import time

from ledger import FOREVER
from page_check import FACTS

GRACE = 6.0  # seconds from the end of a fault until its device is whole: its groups are read anew
GUILTY = 25.0  # seconds after a fault in which its device may still be held for it
MOST_DEATHS = 8  # of hosts for one call that crashes: one for each collector that makes the call
CODES = (-8001, -8002, -8005, -8006, -8012, -8020, -9999)
NOT_SUPPORTED = -8255
CRASHES = ("segv", "abort", "exit", "_exit", "stack", "heap")
GARBAGE = ("random", "ones", "zeros", "text")
LINKS_TO_PEERS = "ascend_npu_topology_link_info"
# Of the fast group, so that the call that keeps the lock is the first one that is overdue.
FAST = "dcmi_get_device_temperature"
SEARCH = "dcmi_get_card_list"


class DeviceFaults:
    """The faults of one device each; several may be under way."""

    def __init__(self, soak, chance):
        self._soak = soak
        self._machine = soak.machine
        self._ledger = soak.ledger
        self._chance = chance
        self._number = 0
        self._guilty = {}  # by device: until when
        self._until_host = []  # excuses that end when another host begins
        self._until_front = []
        self.functions = []
        self.most_deaths = 0

    def all(self):
        """(chance, fault), with what the fault is called with chosen by itself."""
        return [(5, self.hang), (4, self.error), (3, self.slow), (3, self.garbage), (2, self.crash),
                (2, self.lose), (1, self.not_supported)]

    def guilty(self, device):
        """Whether something was done to the device for which its calls may be held."""
        return self._guilty.get(device, 0.0) > time.monotonic()

    def blame(self, device, until):
        """Something is done to the device, for which its calls may be held until then."""
        self._guilty[device] = until

    def host_began(self):
        for excuse in self._until_host:
            excuse.end = time.monotonic() + GRACE
        self._until_host = []

    def front_began(self):
        for excuse in self._until_front:
            excuse.end = time.monotonic() + GRACE
        self._until_front = []

    def hang(self, device):
        return self._rule(device, "hang", self._chance.choice([1, 3, 6, 14, 20]), may_hold=True)

    def error(self, device):
        return self._rule(device, f"code {self._chance.choice(CODES)}", self._some(8))

    def slow(self, device):
        milliseconds = self._chance.choice([20, 200, 700, 1500, 4000])
        return self._rule(device, f"slow {milliseconds}", self._some(8), may_hold=True)

    def not_supported(self, device):
        yield from self._rule(device, f"code {NOT_SUPPORTED}", self._some(5))
        self._until_host.append(self._ledger.excuse("asked in vain", device))

    def garbage(self, device):
        excuse = self._ledger.excuse("garbage", device)
        counters = self._ledger.excuse("garbage", device, names=self._soak.counters)
        facts = self._ledger.excuse("garbage facts", device, names=FACTS)
        windows = self._ledger.excuse("garbage", device, names=self._soak.windows)
        yield from self._rule(device, f"garbage {self._chance.choice(GARBAGE)}", self._some(6))
        excuse.end = time.monotonic() + GRACE
        windows.end = time.monotonic() + GRACE + self._soak.window
        self._until_front.append(counters)
        self._until_host.append(facts)

    def crash(self, device):
        deaths = self._soak.family.deaths
        self._soak.family.may_die(("crash", device), True)
        yield from self._rule(device, f"crash {self._chance.choice(CRASHES)}", self._some(8),
                              may_hold=True)
        yield 0.5  # a host may have been in the call
        self._soak.family.may_die(("crash", device), False)
        deaths = self._soak.family.deaths - deaths
        self.most_deaths = max(self.most_deaths, deaths)
        if deaths > MOST_DEATHS:
            self._ledger.accuse("a crash is not contained", f"{deaths} hosts ended", device)

    def lose(self, device):
        excuse = self._ledger.excuse("gap", device)
        peers = self._ledger.excuse("peer lost", names=[LINKS_TO_PEERS])
        self._machine.remove(device)
        yield self._some(15)
        self._machine.put_back(device)
        excuse.end = time.monotonic() + GRACE
        peers.end = time.monotonic() + 2 * GRACE  # they are asked after the device is found

    def _rule(self, device, action, seconds, may_hold=False):
        self._number += 1
        number = self._number
        function = self._chance.choice(self.functions)
        excuse = self._ledger.excuse("gap", device)
        if may_hold:
            self.blame(device, FOREVER)
        self._soak.tell(f"device {device}: {function} {action} for {seconds:.1f} s")
        self._machine.begin(number, f"rule {function} {device} {action}")
        yield seconds
        self._machine.end(number)
        excuse.end = time.monotonic() + GRACE
        if may_hold:
            self.blame(device, time.monotonic() + GUILTY)

    def _some(self, most):
        return self._chance.uniform(0.3, most)


class LibraryFaults:
    """The faults of the whole library: nothing else is wrong meanwhile."""

    def __init__(self, soak, chance, devices):
        self._soak = soak
        self._machine = soak.machine
        self._ledger = soak.ledger
        self._chance = chance
        self._devices = devices

    def all(self):
        return [(1, self.cost), (1, self.one_lock), (1, self.lock_that_hangs), (2, self.search)]

    def cost(self):
        yield from self._setting(f"cost {self._chance.choice([500, 1000, 2000])}")

    def one_lock(self):
        yield from self._setting("one_lock")

    def search(self):
        action = self._chance.choice(["hang", "slow 1500", "code -8005", "code -8012"])
        yield from self._setting(f"rule {SEARCH} * {action}")

    def lock_that_hangs(self):
        """The device that hangs is left alone for a minute, the others go on with another host.
        Nobody can see who holds a lock, so any of them may be suspected, and held for its minute."""
        device = self._chance.choice(self._machine.devices)
        everybody = self._ledger.excuse("gap", end=time.monotonic() + 12)
        excuse = self._ledger.excuse("gap", device)
        for suspect in self._machine.devices:
            self._devices.blame(suspect, FOREVER)
        self._soak.family.may_die("lock", True)
        yield from self._setting("one_lock", f"rule {FAST} {device} hang")
        everybody.end = min(everybody.end, time.monotonic() + GRACE)
        excuse.end = time.monotonic() + GRACE
        for suspect in self._machine.devices:
            self._devices.blame(suspect, time.monotonic() + GUILTY)
        yield 2.0
        self._soak.family.may_die("lock", False)

    def _setting(self, *lines):
        seconds = self._chance.uniform(1, 8)
        self._soak.tell(f"library: {', '.join(lines)} for {seconds:.1f} s")
        self._machine.begin("library", *lines)
        yield seconds
        self._machine.end("library")
