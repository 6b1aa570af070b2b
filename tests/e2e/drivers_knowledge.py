"""What each driver knows of a machine: the description as it sees it, and the series that it has no
source for, with the reason."""

import copy
import os
import re
from dataclasses import dataclass

import stand_ins

INITIAL_PID_NAMESPACE = 0xEFFFFFFC  # PROC_PID_INIT_INO of the kernel


def family(chip):
    name = chip["chip_name"].removeprefix("Ascend")
    families = ("310B", "310P", "310", "950", "910")
    return next(prefix for prefix in families if name.startswith(prefix))


@dataclass(frozen=True)
class Gap:
    """Series that a driver has no source for. The pattern stands for a whole series."""
    pattern: str
    reason: str
    families: tuple = ()  # of chips; empty: all, and what belongs to none

    def holds(self, key, family_of):
        device = re.search(r'device="(\d+)"', key)
        if self.families and (not device or family_of[device[1]] not in self.families):
            return False
        return re.fullmatch(rf"ascend_npu_(?:{self.pattern})(?:\{{.*\}})?", key) is not None


_HOST = "the test's host is not known to a simulation"
_TOOL = "the tool does not print it"
_NO_LIBRARY_COUNTER = "the library's struct ends before these; hccn_tool is asked where it has none"
_950_PORTS = "of a 950, hccn_tool is asked for its table of ports and the counters of UB"

GAPS = {
    "sim": [Gap("device_nodes", _HOST)],
    "dcmi": [
        Gap("roce_(?:out_of_order|unexpected_acks)_total", _NO_LIBRARY_COUNTER),
        Gap("optical_.*", _950_PORTS, ("950",)),
        Gap("network_address_configured", _950_PORTS, ("950",)),
    ],
    "npu_smi": [
        Gap("driver_health_state", _TOOL),
        Gap("voltage_volts", _TOOL),
        Gap("ecc_enabled", _TOOL),
        Gap("throttle_active", _TOOL),
        Gap("fan_speed_rpm", _TOOL),
        Gap("core_utilization_ratio", _TOOL),
        Gap("vnpu_.*", _TOOL),
        Gap("hugepages_.*", "the tool counts pages and does not say how large they are"),
        Gap("power_limit_watts", "only of a 310 the tool prints the rated power",
            ("310B", "310P", "910", "950")),
        Gap(r'frequency_hertz\{clock="ctrlcpu".*', _TOOL),
        Gap(r'sensor_temperature_celsius\{.*sensor="(?:cluster|peripheral|aicore|ntc\d)"\}', _TOOL),
        Gap("media_utilization_ratio", "the tool prints it of 310 and 310P", ("310B",)),
        Gap(r'pcie_errors_total\{.*kind="(?:symbol_unlock|pcs_receive|phy_lane|data_link_dcrc)"\}',
            "the tool prints other counters"),
        Gap("(?:hccs|pcie)_(?:transmit|receive)_bandwidth_bytes_per_second", _TOOL),
        Gap("optical_.*", _950_PORTS, ("950",)),
        Gap("network_(?:address_configured|health_state"
            "|.*_bandwidth_bytes_per_second"
            "|.*_(?:packets|bytes|fcs_errors|pfc_priority_frames)_total)",
            _950_PORTS, ("950",)),
        Gap("(?:roce|nic)_.*", _950_PORTS, ("950",)),
    ],
}
# Kept by ports of UB that carry Ethernet, which hccn_tool prints.
_STILL_KNOWN = re.compile(r"ascend_npu_network_(?:transmit|receive)_bad_(?:packets|bytes)_total\{")


def without_gaps(series, machine, backend):
    """(the series that the driver knows, the gaps that took the others away)."""
    family_of = {str(chip["device"]): family(chip) for chip in machine["chips"]}
    known, used = {}, set()
    for key, value in series.items():
        gap = next((gap for gap in GAPS[backend]
                    if gap.holds(key, family_of) and not _STILL_KNOWN.match(key)), None)
        if gap is None:
            known[key] = value
        else:
            used.add(gap)
    return known, used


def in_host_namespace():
    return os.stat("/proc/self/ns/pid").st_ino == INITIAL_PID_NAMESPACE


def _severity_unknown(chip):
    for detail in chip.get("fault_details", {}).values():
        detail["severity"] = "unknown"


def _newer_library(machine):
    """What the numbers mean that the rules of "newer" make the library answer: nothing that the
    program knows."""
    machine["driver_health"] = "unknown"
    first, second = machine["chips"]
    _severity_unknown(first)
    second["health"] = "unknown"
    second["network"] = {"health": "unknown"}
    second["hccs"]["up"] = False  # not the one number that says that it is
    del second["topology"], second["compatible"]


def as_seen(name, machine, backend):
    """The description as the driver sees it."""
    seen = copy.deepcopy(machine)
    for chip in seen["chips"]:
        if backend == "npu_smi" or (backend == "dcmi" and family(chip) == "310"):
            _severity_unknown(chip)  # only events of faults have one
        if backend != "sim" and not in_host_namespace():
            chip.pop("processes", None)  # not proven to be the host's
        if backend == "npu_smi":
            if family(chip) == "310B":
                chip.pop("processes", None)  # the tool has no table of them
            if family(chip) == "950":
                chip["logic_id"] = ""  # the tool numbers NPUs and slots
        if chip["device"] in stand_ins.machine_file.failing(machine):
            chip["silent"] = True
            chip["health"] = "lost" if backend == "dcmi" else "unknown"
    if name == "newer" and backend == "dcmi":
        _newer_library(seen)
    return seen
