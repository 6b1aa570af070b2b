"""What a page of the exporter may show while something is wrong with the machine.

The machine stands still, so a page is right if it shows what the page before the fault did, or
less. Only what counts time moves, and only what an answer without meaning says may be anything that
is physically possible.
"""

import functools
import re

UP = "ascend_npu_up"
LAST_SAMPLE = "ascend_npu_last_sample_timestamp_seconds"
STALE = 3.0  # seconds; 2 by the contract, the rest for a busy machine
# What the exporter itself says of a device.
JUDGEMENTS = {UP, "ascend_npu_health_state", "ascend_npu_last_sample_timestamp_seconds"}
MOVING = re.compile(r"_joules_total|_busy_seconds_total|_timestamp_seconds")
_DEVICE = re.compile(r'[{,]device="(\d+)"')
_PEER = re.compile(r'[{,]peer="(\d+)"')
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@functools.lru_cache(maxsize=200_000)
def _split(key):
    """(name, device or None) of a series."""
    device = _DEVICE.search(key)
    return key.partition("{")[0], device and device.group(1)


class Page:
    """Series by device; `None` for those of no device. Values stay text: the machine stands
    still."""

    def __init__(self, text, at):
        self.at = at  # time.time() when the answer had come
        self.series = {}
        self.devices = {}
        for line in text.split("\n"):
            if not line or line.startswith("#"):
                continue
            key, _, value = line.rpartition(" ")
            if key in self.series:
                raise AssertionError(f"twice on the page: {key}")
            self.series[key] = value
            name, device = _split(key)
            if name.startswith("ascend_npu_"):
                self.devices.setdefault(device, {})[key] = value

    def value(self, key):
        value = self.series.get(key)
        return None if value is None else float(value)

    def sum(self, beginning):
        return sum(float(value) for key, value in self.series.items() if key.startswith(beginning))

    def up(self, device):
        return self.series.get(f'{UP}{{device="{device}"}}')

    def age(self, device):
        """Of the newest sample, in seconds."""
        last = self.series.get(f'{LAST_SAMPLE}{{device="{device}"}}')
        return None if last is None else self.at - float(last)


def _moves(key):
    return MOVING.search(_split(key)[0]) is not None


def _brief(keys):
    keys = sorted(keys)
    return ", ".join(keys[:4]) + (f" and {len(keys) - 4} more" if len(keys) > 4 else "")


def device_of(key):
    return _split(key)[1]


def _about(key, peers):
    peer = _PEER.search(key)
    return peer is not None and peer.group(1) in peers


def _wrapped(key, now, then):
    """Whether a counter is higher by whole rounds of 16 bits. A garbage answer in the last quarter of
    a narrow counter's range looks as if the counter had wrapped after it (METRICS.md)."""
    if not _split(key)[0].endswith("_total"):
        return False
    more = float(now) - float(then)
    return more > 0 and more % 65536 == 0


def differences(page, reference, device, unknown_peers=frozenset()):
    """Why the device's part of the page is not what it is while all is well. It need not tell of
    links to `unknown_peers`."""
    now, then = page.devices.get(device, {}), reference.devices[device]
    if unknown_peers:
        then = {key: value for key, value in then.items()
                if key in now or not _about(key, unknown_peers)}
    if now.keys() != then.keys():
        lost, more = then.keys() - now.keys(), now.keys() - then.keys()
        return "; ".join(text for keys, text in ((lost, f"lacks {_brief(lost)}"),
                                                 (more, f"has {_brief(more)}")) if keys)
    changed = [f"{key} {value} in place of {then[key]}" for key, value in now.items()
               if value != then[key] and not _moves(key) and not _wrapped(key, value, then[key])]
    if changed:
        return "; ".join(changed[:4])
    age = page.age(device)
    return "" if age < STALE else f"newest sample is {age:.1f} s old"


def _says_less(key, then):
    """Whether an _info series is one of those before, but for labels that are empty."""
    name = _split(key)[0]
    labels = {label for label in _LABEL.findall(key) if label[1]}
    return name.endswith("_info") and any(
        _split(known)[0] == name and labels <= set(_LABEL.findall(known)) for known in then)


def falsehoods(page, reference, device):
    """What the device's part of the page says that is not so: no more than before the fault."""
    then = reference.devices[device]
    return [f"{key} {value} in place of {then.get(key)}"
            for key, value in page.devices.get(device, {}).items()
            if value != then.get(key) and not _moves(key) and _split(key)[0] not in JUDGEMENTS
            and not _says_less(key, then)
            and not (key in then and _wrapped(key, value, then[key]))]


# The last word of a name without _total, and between what its values can be.
RANGES = {"ratio": (0, 1), "celsius": (-55, 200), "watts": (0, 1e5), "volts": (0, 1000),
          "hertz": (0, 1e11), "bytes": (0, 1e24), "up": (0, 1), "state": (0, 1), "info": (1, 1),
          "lanes": (0, 64), "enabled": (0, 1), "joules": (0, 1e16)}
_SENSE = re.compile(r"(nan|[+-]?inf)\Z", re.IGNORECASE)


def nonsense(page, device):
    """What the device's part of the page says that cannot be so of any device."""
    found = []
    for key, value in page.devices.get(device, {}).items():
        name = _split(key)[0].removesuffix("_total")
        least, most = RANGES.get(name.rpartition("_")[2], (-1e308, 1e308))
        if name.endswith("_total"):
            least = max(least, 0)
        if _SENSE.match(value) or not least <= float(value) <= most:
            found.append(f"{key} {value}")
    return found


class Watcher:
    """Looks at every page of one exporter, one after the other."""

    COUNTS = re.compile(r"_total\Z|_bucket\Z|_count\Z|_sum\Z")
    # Of the processes that are there: a host that ended takes its share along.
    OF_PROCESSES = "ascend_exporter_process_cpu_seconds_total"

    def __init__(self):
        self._counts = {}

    def falls(self, page, lied=(), others=()):
        """Counts that fell since the page before. What the devices in `lied` count may, for they
        tell anything; and of those in `others` even what is counted here, for they may be taken for
        other chips."""
        found = []
        for key, value in page.series.items():
            name, device = _split(key)
            if not self.COUNTS.search(name) and not MOVING.search(name):
                continue
            if name == self.OF_PROCESSES:
                continue
            before, now = self._counts.get(key), float(value)
            self._counts[key] = now
            may = device in others or (device in lied and not _moves(key))
            if before is not None and now < before and not may:
                found.append(f"{key} falls from {before} to {now}")
        return found
