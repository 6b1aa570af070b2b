"""Where cells are played: a machine of the stand-in library and the exporter's processes."""

import os
import pathlib
import shutil
import tempfile
import threading
import time

import cells
import pages
from harness import PATIENCE, Exporter
from matrix_machine import ALL, EVERYTHING, Call, MatrixMachine

# Machines whose chips are asked different things, with so many chips.
CHIPS = {"8x910b": 4, "2x950": 4, "2x310p-vnpu": 4, "1x310b": 3, "2x910a": 3}
GROUPS = ("fast", "health", "memory", "links", "network", "identity")
DEADLINE = 0.2
EVERY_TIME = 1_000_000  # calls that crash, and are counted
FLAGS = [*EVERYTHING, "--sampling.window=1s", "--devices.discovery-period=300ms",
         "--web.enable-lifecycle=true"]
FLAGS += [f"--sampling.{group}-period=100ms" for group in GROUPS if group != "links"]
FLAGS += [f"--sampling.{group}-deadline={DEADLINE:g}s" for group in GROUPS]


class Stage:
    def __init__(self, name):
        self.name = name
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="matrix-"))
        self.folder.chmod(0o755)
        self.machine = MatrixMachine(self.folder, name, chips=CHIPS[name])
        self.chips = {str(chip["device"]): chip for chip in self.machine.description["chips"]}
        self.devices = list(self.chips)
        self.exporter = None
        self.watcher = None  # of the exporter's pages
        self._file = self.folder / "exporter.yml"
        self._links_period = 100
        self._write_settings()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.leave()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _write_settings(self):
        new = self._file.with_suffix(".new")
        new.write_text(f"sampling: {{links_period: {self._links_period}ms}}\n", encoding="utf-8")
        os.replace(new, self._file)

    def enter(self):
        self.watcher = pages.Watcher()
        self.exporter = Exporter(*FLAGS, f"--config.file={self._file}", *self.machine.flags,
                                 env=self.machine.env)
        try:
            self.exporter.__enter__()
        except AssertionError:
            self.exporter = None
            raise

    def leave(self):
        """Ends the exporter. Returns what was wrong with that, and its log."""
        if self.exporter is None:
            return "", ""
        exporter, self.exporter = self.exporter, None
        trouble = ""
        try:
            exporter.stop()
        except AssertionError as error:
            trouble = str(error).partition("\n")[0]
        exporter.__exit__(None, None, None)
        return trouble, exporter.log

    def page(self):
        """The page, and the seconds that it took."""
        begin = time.monotonic()
        reply = self.exporter.get("/metrics")
        took = time.monotonic() - begin
        if reply.status != 200:
            raise AssertionError(f"/metrics answers {reply.status}")
        return pages.Page(reply.body.decode("utf-8"), time.time()), took

    def post(self, action):
        reply = self.exporter.get(f"/-/{action}", method="POST")
        if reply.status not in (200, 202):
            raise AssertionError(f"/-/{action} answers {reply.status}")

    def reload(self):
        """With settings that need another host."""
        self._links_period = 210 - self._links_period
        self._write_settings()
        self.post("reload")

    def asked(self, cell):
        """How many calls the cell's function has met; of a crash, how many died."""
        if cell.fault == cells.CRASH:
            return self.machine.crashes()
        return self.machine.counts().get(cell.target.function, 0)

    def faulted(self, cell):
        """The devices that meet the cell's fault."""
        if not cell.target.about_chips or cell.scope == cells.ALL:
            return set(self.devices)
        of_scope = [self.devices[1]] if cell.scope == cells.ONE else self.devices[0:3:2]
        if not cell.target.about_cards:
            return set(of_scope)
        cards = {self.chips[device]["npu_id"] for device in of_scope}
        return {device for device, chip in self.chips.items() if chip["npu_id"] in cards}

    def rules(self, cell):
        function, _, input_type = cell.target.function.partition(":")
        action = cell.way
        if cell.fault == cells.CRASH:
            action = self.machine.crash(action.partition(" ")[2], EVERY_TIME)
        faulted = self.faulted(cell)
        places = {ALL} if faulted == set(self.devices) else faulted
        if places == faulted and cell.target.about_cards:
            places = {f"{self.chips[device]['npu_id']}/*" for device in faulted}
        return [Call(function, place, input_type).rule(action) for place in sorted(places)]


def reference_of(stage):
    """The page of the stage's machine while it is well, and the calls that are made for it."""
    stage.enter()
    stage.machine.wait_until_asked(stage.exporter)
    pause, before, deadline = threading.Event(), None, time.monotonic() + PATIENCE
    while True:
        page, _ = stage.page()
        whole = all(device in page.devices for device in stage.devices)
        if before and whole and not any(pages.differences(page, before, device)
                                        for device in stage.devices):
            break
        if time.monotonic() > deadline:
            raise AssertionError(f"{stage.name} does not stand still")
        before = page if whole else None
        pause.wait(1.5)  # longer than the window of the extremes
    targets = {cells.Target(stage.name, call.function, False)
               for call in stage.machine.calls_of_the_machine()}
    for device in stage.machine.devices:
        for call in stage.machine.calls(device):
            name = f"{call.function}:{call.type}" if call.type else call.function
            targets.add(cells.Target(stage.name, name, True, call.target.endswith("/*")))
    stage.leave()
    return page, sorted(targets)
