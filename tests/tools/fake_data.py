#!/usr/bin/env python3
"""Writes the data file of the stand-in library (tests/fake_dcmi/machine_data.h) from a machine
description, and reads the file in which that library counts its calls.

    fake_data.py MACHINE.yaml           the data, on standard output
    fake_data.py --counts COUNTS_FILE   one line for each counted name: COUNT NAME
"""

import struct
import sys
import urllib.parse

import counter_names
import machine as machine_file

HEALTH = {"ok": 0, "warning": 1, "alarm": 2, "critical": 3, "unknown": 4}
# Input types of dcmi_get_device_utilization_rate and dcmi_get_device_ecc_info.
UTILIZATION_TYPES = {"aicore": 2, "aicpu": 3, "ctrlcpu": 4, "vector": 12, "overall": 13, "cube": 14}
ECC_TYPES = {"ddr": 0, "sram": 1, "hbm": 2, "npu": 3}
ECC_FIELDS = ["enabled", "single_bit", "double_bit", "lifetime_single_bit", "lifetime_double_bit",
              "isolated_pages"]
ECC_PENDING = "pending_isolated_pages"  # makes the library answer its longer struct
# Types of dcmi_get_device_frequency, ids of dcmi_get_device_sensor_info.
CLOCKS = {"ddr_mhz": 1, "ctrlcpu_mhz": 2, "hbm_mhz": 6, "aicore_mhz": 7, "aicore_max_mhz": 9,
          "vectorcore_mhz": 12}
SENSORS = {"cluster": 0, "peripheral": 1, "aicore": 2, "soc": 11, "fp_max": 12, "n_die": 13,
           "hbm": 14}
NTC_SENSOR = 10
NO_DEGREES = 0x7FFD
# Bits of the reasons for a slower AI core (dcmi_get_device_info 8/9).
THROTTLE = {"thermal": 2, "edp_software": 3, "edp_hardware": 4, "power_brake": 5, "svfd": 8,
            "power_cap": 10, "load_aware": 11}
IDLE_BIT = 0
MEDIA = ["vdec", "vpc", "venc", "jpege", "jpegd"]
CORE_WORDS = {"damaged": 0xEE, "invalid": 0xEF}
COMPATIBLE = {True: 1, False: 2}
SEVERITY = {"warning": 0, "minor": 1, "major": 2, "critical": 3}
TOPOLOGY = {"sys": 1, "phb": 2, "hccs": 3, "pxb": 4, "pix": 5, "sio": 6, "hccs_switch": 7, "ub": 8}
NETWORK_HEALTH = {"ok": 0, "faulty": 3, "unknown": 8}
NO_ADDRESS = 6  # what network_health answers where no address to check is configured
HCCS_PORTS = 16
HCCS_UP, HCCS_DOWN = "0 3", "0x101 1"
LANE_MODES = {0: 0, 1: 1, 4: 2, 2: 3}
UB_UP, UB_NOT_YET = 1, 3
KIB_IN_MIB = 1024
MIB = 1024 * 1024
NO_NUMBER = 0xFFFFFFFF  # what the library answers in a field that has no value
NO_MEMORY = 0xFFFFFFFFFFFFFFFF
RECORD = struct.Struct("<80sQII")
IN_USE = 2


def _text(value):
    return urllib.parse.quote(str(value), safe="")


def _join(values):
    return " ".join(str(value) for value in values)


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
    if chip.get("chip_name", "").startswith("310") and "model" in chip:
        yield "product_type", _text(chip["model"])
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
            fields = ECC_FIELDS + [ECC_PENDING] * (ECC_PENDING in ecc)
            yield f"ecc.{input_type}", " ".join(str(int(ecc.get(field, NO_NUMBER)))
                                                for field in fields)
    if "processes" in chip:
        yield "processes", _processes(chip)


def _heat_and_clocks(chip):
    if "voltage_volts" in chip:
        yield "voltage", round(chip["voltage_volts"] * 100)
    if "power_limit_watts" in chip:
        yield "rated_power", round(chip["power_limit_watts"] * 1000)
    clocks = chip.get("clocks", {})
    for name, mhz in clocks.items():
        yield f"frequency.{CLOCKS[name]}", mhz
    if "aicore_mhz" in clocks and "aicore_max_mhz" in clocks:
        yield "aicore", f"{clocks['aicore_max_mhz']} {clocks['aicore_mhz']}"
    sensors = chip.get("sensors", {})
    for name, sensor in SENSORS.items():
        if name in sensors:
            yield f"sensor.{sensor}", sensors[name]
    ntc = [sensors.get(f"ntc{i}") for i in range(1, 5)]
    if any(degrees is not None for degrees in ntc):
        yield f"sensor.{NTC_SENSOR}", _join(NO_DEGREES if t is None else t for t in ntc)
    if "throttle" in chip:
        bits = sum(1 << THROTTLE[reason] for reason in chip["throttle"])
        idle = chip.get("utilization", {}).get("aicore", 0) == 0
        yield "throttle", bits | idle << IDLE_BIT
    if "fans" in chip:
        yield "fans", _join(chip["fans"])


def _load(chip):
    for kind, cores in chip.get("cores", {}).items():
        yield f"cores.{kind}", _join(CORE_WORDS.get(core, core) for core in cores)
    if "media" in chip:
        yield "dvpp", _join(chip["media"].get(engine, -1) for engine in MEDIA)
    if "vnpus" not in chip:
        return
    yield "vnpus", _join(vnpu["id"] for vnpu in chip["vnpus"]) or "none"
    for vnpu in chip["vnpus"]:
        total = vnpu.get("memory_total_mib")
        free = total - vnpu["memory_used_mib"] if "memory_used_mib" in vnpu else None
        yield f"vnpu.{vnpu['id']}", _join([
            _text(vnpu.get("template", "")) or "%00", vnpu.get("aicores", -1),
            vnpu.get("utilization", NO_NUMBER),
            *(NO_MEMORY if mib is None else mib * KIB_IN_MIB for mib in (total, free))])


