"""Plays one cell of the matrix with real processes and says what was wrong."""

import collections
import dataclasses
import re
import threading
import time

import cells
import pages
from harness import PATIENCE, poll
from cells import CRASH, ERROR, GARBAGE, HANG, LONG_HANG, SENTINEL, SLOW

LOOK = 0.15  # seconds between two pages
LOOK_CLOSELY = 0.05
SCRAPE_LIMIT = 1.0  # seconds; 0.1 on a machine at rest
START_LIMIT = 10.0  # until the devices that are well are whole
BY_ITSELF = 12.0  # until all are, after the fault
MENDED = 15.0  # until all are, after somebody has told the exporter to try again
# How long a fault lasts: until what came before it is stale, or so that several answers are met;
# the long hang until the host is replaced on its behalf.
LASTS = {ERROR: 2.6, SENTINEL: 1.0, SLOW: 2.6, HANG: 2.6, LONG_HANG: 13.0, CRASH: 2.0, GARBAGE: 1.0}

# Calls of the search for devices, which is one for all of them.
SEARCH = re.compile("card_list|device_list|num_in_card|logic_id|logicid|phy_id|device_type")
# What tells whether a chip is the one of before. One that tells another tale is taken for another.
WHO_IT_IS = re.compile("die_v2|die_id|pcie_info|board_info|chip_info")


@dataclasses.dataclass
class Result:
    cell: cells.Cell
    met: bool = False  # the call was made while the fault was there
    seen: bool = False  # a page showed it
    violations: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    recovery: float | None = None  # seconds from the fault's end, or the mending, to a whole page
    mended: str = ""  # what it took to be whole again, besides time
    slowest_scrape: float = 0.0
    collectors: frozenset = frozenset()  # that failed, or crashed
    log: str = ""

    def blame(self, kind, text):
        self.violations[f"{kind}: {text}"] += 1


