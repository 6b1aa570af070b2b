#!/usr/bin/env python3
"""Writes the data file of the stand-in library (tests/fake_dcmi/machine_data.h) from a machine
description, and reads the file in which that library counts its calls.

    fake_data.py MACHINE.yaml           the data, on standard output
    fake_data.py --counts COUNTS_FILE   one line for each counted name: COUNT NAME
"""

import struct
import sys
import urllib.parse

import machine as machine_file

HEALTH = {"ok": 0, "warning": 1, "alarm": 2, "critical": 3, "unknown": 4}
# Input types of dcmi_get_device_utilization_rate and dcmi_get_device_ecc_info.
UTILIZATION_TYPES = {"aicore": 2, "aicpu": 3, "ctrlcpu": 4, "vector": 12, "overall": 13, "cube": 14}
ECC_TYPES = {"ddr": 0, "sram": 1, "hbm": 2, "npu": 3}
ECC_FIELDS = ["enabled", "single_bit", "double_bit", "lifetime_single_bit", "lifetime_double_bit",
              "isolated_pages"]
MIB = 1024 * 1024
NO_NUMBER = 0xFFFFFFFF  # what the library answers in a field that has no value
NO_MEMORY = 0xFFFFFFFFFFFFFFFF
RECORD = struct.Struct("<80sQII")
IN_USE = 2


def _text(value):
    return urllib.parse.quote(str(value), safe="")


def _tenths(watts):
    return round(float(watts) * 10)


def _pcie(address):
    domain, bus, rest = address.split(":")
    device, function = rest.split(".")
    return " ".join(f"0x{part}" for part in (domain, bus, device, function))


def _identity(chip):
    for key, name in (("chip_name", "chip_name"), ("serial", "serial"), ("model", "model"),
                      ("product", "product"), ("firmware_version", "firmware")):
        if key in chip:
            yield name, _text(chip[key])
    if "board_id" in chip:
        yield "board_id", chip["board_id"]
    if "pci_address" in chip:
        yield "pcie", _pcie(chip["pci_address"])
    words = chip.get("die_id", "").split("-")
    if len(words) == 5:
        yield "die", " ".join(f"0x{word}" for word in words)


def _utilization(chip):
    load = chip.get("utilization", {})
    for name, input_type in UTILIZATION_TYPES.items():
        if name in load:
            yield f"utilization.{input_type}", load[name]
    if "overall" in load:  # 910B and A3: one call for all four
        yield "multi", " ".join(str(load.get(name, NO_NUMBER))
                                for name in ("cube", "vector", "aicore", "overall"))


def _memory(chip):
    if "hbm" in chip:
        hbm = chip["hbm"]
        yield "hbm", " ".join(str(number) for number in (
            hbm.get("total_mib", NO_MEMORY), hbm.get("used_mib", NO_MEMORY),
            hbm.get("temperature_celsius", NO_NUMBER),
            hbm.get("bandwidth_utilization", NO_NUMBER)))
        if "utilization" in hbm:
            yield "utilization.6", hbm["utilization"]
        if "bandwidth_utilization" in hbm:
            yield "utilization.10", hbm["bandwidth_utilization"]
    if "ddr" in chip:
        ddr = chip["ddr"]
        total = ddr.get("total_mib", NO_MEMORY)
        available = total - ddr["used_mib"] if "used_mib" in ddr else NO_MEMORY
        yield "ddr", " ".join(str(number) for number in (
            total, available, ddr.get("hugepage_kib", NO_MEMORY),
            ddr.get("hugepages_total", NO_MEMORY), ddr.get("hugepages_free", NO_MEMORY)))
        if "bandwidth_utilization" in ddr:
            yield "utilization.5", ddr["bandwidth_utilization"]


def _processes(chip):
    words = []
    for process in chip["processes"]:
        memory = process.get("memory_mib")
        words += [process["pid"], NO_MEMORY if memory is None else int(memory * MIB)]
    return " ".join(str(word) for word in words) or "none"


def _measurements(chip):
    if "health" in chip:
        yield "health", HEALTH[chip["health"]]
    if chip.get("faults"):
        yield "faults", " ".join(f"0x{code}" for code in chip["faults"])
    if "temperature_celsius" in chip:
        yield "temperature", round(chip["temperature_celsius"])
    if "power_watts" in chip:
        yield "power", _tenths(chip["power_watts"])
    if "card_power_watts" in chip:
        yield "card_power", _tenths(chip["card_power_watts"])
    yield from _utilization(chip)
    yield from _memory(chip)
    for module, input_type in ECC_TYPES.items():
        if module in chip.get("ecc", {}):
            ecc = chip["ecc"][module]
            yield f"ecc.{input_type}", " ".join(str(int(ecc.get(field, NO_NUMBER)))
                                                for field in ECC_FIELDS)
    if "processes" in chip:
        yield "processes", _processes(chip)


def render(machine):
    """The data file for a machine as machine.load gives it."""
    lines = []
    for key in ("driver_version", "library_version"):
        if key in machine:
            lines.append(f"{key} {_text(machine[key])}")
    for chip in machine["chips"]:
        card, physical_id = chip["npu_id"], chip["device"]
        if "card_power_watts" in chip:  # such a card has an MCU, addressed behind its chips
            chips_of_card = sum(other["npu_id"] == card for other in machine["chips"])
            lines.append(f"card {card} mcu {chips_of_card}")
        logic_id = chip.get("logic_id", physical_id)
        lines.append(f"chip {physical_id} {card} {chip.get('chip_id', 0)} {logic_id}")
        for source in (_identity, _measurements):
            lines.extend(f"set {physical_id} {key} {value}" for key, value in source(chip))
    if any("950" in str(chip.get("chip_name", "")) for chip in machine["chips"]):
        lines.append("rule dcmi_init * code -8255")
    return "\n".join(lines) + "\n"


def counts(path):
    """The counted calls: {"FUNCTION": n, "FUNCTION CARD/DEVICE_ID": n}."""
    with open(path, "rb") as file:
        table = file.read()
    result = {}
    for name, count, state, _ in RECORD.iter_unpack(table):
        if state == IN_USE:
            result[name.split(b"\0", 1)[0].decode()] = count
    return result


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--counts":
        for name, count in sorted(counts(arguments[1]).items()):
            print(count, name)
        return 0
    if len(arguments) == 1:
        sys.stdout.write(render(machine_file.load(arguments[0])))
        return 0
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