def _lanes(link):
    used = link["lanes"]
    mode = LANE_MODES[link.get("lanes_expected", used)]
    return 1 | (1 << used) - 1 << 1 | mode << 9


def _hccs(hccs):
    if "up" in hccs:
        yield "status", HCCS_UP if hccs["up"] else HCCS_DOWN
    links = {link["link"]: link for link in hccs.get("links", [])}
    if not links:
        return
    with_lanes = sorted(port for port, link in links.items() if "lanes" in link)
    if with_lanes:  # the library lists the lanes of the ports of its bitmap only
        yield "lanes", _join([sum(1 << port for port in with_lanes),
                              *(_lanes(links[port]) for port in with_lanes)])
    for key, field in (("tx", "transmit_flits"), ("rx", "receive_flits"), ("crc", "crc_errors"),
                       ("retry", "retries"),
                       ("tx_bandwidth", "transmit_gigabytes_per_second"),
                       ("rx_bandwidth", "receive_gigabytes_per_second")):
        if any(field in link for link in links.values()):
            yield key, _join(links.get(port, {}).get(field, 0) for port in range(HCCS_PORTS))
    if hccs.get("counter_bits") == 32:
        yield "bits", 32


def _links(chip):
    for key, value in _hccs(chip.get("hccs", {})):
        yield f"hccs.{key}", value
    if "topology" in chip:
        yield "topology", _join(f"{peer} {TOPOLOGY[path]}"
                                for peer, path in chip["topology"].items())
    if "cpu_affinity" in chip:
        yield "affinity", _text(chip["cpu_affinity"])
    if "sio" in chip:
        yield "sio", f"{chip['sio']['transmit_errors']} {chip['sio']['receive_errors']}"
    pcie = chip.get("pcie", {})
    errors = ["symbol_unlock", "pcs_receive", "phy_lane", "data_link_lcrc", "data_link_dcrc"]
    if any(field in pcie.get("errors", {}) for field in errors):
        yield "pcie_errors", _join(pcie["errors"].get(field, 0) for field in errors)
    if "bandwidth" in pcie:
        yield "pcie_bandwidth", _join(
            pcie["bandwidth"].get(f"{direction}_{kind}", 0)
            for direction in ("transmit", "receive")
            for kind in ("posted", "nonposted", "completion"))
    if "super_pod" in chip:
        pod = chip["super_pod"]
        yield "super_pod", _join(pod.get(key, NO_NUMBER) for key in (
            "sdid", "scale", "super_pod_id", "server_id"))


def _network(chip):
    network = chip.get("network")
    if network is not None:
        yield "network_health", NETWORK_HEALTH.get(network.get("health"), NO_ADDRESS)
        for index, port in enumerate(network.get("ports", [])):
            number = port.get("port", index)
            if "counters" in port:
                counters = {counter_names.OF_TOOL.get(name, name): count
                            for name, count in port["counters"].items()}
                yield f"network.{number}", _join(counters.get(name, 0)
                                                 for name in counter_names.NETWORK)
            if "transmit_mbytes_per_second" in port:
                yield f"rdma.{number}", _join(round(port[f"{direction}_mbytes_per_second"])
                                              for direction in ("transmit", "receive"))
    if "ub" not in chip:
        return
    ports = []
    for port in chip["ub"]:
        uboe = any(name in port.get("counters", {}) for name in counter_names.UBOE_ONLY)
        state = UB_UP if port.get("up") else UB_NOT_YET
        ports.append(f"{port['udie']} {port['port']} {int(uboe)} {state}")
    yield "ub_ports", _join(ports) or "none"
    for port in chip["ub"]:
        if "counters" in port:
            yield f"ub.{port['udie']}.{port['port']}", _join(
                port["counters"].get(name, 0) for name in counter_names.UB)


def _faults(chip):
    if "compatible" in chip:
        yield "compatibility", COMPATIBLE[chip["compatible"]]
    for code, detail in chip.get("fault_details", {}).items():
        yield f"fault.{code.upper()}", (f"{SEVERITY[detail['severity']]} "
                                        f"{_text(detail['description'])}")
    if chip.get("chip_name") == "310":
        yield "fault_events", 0


SOURCES = [_identity, _measurements, _heat_and_clocks, _load, _links, _network, _faults]


def render(machine):
    """The data file for a machine as machine.load gives it."""
    lines = []
    for key in ("driver_version", "library_version"):
        if key in machine:
            lines.append(f"{key} {_text(machine[key])}")
    if any(str(chip.get("chip_name", "")).startswith("Ascend950") for chip in machine["chips"]):
        lines.append("generation 2")
    if "driver_health" in machine:
        lines.append(f"driver_health {HEALTH[machine['driver_health']]}")
    for chip in machine["chips"]:
        card, physical_id = chip["npu_id"], chip["device"]
        if "card_power_watts" in chip:  # such a card has an MCU, addressed behind its chips
            behind = 1 + max(other.get("chip_id", 0) for other in machine["chips"]
                             if other["npu_id"] == card)
            lines.append(f"card {card} mcu {behind}")
        logic_id = chip.get("logic_id", physical_id)
        lines.append(f"chip {physical_id} {card} {chip.get('chip_id', 0)} {logic_id}")
        for source in SOURCES:
            lines.extend(f"set {physical_id} {key} {value}" for key, value in source(chip))
    lines += machine.get("rules", [])
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
