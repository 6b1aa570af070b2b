#!/usr/bin/env python3
"""What `npu-smi info` prints on a machine description (tests/machines), and a fake tool that prints
it.

    npu_smi_text.py MACHINE.yaml             the table
    npu_smi_text.py --prose MACHINE.yaml     the values in it, one line
    npu_smi_text.py --expected FOLDER        of samples in FOLDER: file TAB chip count TAB values
    npu_smi_text.py --answers FOLDER MACHINE.yaml
                                             the answers to all other queries of npu-smi and of
                                             hccn_tool, in files that are named by the arguments

The values of a table as prose are its chips and its processes:
`[npu name; chip second-id; bus] HEALTH T°C PW ai U% hbm used/total; ...; processes: ...`.
"""

import dataclasses
import json
import os
import pathlib
import re
import shlex
import sys

import machine as machines
import npu_smi_answers

HEALTH_WORDS = {"ok": "OK", "warning": "Warning", "alarm": "Alarm", "critical": "Critical",
                "unknown": "UNKNOWN"}


@dataclasses.dataclass(frozen=True)
class Layout:
    """Widths of one layout of the table, in characters between its bars."""
    family: str  # A: 310; B: 910 and 910B; C: A3; D: 950
    cells: tuple  # name, health and number cells
    version: int  # of the tool's version
    id: int  # of the first of two ids in a cell
    scalars: tuple  # power and temperature
    util: int
    used: int  # before the slash of hugepages and of the last memory pair
    ddr: int  # the whole first memory pair, where there are two
    hugepages: bool = True
    processes: tuple = ()  # cells after the pid: name, memory, pid in container


def family_of(chip_name):
    name = chip_name.removeprefix("Ascend").strip()
    if name.startswith("950"):
        return "D"
    if name.startswith("310"):
        return "A"
    return "C" if chip_name == "Ascend910" else "B"


def layout_of(chip_name, tool_version):
    family = family_of(chip_name)
    major = int(tool_version.split(".")[0])
    if family == "A":
        if major < 22:
            return Layout("A", (19, 17, 40), 29, 8, (18, 21), 18, 5, 0, hugepages=False)
        name_cell, version = (23, 33) if major == 22 else (31, 41)
        has_processes = major >= 23 and not chip_name.startswith("310B")
        return Layout("A", (name_cell, 17, 54), version, 8, (13, 18), 13, 6 if major >= 24 else 5,
                      0, processes=(26, 27) if has_processes else ())
    if family == "D":
        return Layout("D", (27, 15, 53), 32, 6, (12, 18), 12, 6, 18, processes=(26, 26))
    if major < 22:
        return Layout(family, (22, 15, 45), 25, 6, (11, 33), 11, 5, 18, hugepages=False)
    if major >= 26:
        return Layout(family, (27, 15, 70), 36, 6, (21, 24), 21, 5, 24, processes=(24, 20, 24))
    return Layout(family, (22 if major == 22 else 27, 15, 52), 25, 6, (12, 18), 12, 5, 18,
                  processes=(26, 25) if major >= 23 else ())


class _Table:
    def __init__(self, layout):
        self.layout = layout
        self.lines = []
        self.inner = sum(layout.cells) + 2

    def rule(self, mark, cells=None):
        bars = [mark * width for width in cells or self.layout.cells]
        self.lines.append("+" + "+".join(bars) + "+")

    def row(self, cells, texts):
        self.lines.append("|" + "|".join(f" {text}".ljust(width)[:max(width, len(text) + 1)]
                                         for text, width in zip(texts, cells)) + "|")

    def chip_rule(self, mark):
        if self.layout.family == "D":
            self.rule(mark, (8, 18) + self.layout.cells[1:])
        else:
            self.rule(mark)

    def chip_row(self, ids, middle, last):
        """`ids`: the two texts of the first cell, which are two cells on 950."""
        first, second = str(ids[0]), str(ids[1])
        if self.layout.family == "D":
            self.row((8, 18) + self.layout.cells[1:], (first, second, middle, last))
        else:
            self.row(self.layout.cells, (first.ljust(self.layout.id) + second, middle, last))


def _pair(used, total, used_width, width=0):
    return f"{used:<{used_width}}/ {total}".ljust(width)


def _power(chip, family):
    if chip.get("power_watts") is None:
        return "-" if family == "C" else "NA"
    return f"{chip['power_watts']:.1f}"


def _load(chip, family):
    value = chip.get("utilization", {}).get("overall" if family == "D" else "aicore")
    return "NA" if value is None else str(round(value))


def _temperature(chip):
    value = chip.get("temperature_celsius")
    return "NA" if value is None else str(round(value))


def _second_id(chip, family):
    """The id in the first cell of a chip's second row, beside its chip id."""
    return {"A": chip.get("logic_id", chip["device"]), "C": chip["device"]}.get(family, "")


