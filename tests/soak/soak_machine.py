"""The machine of a soak: sixteen chips of which no two answer alike, so that a value of one that is
shown for another is noticed, and one value that tells when it was read."""

import copy
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import stand_ins  # noqa: E402

MIB = 1024 * 1024
BEAT = 0.5  # seconds between two values of the clock
SPAN = 1000  # values of the clock before it begins again
ROOM = 2000  # MiB between the clocks of two devices
FIRST = 1000  # MiB
# The metrics that show the clock.
CLOCKS = {"ascend_npu_hbm_used_bytes", "ascend_npu_memory_used_bytes"}
# What a search for devices asks: an answer that is wrong there concerns all devices.
ENUMERATION = ("_num_in_card", "_device_type", "_logic_id", "_phyid", "_card_list", "_card_num",
               "_from_logicid", "_init", "_version", "_mcu")
RECHECK = "recheck 20"


def unlike(description):
    """The description with numbers of its own for every chip."""
    machine = copy.deepcopy(description)
    for index, chip in enumerate(machine["chips"]):
        _make_unlike(chip, index)
    return machine


def _make_unlike(chip, index):
    chip["temperature_celsius"] = 30 + index
    if "power_watts" in chip:  # the first chip of a card has the power of both
        chip["power_watts"] = 150.0 + 10 * index
    chip["voltage_volts"] = 0.70 + 0.01 * index
    chip["utilization"] = {name: 2 + index + 16 * step for step, name in enumerate(
        ("aicore", "vector", "cube", "aicpu", "ctrlcpu"))} | {"overall": 82 + index}
    chip["hbm"] |= {"temperature_celsius": 50 + index, "utilization": 3 + index,
                    "bandwidth_utilization": 20 + index}
    chip["sensors"] = {"soc": 40 + index, "fp_max": 60 + index, "n_die": 45 + index,
                       "hbm": 50 + index}
    chip["ecc"]["hbm"] |= {"single_bit": 100 + index, "double_bit": 1 + index,
                           "lifetime_single_bit": 1000 + index, "lifetime_double_bit": 200 + index,
                           "isolated_pages": 10 + index}
    chip["sio"] = {"transmit_errors": 300 + index, "receive_errors": 400 + index}
    for link in chip["hccs"]["links"]:
        link |= {name: 10000 * step + 100 * (index + 1) + link["link"] for step, name in enumerate(
            ("transmit_flits", "receive_flits", "crc_errors", "retries"), 1)}
    errors = chip["pcie"]["errors"]
    errors |= {name: 20 * (step + 1) + index for step, name in enumerate(errors)}
    for port in chip["network"]["ports"]:
        port["counters"] = {name: 100000 * (index + 1) + step
                            for step, name in enumerate(port["counters"])}


class SoakMachine(stand_ins.FakeLibrary):
    """Any thread."""

    def __init__(self, folder, library):
        self.description = unlike(stand_ins.load("16x910c"))
        self._lock = threading.Lock()
        self._rules = {}  # by the number of the fault that they belong to
        self._absent = set()
        self._written = []  # times at which the clock went on
        self._base = []
        super().__init__(folder, "16x910c", library=library)
        self._base = stand_ins.fake_data.render(self.description).splitlines()
        self.beat()

    @property
    def devices(self):
        return [chip["device"] for chip in self.description["chips"]]

    def begin(self, number, *rules):
        with self._lock:
            self._rules[number] = rules
            self._store()

    def end(self, number):
        with self._lock:
            self._rules.pop(number, None)
            self._store()

    def end_all(self):
        with self._lock:
            self._rules.clear()
            self._absent.clear()
            self._store()

    def remove(self, device):
        with self._lock:
            self._absent.add(device)
            self._store()

    def put_back(self, device):
        with self._lock:
            self._absent.discard(device)
            self._store()

    def beat(self):
        """The clock goes on."""
        with self._lock:
            self._written.append(time.monotonic())
            self._store()

    def last_true(self, device, used_bytes):
        """When the library last gave this as the used memory of the device; None: never."""
        mib, rest = divmod(used_bytes, MIB)
        place = int(mib) - FIRST - ROOM * device
        with self._lock:
            now = len(self._written) - 1
            if rest or not 0 <= place < SPAN or now < 0:
                return None
            number = now - (now - place) % SPAN
            if number < 0:
                return None
            return time.monotonic() if number == now else self._written[number + 1]

    def functions(self):
        """The functions about one device that were called so far, without those of a search."""
        names = {name.partition(" ")[0] for name in self.counts() if "/" in name.partition(" ")[2]}
        return sorted(name for name in names if ":" not in name and name.startswith("dcmi_") and
                      not any(part in name for part in ENUMERATION))

    def _write(self):
        """What the base class does before there is a machine."""

    def _store(self):
        gone = tuple(f"{word} {device} " for device in self._absent for word in ("chip", "set"))
        lines = [line for line in self._base if not line.startswith(gone or ("\0",))]
        rules = [rule for number in sorted(self._rules) for rule in self._rules[number]]
        self._lines = [*lines, *self._clock_lines(), RECHECK, *rules]
        super()._write()

    def _clock_lines(self):
        place = (len(self._written) - 1) % SPAN
        for index, chip in enumerate(self.description["chips"]):
            if chip["device"] not in self._absent:
                hbm = chip["hbm"]
                yield (f"set {chip['device']} hbm {hbm['total_mib']} {FIRST + ROOM * index + place}"
                       f" {hbm['temperature_celsius']} {hbm['bandwidth_utilization']}")

