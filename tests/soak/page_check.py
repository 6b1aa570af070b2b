"""What is wrong with a page of a machine that holds still."""

import re
import threading
import time

import soak_machine

LINE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})?'
                  r' ([-+0-9.eE]+|\+Inf|-Inf|NaN)')
COMMENT = re.compile(r"# (?:HELP [a-zA-Z_:][\w:]* .*|TYPE [a-zA-Z_:][\w:]* "
                     r"(?:counter|gauge|histogram|untyped))")
DEVICE = re.compile(r'device="(\d+)"')
LAST_SAMPLE = "ascend_npu_last_sample_timestamp_seconds"
ENERGY = "ascend_npu_energy_joules_total"
INFO = "ascend_npu_info"
HELD = "ascend_exporter_held_call_info"
# What grows by itself: at most by this much in a second; None: the device's power.
INTEGRALS = {ENERGY: None, "ascend_npu_busy_seconds_total": 1.0,
             "ascend_npu_hbm_bandwidth_busy_seconds_total": 1.0}
# What says how the device is and not what the driver measured.
STATES = {"ascend_npu_up", "ascend_npu_state", "ascend_npu_health_state"}
# What a host asks once.
FACTS = frozenset({INFO, "ascend_npu_power_limit_watts", "ascend_npu_super_pod_info",
                   "ascend_npu_topology_link_info", "ascend_npu_cpu_affinity_info"})
# Of one process each, and others take their place.
OF_PROCESSES = "ascend_exporter_process_cpu_seconds_total"
FRESH = 2.5  # seconds; a sample is due every 100 ms
STALE = 3.0  # seconds; values go after 2 s, and the page is made anew 100 ms later
AHEAD = 4.0  # seconds that an integral may have been behind when it was first seen


class Baseline:
    """What the pages show that were taken while all was well."""

    def __init__(self, pages):
        sets = [set(page.split("\n")) for page in pages]
        if len({frozenset(series(line)[0] for line in page) for page in sets}) != 1:
            raise AssertionError("series come and go")
        common = set.intersection(*sets)
        self.comments = {line for line in common if line.startswith("#")}
        self.types = dict(line.split(" ")[2:4] for line in self.comments
                          if line.startswith("# TYPE"))
        self.static = {line for line in common if line.startswith("ascend_npu_")
                       and DEVICE.search(line)}
        moving = {series(line)[0].partition("{")[0] for line in set.union(*sets) - common
                  if line.startswith("ascend_npu_")}
        unknown = moving - INTEGRALS.keys() - soak_machine.CLOCKS - {LAST_SAMPLE}
        if unknown:
            raise AssertionError(f"the machine does not hold still: {sorted(unknown)}")
        self.static_series = {series(line)[0]: line for line in self.static}
        self.device_of = {line: int(DEVICE.search(line).group(1)) for line in self.static}
        self.devices = sorted(set(self.device_of.values()))
        self.clocks = {key for page in sets for key, _ in map(series, page)
                       if key.partition("{")[0] in soak_machine.CLOCKS}

    def alike(self):
        """The names of which all devices show the same."""
        values = {}
        for key, line in self.static_series.items():
            name = key.partition("{")[0]
            rest = DEVICE.sub("", key)
            values.setdefault(name, {}).setdefault(rest, set()).add(line.rpartition(" ")[2])
        return sorted(name for name, rows in values.items()
                      if all(len(found) == 1 for found in rows.values()))


def series(line):
    """(what is before the value, the value) of a line."""
    key, _, value = line.rpartition(" ")
    return key, value


class Holds:
    """The calls that the pages say are held, and whether anything was done to earn it."""

    def __init__(self, ledger, guilty):
        self._ledger = ledger
        self._guilty = guilty
        self._known = {}
        self._lock = threading.Lock()

    def saw(self, device, collector, begin, end):
        with self._lock:
            known = self._known.get((device, collector))
            if known is None or known.end < begin - 2:
                known = self._ledger.excuse("gap", device, begin - 1)
                self._known[device, collector] = known
                if not self._guilty(device):
                    self._ledger.accuse("innocent is held", f"collector {collector}", device, begin)
            # The first answers come a little after the end of the hold.
            known.end = end + 6


