"""What the processes of the exporter hold, and whether it grows."""

import collections
import dataclasses
import os
import pathlib
import statistics
import threading

MIB = 1024 * 1024
MOST_GROWTH = 1 * MIB
LEAST_SAMPLES = 6
SETTLED = 30.0  # seconds of age; a younger process still grows into its memory
LEAST_SEEN = 60.0  # seconds from there on


@dataclasses.dataclass
class Sample:
    when: float  # seconds from the start of the soak
    pid: int
    role: str
    age: float
    own: int  # bytes of memory that is the process's own
    shared: int  # bytes of its part of the berths
    proportional: int  # bytes of both and of its part of the files that are mapped
    resident: int
    threads: int
    files: int  # descriptors without sockets
    sockets: int


def _fields(path):
    fields = {}
    for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            fields[name] = int(words[0])
    return fields


def look_at(pid, role, age, when):
    """None if the process is gone."""
    try:
        memory = _fields(f"/proc/{pid}/smaps_rollup")
        status = _fields(f"/proc/{pid}/status")
        kinds = [os.readlink(f"/proc/{pid}/fd/{number}").startswith("socket:")
                 for number in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return None
    if "Pss" not in memory or "VmRSS" not in status:
        return None
    return Sample(when, pid, role, age, memory["Pss_Anon"] * 1024, memory["Pss_Shmem"] * 1024,
                  memory["Pss"] * 1024, status["VmRSS"] * 1024, status["Threads"],
                  kinds.count(False), kinds.count(True))


class Census(threading.Thread):
    def __init__(self, family, ledger, period=10.0):
        super().__init__(daemon=True, name="Census")
        self._family = family
        self._ledger = ledger
        self._period = period
        self._over = threading.Event()
        self.samples = []

    def run(self):
        while not self._over.wait(self._period):
            self.take()

    def stop(self):
        self._over.set()
        self.join()

    def take(self):
        when = self._ledger.elapsed()
        found = [look_at(pid, role, self._family.age(pid), when)
                 for pid, role in self._family.everyone().items()]
        found = [sample for sample in found if sample]
        self.samples += found
        return found

    def lives(self, since):
        """The samples after `since` of each process that was settled for long."""
        lives = collections.defaultdict(list)
        for sample in self.samples:
            if sample.age >= SETTLED and sample.when >= since:
                lives[sample.pid].append(sample)
        return [life for life in lives.values() if len(life) >= LEAST_SAMPLES and
                life[-1].when - life[0].when >= LEAST_SEEN]

    def at_rest(self, since):
        """The sums of moments at which there was one settled process of each role."""
        moments = collections.defaultdict(list)
        for sample in self.samples:
            if sample.when >= since:
                moments[sample.when].append(sample)
        return [(when, found) for when, found in sorted(moments.items())
                if sorted(sample.role for sample in found) == ["front", "host", "supervisor"]
                and min(sample.age for sample in found) >= SETTLED]


def growth(values):
    """From the median of the first third to that of the last third."""
    third = max(1, len(values) // 3)
    return statistics.median(values[-third:]) - statistics.median(values[:third])


def report(census, minutes):
    """(lines of text, complaints)."""
    since = min(5 * 60, minutes * 60 / 4)
    lines, complaints = [], []
    for life in census.lives(since):
        last = life[-1]
        what = f"{last.role} {last.pid}, {last.when - life[0].when:.0f} s seen"
        more = growth([sample.own for sample in life])
        lines.append(f"  {what}: own {last.own / MIB:.2f} MiB, grown by {more / 1024:+.0f} KiB; "
                     f"resident {last.resident / MIB:.1f} MiB; threads {last.threads}")
        if more > MOST_GROWTH:
            complaints.append(f"memory of {what} has grown by {more / MIB:.2f} MiB")
        if growth([sample.files for sample in life]) > 2:
            complaints.append(f"{what}: descriptors went from {life[0].files} to {last.files}")
    moments = census.at_rest(since)
    if len(moments) >= LEAST_SAMPLES:
        _add_sums(moments, minutes, lines, complaints)
    return lines, complaints


def _add_sums(moments, minutes, lines, complaints):
    long = minutes >= 20
    for what, limited in (("own", True), ("shared", long), ("proportional", long),
                          ("resident", False)):
        sums = [sum(getattr(sample, what) for sample in found) for _, found in moments]
        more = growth(sums)
        lines.append(f"  all together, {len(moments)} moments at rest: {what} "
                     f"{sums[0] / MIB:.2f} to {sums[-1] / MIB:.2f} MiB, most {max(sums) / MIB:.2f},"
                     f" grown by {more / 1024:+.0f} KiB")
        if limited and more > MOST_GROWTH:
            complaints.append(f"{what} memory at rest has grown by {more / MIB:.2f} MiB")