def _memory(chip, name):
    memory = chip.get(name, {})
    return memory.get("used_mib", 0), memory.get("total_mib", 0)


def _bus(chip):
    return chip.get("pci_address", "").upper() or "NA"


def _header(table, machine):
    layout = table.layout
    power, temperature = layout.scalars
    table.rule("-", (table.inner,))
    table.row((table.inner,), (f"npu-smi {machine['tool_version']:<{layout.version}}"
                               f"Version: {machine['driver_version']}",))
    table.rule("-")
    scalars = f"{'Power(W)':<{power}}{'Temp(C)':<{temperature}}"
    first = ("NPU ID", "Name") if layout.family == "D" else ("NPU", "Name")
    table.chip_row(first, "Health", scalars + ("Hugepages-Usage(page)" if layout.hugepages else ""))
    util = "NPU Util(%) " if layout.family == "D" else "AICore(%)".ljust(layout.util)
    memory = "Memory-Usage(MB)".ljust(layout.ddr)
    second = {"A": ("Chip", "Device"), "B": ("Chip", ""), "C": ("Chip", "Phy-ID"), "D": ("", "")}
    table.chip_row(second[layout.family], "Bus-Id",
                   util + memory + ("" if layout.family == "A" else "HBM-Usage(MB)"))
    table.chip_rule("=")


def _chip_rows(table, chip):
    layout = table.layout
    power, temperature = layout.scalars
    numbers = f"{_power(chip, layout.family):<{power}}{_temperature(chip):<{temperature}}"
    if layout.hugepages:
        pages = chip.get("ddr", {})
        total = pages.get("hugepages_total", 0)
        numbers += _pair(total - pages.get("hugepages_free", 0), total, layout.used)
    table.chip_row((chip["npu_id"], chip["chip_name"]), HEALTH_WORDS[chip.get("health", "ok")],
                   numbers)
    numbers = f"{_load(chip, layout.family):<{layout.util}}" + _pair(*_memory(chip, "ddr"), 5,
                                                                    layout.ddr)
    if layout.family != "A":
        numbers += _pair(*_memory(chip, "hbm"), layout.used)
    ids = ("", "") if layout.family == "D" else (chip["chip_id"], _second_id(chip, layout.family))
    table.chip_row(ids, _bus(chip), numbers)


def _processes(chip):
    return chip.get("processes", [])[:8]  # the tool lists no more for one chip


def _by_npu(chips):
    npus = {}
    for chip in chips:
        npus.setdefault(chip["npu_id"], []).append(chip)
    return npus


def _listed(chips):
    """The NPUs in the table of processes, which leaves out those that it knows nothing of."""
    return _by_npu([chip for chip in chips if "processes" in chip])


def _process_table(table, chips):
    layout = table.layout
    cells = layout.cells[:2] + layout.processes
    titles = ("Process name", "Process memory(MB)", "Process id in container")
    table.rule("-")
    ids = "NPU ID" if layout.family == "D" else "NPU     Chip"
    table.row(cells, (ids, "Process id") + titles[:len(layout.processes)])
    table.rule("=")
    for npu, of_npu in _listed(chips).items():
        rows = [(chip, process) for chip in of_npu for process in _processes(chip)]
        for chip, process in rows:
            ids = str(npu) if layout.family == "D" else f"{npu:<8}{chip['chip_id']}"
            table.row(cells, (ids, str(process["pid"]), process.get("name", ""),
                              str(process["memory_mib"]), "NA"))
        if not rows:
            table.row((table.inner,), (f"No running processes found in NPU {npu}",))
        table.rule("=")


def _as_read(machine):
    """The tool prints 0 for what it failed to read, and OK for the health."""
    failing = machines.failing(machine)
    zeros = {"health": "ok", "temperature_celsius": 0, "power_watts": 0,
             "utilization": {"aicore": 0}, "hbm": {}, "ddr": {}}

    def read(chip):
        if chip["device"] not in failing:
            return chip
        known = {key: value for key, value in chip.items() if key != "processes"}
        return known | zeros
    return [read(chip) for chip in machine["chips"]]


def render(machine):
    """The table of a machine description as machine.load returns it, in the layout of its first
    chip's family."""
    chips = _as_read(machine)
    if not chips:
        return "There is no NPU card on this server.\n"
    table = _Table(layout_of(chips[0]["chip_name"], machine["tool_version"]))
    _header(table, machine)
    for of_npu in _by_npu(chips).values():
        for chip in of_npu:
            _chip_rows(table, chip)
            if chip is not of_npu[-1]:
                table.rule("-", None if table.layout.family == "A" else (table.inner,))
        table.chip_rule("=")
    if table.layout.processes:
        _process_table(table, chips)
    return "\n".join(table.lines) + "\n"


