"""What the exporter's three drivers read in a test, made from one machine description."""

import functools
import os
import pathlib
import sys

import yaml

from harness import MACHINES, ROOT, environment

sys.path.insert(0, str(ROOT / "tests" / "tools"))

import fake_data  # noqa: E402
import machine as machine_file  # noqa: E402
import npu_smi_text  # noqa: E402

FAKE_DCMI = pathlib.Path(os.environ.get("FAKE_DCMI_DIR", "")) / "libdcmi.so"


def load(name):
    """The description of one of the tests' machines."""
    return machine_file.load(MACHINES / f"{name}.yaml")


def _replace(path, text):
    """Changes a file at once: no reader sees a half of it."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def write_sysfs(folder, machine):
    """What the kernel tells of the PCIe links of a machine's chips, below `folder`."""
    for chip in machine["chips"]:
        pcie = chip.get("pcie")
        if pcie is None or "pci_address" not in chip:
            continue
        device = pathlib.Path(folder) / "bus" / "pci" / "devices" / chip["pci_address"]
        device.mkdir(parents=True, exist_ok=True)  # chips of one card may share an address
        for name, key in (("current_link_speed", "speed_gts"), ("max_link_speed", "max_speed_gts")):
            if key in pcie:
                (device / name).write_text(f"{pcie[key]:.1f} GT/s PCIe\n", encoding="utf-8")
        for name, key in (("current_link_width", "lanes"), ("max_link_width", "max_lanes")):
            if key in pcie:
                (device / name).write_text(f"{pcie[key]}\n", encoding="utf-8")
        for kind, total in (("correctable", "COR"), ("nonfatal", "NONFATAL"), ("fatal", "FATAL")):
            if kind in pcie.get("errors", {}):
                count = pcie["errors"][kind]
                (device / f"aer_dev_{kind}").write_text(
                    f"RxErr {count}\nTOTAL_ERR_{total} {count}\n", encoding="utf-8")


class Host:
    """What the drivers find beside the library and npu-smi: the kernel's files and, with `queries`,
    hccn_tool. `answers` holds what the tools answer to queries, in files with the
    arguments' names; None where they know no query."""

    def __init__(self, folder, name, queries):
        folder = pathlib.Path(folder)
        sysfs, tool = folder / "sysfs", folder / "hccn_tool"
        sysfs.mkdir(exist_ok=True)
        if name:
            write_sysfs(sysfs, load(name))
        self.answers = folder / "answers" if queries else None
        if queries:
            npu_smi_text.write_answers(self.answers, load(name))
            npu_smi_text.write_tool(tool, os.devnull, folder / "hccn_tool.runs", self.answers)
        self.flags = [f"--path.sysfs={sysfs}", f"--hccn-tool.path={tool}"]


class Scenario:
    """A scenario file for driver sim."""

    backend = "sim"

    # What the rules of a description say to the library, which a simulation does not heed.
    EVENTS = {"card-in-reset": [
        {"at": "0s", "device": 1, "kind": "error", "call": "all", "code": -8005},
        {"at": "0s", "device": 1, "kind": "error", "call": "health", "code": -8012}]}

    def __init__(self, folder, name, load_pattern="steady", events=()):
        self.path = pathlib.Path(folder) / "scenario.yaml"
        events = events or self.EVENTS.get(name, ())
        built_in = not (MACHINES / f"{name}.yaml").exists()
        scenario = {"machine": name if built_in else str(MACHINES / f"{name}.yaml"),
                    "load": load_pattern, "events": list(events)}
        if not events:
            del scenario["events"]
        self.path.write_text(yaml.safe_dump(scenario), encoding="utf-8")
        self.flags = ["--driver=sim", f"--sim.scenario={self.path}"]
        self.env = environment()


class FakeLibrary:
    """The stand-in for libdcmi.so and the data that it answers from. What is added while a program
    uses it holds from the library's next call on. With `queries` there is hccn_tool too."""

    backend = "dcmi"

    def __init__(self, folder, name, library=FAKE_DCMI, queries=False):
        self._data = pathlib.Path(folder) / "dcmi.data"
        self._counts = pathlib.Path(folder) / "dcmi.counts"
        self._lines = fake_data.render(load(name)).splitlines()
        self._write()
        self.flags = ["--driver=dcmi", f"--dcmi.library={library}",
                      "--dcmi.allow-untrusted-library", *Host(folder, name, queries).flags]
        self.env = environment(FAKE_DCMI_DATA=self._data, FAKE_DCMI_COUNTS=self._counts)

    def add(self, *lines):
        self._lines += lines
        self._write()

    def remove(self, *lines):
        for line in lines:
            self._lines.remove(line)
        self._write()

    def take_out(self, device):
        """Removes a chip; returns what put_back needs."""
        mine = [line for line in self._lines
                if line.startswith((f"chip {device} ", f"set {device} "))]
        self.remove(*mine)
        return mine

    put_back = add

    def counts(self):
        """How often each function was called; empty where the library was never loaded."""
        return fake_data.counts(self._counts) if self._counts.exists() else {}

    def _write(self):
        _replace(self._data, "\n".join(self._lines) + "\n")


class FakeTool:
    """A script that stands for npu-smi. What it prints can be changed while a program uses it. With
    `queries` it knows more than its table, and there is hccn_tool too."""

    backend = "npu_smi"

    def __init__(self, folder, name=None, queries=False):
        folder = pathlib.Path(folder)
        self.path = folder / "npu-smi"
        self._text = folder / "npu-smi.text"
        self._runs = folder / "npu-smi.runs"
        self.print(npu_smi_text.render(load(name)) if name else "")
        host = Host(folder, name, queries)
        npu_smi_text.write_tool(self.path, self._text, self._runs, host.answers)
        self.flags = ["--driver=npu-smi", f"--npu-smi.path={self.path}", *host.flags]
        self.env = environment()

    def print(self, text):
        _replace(self._text, text)

    def script(self, text):
        """Becomes another script."""
        new = self.path.with_name("npu-smi.new")
        new.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        new.chmod(0o755)
        os.replace(new, self.path)

    def runs(self):
        """The arguments of every run so far."""
        return self._runs.read_text(encoding="utf-8").splitlines() if self._runs.exists() else []


# What makes each of the drivers with all that it can read.
DRIVERS = {"sim": Scenario, "dcmi": functools.partial(FakeLibrary, queries=True),
           "npu_smi": functools.partial(FakeTool, queries=True)}