class Checker:
    """Checks the pages that one client gets, one after the other."""

    def __init__(self, baseline, machine, ledger, holds):
        self._baseline = baseline
        self._machine = machine
        self._ledger = ledger
        self._holds = holds
        self._front = None
        self._counters = {}
        self._first = {}
        self._power = {int(DEVICE.search(key).group(1)): float(series(line)[1])
                       for key, line in baseline.static_series.items()
                       if key.startswith("ascend_npu_power_watts{")}

    def check(self, text, begin, end):
        """`text` was asked for at `begin` and had come at `end`."""
        if not text.endswith("\n"):
            self._ledger.accuse("cut page", repr(text[-80:]), when=begin)
            return
        lines = text.split("\n")
        here = set(lines)
        self._check_missing(self._baseline.static - here, here, begin, end)
        rows = {}
        for line in here - self._baseline.static - self._baseline.comments - {""}:
            self._read(line, rows, begin)
        self._check_twice(lines, begin)
        self._check_rows(rows, begin, end)
        self._check_counters(rows, begin, end)

    def _read(self, line, rows, begin):
        match = LINE.fullmatch(line)
        if match:
            rows[series(line)[0]] = (match.group(1), float(match.group(3)))
        elif not COMMENT.fullmatch(line):
            self._ledger.accuse("no metrics line", repr(line[:200]), when=begin)

    def _check_twice(self, lines, begin):
        keys = [line.rpartition(" ")[0] for line in lines if line and line[0] != "#"]
        if len(set(keys)) != len(keys):
            twice = sorted(key for key in set(keys) if keys.count(key) > 1)
            self._ledger.accuse("twice on the page", ", ".join(twice[:3]), when=begin)

    def _check_missing(self, missing, here, begin, end):
        keys = None
        by_device = {}
        for line in missing:
            keys = keys or {series(other)[0] for other in here}
            if series(line)[0] not in keys:
                by_device.setdefault(self._baseline.device_of[line], []).append(line)
        for device, lines in by_device.items():
            names = {line.partition("{")[0] for line in lines}
            for name in names if len(names) < 4 else [min(names)]:
                self._ledger.suspect("incomplete", begin, end,
                                     f"{len(lines)} series missing, such as {name}", device, name)

    def _check_rows(self, rows, begin, end):
        fresh = set()
        for key, (name, value) in rows.items():
            if name == HELD:
                labels = dict(re.findall(r'(\w+)="([^"]*)"', key))
                self._holds.saw(int(labels["device"]), labels["collector"], begin, end)
            if not name.startswith("ascend_npu_"):
                continue
            found = DEVICE.search(key)
            if found is None:
                continue
            device = int(found.group(1))
            if name == LAST_SAMPLE:
                fresh.add(device)
                self._check_fresh(device, value, begin, end)
            else:
                self._check_value(key, name, value, device, begin, end)
        for device in set(self._baseline.devices) - fresh:
            self._ledger.suspect("old sample", begin, end, "none", device)

    def _check_fresh(self, device, value, begin, end):
        now = time.time() - time.monotonic()
        age = begin + now - value
        if age > FRESH:
            self._ledger.suspect("old sample", begin, end, f"{age:.1f} s old", device)
        if value > end + now + 0.1:
            self._ledger.accuse("sample of the future", f"{-age:.1f} s ahead", device, begin)

    def _check_value(self, key, name, value, device, begin, end):
        if name in soak_machine.CLOCKS:
            true_at = self._machine.last_true(device, value)
            if true_at is None:
                self._ledger.suspect("false value", begin, end, f"{key} {value:g}", device, name)
            elif begin - true_at > STALE:
                self._ledger.suspect("old value", begin, end,
                                     f"{key} was true {begin - true_at:.1f} s before", device, name)
        elif name in STATES:
            if name == "ascend_npu_up" and value != 1:
                self._ledger.suspect("down", begin, end, "up 0", device, name)
        elif name not in INTEGRALS:
            true = self._baseline.static_series.get(key, "no such series")
            self._ledger.suspect("false value", begin, end,
                                 f"{key} {value:g}; true: {true.rpartition(' ')[2]}", device, name)

    def _check_counters(self, rows, begin, end):
        front = rows.get("process_start_time_seconds")
        if front != self._front:
            self._front, self._counters, self._first = front, {}, {}
        for key, (name, value) in rows.items():
            if self._baseline.types.get(name) != "counter" or name == OF_PROCESSES:
                continue
            before = self._counters.get(key)
            found = DEVICE.search(key)
            device = int(found.group(1)) if found else None
            if before is not None and value < before:
                self._ledger.suspect("counter fell", begin, end,
                                     f"{key} from {before!r} to {value!r}", device, name)
                self._first.pop(key, None)
            if name in INTEGRALS:
                self._check_pace(key, name, value, device, begin, end)
            self._counters[key] = value

    def _check_pace(self, key, name, value, device, begin, end):
        """From the first page of this front on, so that nothing is counted twice anywhere."""
        since, first = self._first.setdefault(key, (begin, value))
        pace = INTEGRALS[name] or self._power[device]
        if value - first > pace * (end - since + AHEAD):
            self._ledger.suspect("integral ran ahead", begin, end, f"{key} by {value - first:g} in "
                                 f"{end - since:.1f} s", device, name)
