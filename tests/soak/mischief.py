"""Decides by chance, from a seed, what goes wrong next and when."""

import random
import signal
import time

import family
from device_faults import DeviceFaults, LibraryFaults
from process_faults import ProcessFaults

MOST_AT_ONCE = 3  # devices with a fault
DEVICE_GAP = 2.5  # seconds on average from one fault of a device to the next
LIBRARY_GAP = 25.0
PROCESS_GAP = 6.0
CALM_EVERY, CALM = 75.0, 15.0  # seconds: nothing new goes wrong, so that all has to be whole


class Mischief:
    """One thread. `step` does what is due."""

    def __init__(self, soak, seed):
        self._soak = soak
        self._seed = seed
        self._chance = random.Random(seed)
        self.devices = DeviceFaults(soak, random.Random(f"{seed} devices"))
        self._library = LibraryFaults(soak, random.Random(f"{seed} library"), self.devices)
        self._processes = None
        self._running = {}  # by device, "library" or "processes": (when it goes on, generator)
        self._next = {}
        self._begun = time.monotonic()

    def start(self, functions):
        self.devices.functions = functions
        self._processes = ProcessFaults(self._soak, random.Random(f"{self._seed} processes"))
        self._begun = time.monotonic()
        self._next = {"device": self._begun, "library": self._begun + 10,
                      "processes": self._begun + 4}

    def step(self):
        now = time.monotonic()
        for key, (when, fault) in list(self._running.items()):
            if when <= now:
                self._go_on(key, fault)
        if (now - self._begun) % CALM_EVERY > CALM_EVERY - CALM:
            return
        if self._next["device"] <= now:
            self._next["device"] = now + self._chance.expovariate(1 / DEVICE_GAP)
            self._device_fault()
        if self._next["library"] <= now and not self._running:
            self._next["library"] = now + self._chance.expovariate(1 / LIBRARY_GAP)
            self._begin("library", self._pick(self._library.all()))
        if self._next["processes"] <= now and not self._running.keys() & {"library", "processes"}:
            self._next["processes"] = now + self._chance.expovariate(1 / PROCESS_GAP)
            self._begin("processes", self._pick(self._processes.all()))

    def finish(self):
        """Ends all that is under way."""
        while self._running:
            for key, (when, fault) in list(self._running.items()):
                if when <= time.monotonic():
                    self._go_on(key, fault)
            time.sleep(0.02)
        self._soak.machine.end_all()
        for pid in self._soak.family.everyone():
            family.send(pid, signal.SIGCONT)

    def _device_fault(self):
        # A fault of the library is next: none of a device may keep it waiting for ever.
        due = self._next["library"] <= time.monotonic()
        busy = [key for key in self._running if isinstance(key, int)]
        if due or "library" in self._running or len(busy) >= MOST_AT_ONCE:
            return
        device = self._chance.choice([device for device in self._soak.machine.devices
                                      if device not in busy])
        self._begin(device, self._pick(self.devices.all()), device)

    def _pick(self, choices):
        weights = [weight for weight, _ in choices]
        return self._chance.choices([fault for _, fault in choices], weights)[0]

    def _begin(self, key, fault, *arguments):
        self._soak.ledger.faults[fault.__name__] += 1
        self._soak.tell(f"{key}: {fault.__name__}")
        self._go_on(key, fault(*arguments))

    def _go_on(self, key, fault):
        try:
            self._running[key] = (time.monotonic() + next(fault), fault)
        except StopIteration:
            self._running.pop(key, None)