def _chip_prose(chip):
    family = family_of(chip["chip_name"])
    second = _second_id(chip, family)
    ids = f"{chip.get('chip_id', 0)} {second}".rstrip()
    watts = _power(chip, family)
    text = (f"[{chip['npu_id']} {chip['chip_name']}; {ids}; {_bus(chip)}] "
            f"{HEALTH_WORDS[chip.get('health', 'ok')]} {_temperature(chip)}°C "
            f"{'?' if watts in ('NA', '-') else watts}W ai {_load(chip, family)}%")
    for word, name in ("hbm", "hbm"), ("mem" if family == "A" else "ddr", "ddr"):
        if name in chip:
            text += " {} {}/{}".format(word, *_memory(chip, name))
    return text


def _process_prose(rows, idle, has_table):
    if not has_table:
        return "no process table"
    parts = ["npu {} chip {} pid {} name '{}' {} MB".format(*row) for row in rows]
    if idle:
        parts.append("no processes on NPU " + ",".join(str(npu) for npu in idle))
    return "; ".join(parts)


def prose(machine):
    """The values in render(machine), from the description alone."""
    chips = machine["chips"]
    layout = layout_of(chips[0]["chip_name"], machine["tool_version"])
    rows = [(chip["npu_id"], chip["chip_id"], process["pid"], process.get("name", ""),
             process["memory_mib"]) for chip in chips for process in _processes(chip)]
    busy = {row[0] for row in rows}
    idle = [npu for npu in _listed(chips) if npu not in busy]
    return "; ".join([_chip_prose(chip) for chip in chips] +
                     [_process_prose(rows, idle, bool(layout.processes))])


_CHIP = re.compile(r"\[[^\]]+\] \S+ \S+°C \S+W ai \d+%(?: (?:hbm|ddr|mem) \d+/\d+)+")
_PROCESS = re.compile(r"npu (\d+) chip (\d+) pid (\d+) name '([^']*)' (\d+) MB")
_IDLE = re.compile(r"no processes on NPU ([\d,]+)")
_COUNT = re.compile(r"(\d+) (?:complete )?(?:chip|device row pair)")


def normalize(expected):
    """The values in the words of an expectation, "" if they are told in another form."""
    chips = _CHIP.findall(expected)
    if not chips:
        return ""
    # A power that is printed as absent, and the 0.0 that a failed query leaves.
    chips = [re.sub(r" (?:NA|-|0\.0)W ", " ?W ", chip) for chip in chips]
    idle = _IDLE.search(expected)
    return "; ".join(chips + [_process_prose(_PROCESS.findall(expected),
                                             idle.group(1).split(",") if idle else [],
                                             "no process table" not in expected)])


def expectations(folder):
    """(file, chip count, values) of the tables in `folder`; expected.json is in it or above it."""
    folder = pathlib.Path(folder)
    inside = folder / "expected.json"
    with open(inside if inside.exists() else folder.parent / "expected.json",
              encoding="utf-8") as file:
        entries = json.load(file)
    for name, entry in entries.items():
        count = _COUNT.match(entry["expected"])
        if entry["command"] == "info" and count and (folder / name).exists():
            yield name, int(count.group(1)), normalize(entry["expected"])


def write_answers(folder, machine):
    """A file for each query of npu-smi and hccn_tool, with its arguments for a name."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = npu_smi_answers.answers(machine) | npu_smi_answers.hccn_answers(machine)
    for arguments, text in texts.items():
        (folder / arguments).write_text(text, encoding="utf-8")


def write_tool(path, text_file, runs_file, answers=None):
    """Writes an executable that stands for npu-smi, and under another name for hccn_tool: it prints
    `text_file` as that is at the time, for other arguments than "info" the file of the folder
    `answers` that has their name, and appends a line with its arguments to `runs_file`."""
    script = ("#!/bin/sh\n"
              f"echo \"$*\" >> {shlex.quote(str(runs_file))}\n"
              f"[ \"$*\" = info ] && exec cat {shlex.quote(str(text_file))}\n")
    if answers is not None:
        script += f"cd {shlex.quote(str(answers))} && [ -f \"$*\" ] && exec cat -- \"./$*\"\n"
    script += "echo 'This device does not support querying it.'\n"
    pathlib.Path(path).write_text(script, encoding="utf-8")
    os.chmod(path, 0o755)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--prose":
        print(prose(machines.load(arguments[1])))
    elif len(arguments) == 2 and arguments[0] == "--expected":
        for name, count, values in expectations(arguments[1]):
            print(name, count, values, sep="\t")
    elif len(arguments) == 3 and arguments[0] == "--answers":
        write_answers(arguments[1], machines.load(arguments[2]))
    elif len(arguments) == 1 and not arguments[0].startswith("-"):
        sys.stdout.write(render(machines.load(arguments[0])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
