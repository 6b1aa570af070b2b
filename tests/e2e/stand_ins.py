"""What the exporter's three drivers read in a test, made from one machine description."""

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


class Scenario:
    """A scenario file for driver sim."""

    backend = "sim"

    def __init__(self, folder, name, load_pattern="steady", events=()):
        self.path = pathlib.Path(folder) / "scenario.yaml"
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
    uses it holds from the library's next call on."""

    backend = "dcmi"

    def __init__(self, folder, name, library=FAKE_DCMI):
        self._data = pathlib.Path(folder) / "dcmi.data"
        self._counts = pathlib.Path(folder) / "dcmi.counts"
        self._lines = fake_data.render(load(name)).splitlines()
        self._write()
        self.flags = ["--driver=dcmi", f"--dcmi.library={library}",
                      "--dcmi.allow-untrusted-library"]
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
    """A script that stands for npu-smi. What it prints can be changed while a program uses it."""

    backend = "npu_smi"

    def __init__(self, folder, name=None):
        folder = pathlib.Path(folder)
        self.path = folder / "npu-smi"
        self._text = folder / "npu-smi.text"
        self._runs = folder / "npu-smi.runs"
        self.print(npu_smi_text.render(load(name)) if name else "")
        npu_smi_text.write_tool(self.path, self._text, self._runs)
        self.flags = ["--driver=npu-smi", f"--npu-smi.path={self.path}"]
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


DRIVERS = {kind.backend: kind for kind in (Scenario, FakeLibrary, FakeTool)}