class Play:
    """One cell on one stage. `reference`: the stage's page while all is well."""

    def __init__(self, cell, stage, reference):
        self.cell, self.stage, self.reference = cell, stage, reference
        self.result = Result(cell)
        faulted = stage.faulted(cell)
        self.faulted = faulted
        self.lied = faulted if cell.fault in (GARBAGE, SENTINEL) else set()
        self.disguised = self.lied if WHO_IT_IS.search(cell.target.function) else set()
        self.searching = SEARCH.search(cell.target.function) is not None
        if self.searching and self.lied:
            self.disguised = set(stage.devices)  # a chip may take the number of another one
        self.well = [device for device in stage.devices if device not in faulted]
        # A search that does not return has told of nobody; one that ends its host is not made again
        # for a time, and without it no host knows of any device.
        if self.searching and (cell.fault == CRASH or (
                cell.moment == cells.START and cell.fault in (HANG, LONG_HANG))):
            self.well = []
        # Whether a link leads to a device is known only of devices that are known.
        self.unknown = frozenset(faulted if self.searching else ())
        self.lasting = True  # the fault

    def look(self, settled=True):
        """Takes a page and judges it. `settled`: devices that are well are complete by now."""
        page, took = self.stage.page()
        result = self.result
        result.slowest_scrape = max(result.slowest_scrape, took)
        if took > SCRAPE_LIMIT:
            result.blame("scrape", f"takes {took:.1f} s")
        for text in self.stage.watcher.falls(page, self.lied, self.disguised):
            result.blame("fall", text)
        for device in self.stage.devices:
            self._judge(page, device, settled)
        for device in page.devices.keys() - set(self.stage.devices) - {None}:
            if not self.lied:
                result.blame("false", f"there is no device {device}")
        return page

    def _judge(self, page, device, settled):
        if device in self.well and settled:
            wrong = pages.differences(page, self.reference, device, self.unknown)
            if wrong:
                self.result.blame("bystander", f"device {device} {wrong}")
        elif device in self.lied:
            for text in pages.nonsense(page, device):
                self.result.blame("nonsense", text)
        else:
            for text in pages.falsehoods(page, self.reference, device):
                self.result.blame("false", text)

    def differences(self, page, device):
        """From what is to be there now, or when the fault is over."""
        unknown = self.unknown if self.lasting else frozenset()
        return pages.differences(page, self.reference, device, unknown)

    def wait_until_whole(self, devices, limit, settled=True, last=True):
        """Seconds until they are; None if they never were, for which the exporter is blamed if this
        was its last chance."""
        pause, begin = threading.Event(), time.monotonic()
        while True:
            page = self.look(settled)
            passed = time.monotonic() - begin
            wrong = {device: self.differences(page, device) for device in devices}
            if not any(wrong.values()):
                return passed
            if passed > limit:
                for device, text in wrong.items():
                    if text and last:
                        self.result.blame("not whole", f"device {device} {text}")
                return None
            pause.wait(LOOK_CLOSELY)

    def begin(self):
        """The fault is there when it returns."""
        cell, stage = self.cell, self.stage
        if cell.moment == cells.START:
            stage.leave()
            self.before = pages.Page("", 0)
            self.set_rules()
            stage.enter()
            self.wait_until_whole(self.well, START_LIMIT, settled=False)
            return
        if stage.exporter is None:
            stage.enter()
        self.lasting = False
        if self.wait_until_whole(stage.devices, START_LIMIT, settled=False) is None:
            raise AssertionError("not whole before the fault")
        self.lasting = True
        self.before = self.look()
        self.set_rules()
        if cell.moment == cells.RELOAD:
            stage.reload()

    def set_rules(self):
        rules = self.stage.rules(self.cell)
        self.asked_before = self.stage.asked(self.cell)
        self.stage.machine.set_rules(*rules)

    def play(self):
        cell, stage, result = self.cell, self.stage, self.result
        self.begin()
        pause, end = threading.Event(), time.monotonic() + LASTS[cell.fault]
        while time.monotonic() < end:
            page = self.look()
            result.seen = result.seen or any(self.differences(page, device)
                                             for device in stage.devices)
            pause.wait(LOOK)
        result.met = stage.asked(cell) > self.asked_before
        self.see_what_failed(page)
        held = any(key.startswith("ascend_exporter_held_call_info") for key in page.series)
        stage.machine.set_rules()
        self.lasting = False
        self.recover(held)

    def recover(self, held):
        """What crashed, or kept others waiting, is left alone for a time, until somebody says that
        it is repaired. What is asked for once is asked for again by another host."""
        cell, stage, result = self.cell, self.stage, self.result
        if cell.fault == CRASH and result.met:
            threading.Event().wait(0.1)  # the library sees within 20 ms that the rule is gone
            stage.post("acquire")
            result.mended = "acquire"
            result.recovery = self.wait_until_whole(stage.devices, MENDED)
            return
        # If all devices are stuck at once, one of them may be what keeps the others waiting.
        mends = {GARBAGE: ["release"], SENTINEL: ["release"]}.get(
            cell.fault, ["acquire"] if held and cell.fault in (SLOW, HANG, LONG_HANG) else [])
        result.recovery = self.wait_until_whole(stage.devices, 2.0 if mends else BY_ITSELF,
                                                last=not mends)
        if result.recovery is None and mends:
            result.mended = mends[0]
            if mends[0] == "release":
                self.well = []  # nobody is sampled for a moment
                self.release()
            stage.post("acquire")
            result.recovery = self.wait_until_whole(stage.devices, MENDED)

    def release(self):
        """Waits until the exporter has let go of the driver."""
        self.stage.post("release")
        poll(lambda: self.look().value('ascend_exporter_driver_state{state="released"}'), PATIENCE,
             "the driver is released")

    def see_what_failed(self, page):
        def rose(beginning, part=""):
            return {key: int(float(value) - (self.before.value(key) or 0))
                    for key, value in page.series.items()
                    if key.startswith(beginning) and part in key
                    and float(value) > (self.before.value(key) or 0)}
        def collectors(keys):
            return frozenset(key.partition('collector="')[2].partition('"')[0] for key in keys)
        cell, result = self.cell, self.result
        if cell.fault != CRASH:
            result.collectors = collectors(rose("ascend_exporter_driver_calls_total", '"error"'))
            return
        crashed = rose("ascend_exporter_call_crashes_total")
        result.collectors = collectors(crashed)
        for key, times in crashed.items():
            if pages.device_of(key) not in self.faulted:
                result.blame("wrong device", key)
            if times > 1:
                result.blame("not held", f"{times} times {key}")
        # exit(3) and _exit(3) leave no trace of who called them.
        if result.met and not self.searching and cell.target.about_chips:
            if not crashed and "exit" not in cell.way:
                result.blame("not counted", "ascend_exporter_call_crashes_total")
            if not any(key.startswith("ascend_exporter_held_call_info") for key in page.series):
                result.blame("not held", "no call")


def play(cell, stage, reference):
    """The result of the cell. The stage is good for the next one."""
    performance = Play(cell, stage, reference)
    result = performance.result
    try:
        performance.play()
        if stage.exporter.process.poll() is not None:
            result.blame("ended", f"the exporter, with {stage.exporter.process.returncode}")
    except (AssertionError, OSError) as error:
        result.blame("broken", str(error).partition("\n")[0])
    stage.machine.set_rules()
    if result.violations or cell.fault == CRASH or result.mended:
        trouble, result.log = stage.leave()
        if trouble:
            result.blame("end", trouble)
    return result
