"""What was done to the exporter and when, and so what may be wrong on its page for a while.

A check that finds something wrong files a suspicion. It is judged a little later, when all that was
done at its time is known: it is dropped if something explains it, else it is a violation.
"""

import collections
import dataclasses
import threading
import time

FOREVER = float("inf")
EVERYBODY = None  # as the device of an excuse: all of them
JUDGED_AFTER = 2.0  # seconds; that a host died by itself is known by then
ONE_EPISODE = 5.0  # seconds; the same finding again within this is no new one
KEPT = 300.0  # seconds that excuses which have ended are remembered

# What is wrong with the page of a device that is not answering.
ABSENCE = {"incomplete", "old sample", "down"}
# What a request meets where nobody, or somebody slow, listens.
UNSERVED = {"failed request", "slow answer"}

# What explains what.
LIFTS = {
    "gap": ABSENCE,  # the device does not answer
    "garbage": ABSENCE | {"false value", "old value", "counter fell", "integral ran ahead"},
    "asked in vain": {"incomplete"},  # told "not supported" when it was asked for the first time
    "garbage facts": {"false value", "incomplete"},  # asked once for each host
    "switched off": {"incomplete"},
    "peer lost": {"incomplete"},
    "front stopped": UNSERVED | ABSENCE | {"old value"},
    "front killed": UNSERVED | ABSENCE,
    "no time": UNSERVED | ABSENCE | {"old value", "late"},
}


@dataclasses.dataclass
class Excuse:
    kind: str
    device: int | None
    begin: float
    end: float = FOREVER
    names: frozenset = frozenset()  # metrics that it is about; all of them if it is empty


@dataclasses.dataclass
class Suspicion:
    kind: str
    begin: float  # time.monotonic()
    end: float
    detail: str
    device: int | None = None
    name: str = ""  # of the metric


@dataclasses.dataclass
class Violation:
    kind: str
    device: int | None
    detail: str
    first: float  # seconds from the start of the soak
    last: float
    count: int = 1

    def __str__(self):
        whose = "" if self.device is None else f" device {self.device}"
        times = "" if self.count == 1 else f" ({self.count} times until {self.last:.1f} s)"
        return f"{self.first:8.1f} s  {self.kind}:{whose} {self.detail}{times}"


class Ledger:
    """Any thread. Times are those of time.monotonic()."""

    def __init__(self, say=print):
        self.started = time.monotonic()
        self._say = say
        self._lock = threading.Lock()
        self._excuses = []
        self._pending = collections.deque()
        self.violations = []
        self.lifted = collections.Counter()
        self.faults = collections.Counter()

    def elapsed(self, when=None):
        return (time.monotonic() if when is None else when) - self.started

    def excuse(self, kind, device=EVERYBODY, begin=None, end=FOREVER, names=()):
        assert kind in LIFTS
        excuse = Excuse(kind, device, time.monotonic() if begin is None else begin, end,
                        frozenset(names))
        with self._lock:
            self._excuses.append(excuse)
        return excuse

    def suspect(self, kind, begin, end, detail, device=None, name=""):
        with self._lock:
            self._pending.append(Suspicion(kind, begin, end, detail, device, name))

    def accuse(self, kind, detail, device=None, when=None):
        """A violation that nothing can explain."""
        with self._lock:
            self._violate(Suspicion(kind, when or time.monotonic(), 0, detail, device))

    def active(self, kinds, device=EVERYBODY, since=None):
        """Whether an excuse of such a kind, of the device or of all, holds now or held since."""
        now = time.monotonic()
        since = now if since is None else since
        with self._lock:
            return any(excuse.kind in kinds and excuse.begin <= now and excuse.end >= since and
                       (excuse.device is EVERYBODY or excuse.device == device)
                       for excuse in self._excuses)

    def judge(self, everything=False):
        """Decides about what is old enough. Call it often, from one thread."""
        now = time.monotonic()
        with self._lock:
            while self._pending and (everything or self._pending[0].end < now - JUDGED_AFTER):
                suspicion = self._pending.popleft()
                lifting = self._lifting(suspicion)
                if lifting is None:
                    self._violate(suspicion)
                else:
                    self.lifted[f"{suspicion.kind} ({lifting.kind})"] += 1
            self._excuses = [excuse for excuse in self._excuses if excuse.end > now - KEPT]

    def _lifting(self, suspicion):
        for excuse in self._excuses:
            if (suspicion.kind in LIFTS[excuse.kind] and excuse.begin <= suspicion.end and
                    excuse.end >= suspicion.begin and
                    (excuse.device is EVERYBODY or excuse.device == suspicion.device) and
                    (not excuse.names or suspicion.name in excuse.names)):
                return excuse
        return None

    def _violate(self, suspicion):
        when = self.elapsed(suspicion.begin)
        for known in reversed(self.violations):
            if (known.kind, known.device) == (suspicion.kind, suspicion.device) and (
                    when - known.last < ONE_EPISODE):
                known.last = max(when, known.last)
                known.count += 1
                return
        violation = Violation(suspicion.kind, suspicion.device, suspicion.detail, when, when)
        self.violations.append(violation)
        self._say(f"VIOLATION {violation}")
