"""What a page must show of a machine, worked out from its description (docs/scenarios.md) alone.

`expected` gives every series of a machine; drivers_knowledge.py says what of it a driver cannot
know.
"""

import re
from collections import Counter
from decimal import Decimal

from expected_counters import NETWORK, ub_series
from harness import series

MIB = 1024 * 1024
KIB = 1024
PCIE_MEGABYTE = 2 ** 20  # the library divides bytes by this, and counts them per ms
HCCS_GIGABYTE = 2 ** 30
MEGABYTE = 10 ** 6  # of the network's rates
HCCS_FLIT_BYTES = 20

ANY = object()  # a number that depends on time or on the host

HEALTH = ("ok", "warning", "alarm", "critical", "unknown")
NETWORK_HEALTH = ("ok", "faulty", "unknown")
THROTTLE = ("thermal", "edp_software", "edp_hardware", "power_brake", "power_cap", "svfd",
            "load_aware")
DEVICES = ("healthy", "unhealthy", "hung", "lost", "unknown")
ACTIONS = ("none", "degraded", "drain", "isolate", "reset", "reset_when_idle", "restart_request",
           "restart_workload", "unknown")
ACTION_OF = {"80E01801": "restart_workload"}  # of the vendor's list; others are not on it
ENGINES = ("aicore", "vector", "cube", "aicpu", "ctrlcpu")


def of_thousand(number):
    """A thousandth, as exact as the decimal number that the description has."""
    return float(Decimal(str(number)) / 1000)


def percent(number):
    return float(Decimal(str(number)) / 100)


class Series(dict):
    """Values by series; those that the description does not have are left out."""

    def put(self, name, value, /, **labels):
        if value is not None and value is not ANY:
            value = float(value)
        if value is not None:
            self[series(name, **labels)] = value

    def states(self, name, states, current, /, **labels):
        for state in states:
            self.put(name, current == state, state=state, **labels)

    def sampled(self, name, value, unit, /, **labels):
        """A gauge of steady samples and its extremes."""
        self.put(f"{name}_{unit}", value, **labels)
        self.put(f"{name}_window_min_{unit}", value, **labels)
        self.put(f"{name}_window_max_{unit}", value, **labels)


def scaled(number, factor):
    return None if number is None else number * factor


def _node(out, machine):
    healthy = {"ok": "healthy", "unknown": "unknown", "lost": "lost"}
    counts = Counter(healthy.get(chip["health"], "unhealthy") for chip in machine["chips"])
    for state in DEVICES:
        out.put("ascend_npu_devices", counts[state], state=state)
    out.put("ascend_npu_devices_expected", len(machine["chips"]))
    out.put("ascend_npu_device_nodes", ANY)
    if "driver_health" in machine:
        out.states("ascend_npu_driver_health_state", HEALTH, machine["driver_health"])
    for chip in machine["chips"]:
        card = {"card": chip["npu_id"]}
        out.put("ascend_npu_card_power_watts", chip.get("card_power_watts"), **card)
        if "card_power_watts" in chip:
            out.put("ascend_npu_card_energy_joules_total", ANY, **card)


def _identity(out, chip, me):
    out.put("ascend_npu_up", 1, **me)
    out.put("ascend_npu_last_sample_timestamp_seconds", ANY, **me)
    texts = ("pci_address", "die_id", "serial", "model", "chip_name", "product", "firmware_version")
    out.put("ascend_npu_info", 1, **me, npu_id=chip["npu_id"], card=chip["npu_id"],
            chip_id=chip.get("chip_id", 0), logic_id=chip["logic_id"],
            board_id=f"{chip['board_id']:#04x}", **{text: chip.get(text, "") for text in texts})
    out.states("ascend_npu_health_state", HEALTH, chip["health"], **me)
    for action in ACTIONS:
        out.put("ascend_npu_faults_total", 0, action=action, **me)
    for code in chip.get("faults", []):
        out.put("ascend_npu_fault", 1, code=code, action=ACTION_OF.get(code, "unknown"), **me)
        detail = chip.get("fault_details", {}).get(code)
        if detail:
            out.put("ascend_npu_fault_info", 1, code=code, **detail, **me)
    out.put("ascend_npu_compatible", chip.get("compatible"), **me)


def _heat(out, chip, me):
    out.sampled("ascend_npu_temperature", chip.get("temperature_celsius"), "celsius", **me)
    out.sampled("ascend_npu_power", chip.get("power_watts"), "watts", **me)
    if "power_watts" in chip:
        out.put("ascend_npu_energy_joules_total", ANY, **me)
    out.put("ascend_npu_power_limit_watts", chip.get("power_limit_watts"), **me)
    out.put("ascend_npu_voltage_volts", chip.get("voltage_volts"), **me)
    for name, mhz in chip.get("clocks", {}).items():
        clock, _, limit = name.removesuffix("_mhz").partition("_")
        out.put(f"ascend_npu_frequency_{'max_' if limit else ''}hertz", mhz * 10 ** 6, clock=clock,
                **me)
    for sensor, degrees in chip.get("sensors", {}).items():
        out.put("ascend_npu_sensor_temperature_celsius", degrees, sensor=sensor, **me)
    if "throttle" in chip:
        for reason in THROTTLE:
            out.put("ascend_npu_throttle_active", reason in chip["throttle"], reason=reason, **me)
    for number, rpm in enumerate(chip.get("fans", []), 1):
        out.put("ascend_npu_fan_speed_rpm", rpm, fan=number, **me)


def _load(out, chip, me):
    load = chip.get("utilization", {})
    for engine in ENGINES:
        if engine in load:
            out.sampled("ascend_npu_utilization", percent(load[engine]), "ratio", engine=engine,
                        **me)
            out.put("ascend_npu_busy_seconds_total", ANY, engine=engine, **me)
    if "overall" in load:
        out.put("ascend_npu_overall_utilization_ratio", percent(load["overall"]), **me)
    for engine, cores in chip.get("cores", {}).items():
        for number, core in enumerate(cores):
            if core not in ("damaged", "invalid"):
                out.put("ascend_npu_core_utilization_ratio", percent(core), engine=engine,
                        core=number, **me)
    for engine, load in chip.get("media", {}).items():
        out.put("ascend_npu_media_utilization_ratio", percent(load), engine=engine, **me)


def _memory(out, chip, me):
    for name in ("hbm", "ddr"):
        memory = chip.get(name, {})
        for key, value in (("used", memory.get("used_mib")), ("total", memory.get("total_mib"))):
            out.put(f"ascend_npu_{name}_{key}_bytes", scaled(value, MIB), **me)
            if name == "hbm" or "hbm" not in chip:
                out.put(f"ascend_npu_memory_{key}_bytes", scaled(value, MIB), **me)
    hbm, ddr = chip.get("hbm", {}), chip.get("ddr", {})
    out.put("ascend_npu_hbm_temperature_celsius", hbm.get("temperature_celsius"), **me)
    if "utilization" in hbm:
        out.put("ascend_npu_hbm_utilization_ratio", percent(hbm["utilization"]), **me)
    if "bandwidth_utilization" in hbm:
        out.sampled("ascend_npu_hbm_bandwidth_utilization", percent(hbm["bandwidth_utilization"]),
                    "ratio", **me)
        out.put("ascend_npu_hbm_bandwidth_busy_seconds_total", ANY, **me)
    if "bandwidth_utilization" in ddr:
        out.put("ascend_npu_ddr_bandwidth_utilization_ratio", percent(ddr["bandwidth_utilization"]),
                **me)
    if "hugepage_kib" in ddr:
        page = ddr["hugepage_kib"] * KIB
        out.put("ascend_npu_hugepages_capacity_bytes", ddr["hugepages_total"] * page, **me)
        used = ddr["hugepages_total"] - ddr["hugepages_free"]
        out.put("ascend_npu_hugepages_used_bytes", used * page, **me)


def _ecc(out, chip, me):
    for memory, counts in chip.get("ecc", {}).items():
        labels = {"memory": memory} | me
        out.put("ascend_npu_ecc_enabled", counts.get("enabled"), **labels)
        for severity in ("single_bit", "double_bit"):
            out.put("ascend_npu_ecc_errors_total", counts.get(severity), severity=severity,
                    **labels)
            out.put("ascend_npu_ecc_lifetime_errors_total", counts.get(f"lifetime_{severity}"),
                    severity=severity, **labels)
        for pages in ("isolated_pages", "pending_isolated_pages"):
            out.put(f"ascend_npu_ecc_{pages}", counts.get(pages), **labels)


def _partitions(out, chip, me):
    for vnpu in chip.get("vnpus", []):
        labels = {"vnpu": vnpu["id"]} | me
        out.put("ascend_npu_vnpu_info", 1, template=vnpu["template"], **labels)
        out.put("ascend_npu_vnpu_utilization_ratio", percent(vnpu["utilization"]), **labels)
        out.put("ascend_npu_vnpu_memory_used_bytes", vnpu["memory_used_mib"] * MIB, **labels)
        out.put("ascend_npu_vnpu_memory_total_bytes", vnpu["memory_total_mib"] * MIB, **labels)
        out.put("ascend_npu_vnpu_aicores", vnpu["aicores"], **labels)
    if "processes" in chip:
        out.put("ascend_npu_processes", len(chip["processes"]), **me)


def _hccs(out, chip, me):
    hccs = chip.get("hccs", {})
    out.put("ascend_npu_hccs_up", hccs.get("up"), **me)
    for link in hccs.get("links", []):
        labels = {"link": link["link"]} | me
        out.put("ascend_npu_hccs_lanes", link.get("lanes"), **labels)
        out.put("ascend_npu_hccs_lanes_expected", link.get("lanes_expected"), **labels)
        for way in ("transmit", "receive"):
            out.put(f"ascend_npu_hccs_{way}_bytes_total",
                    scaled(link.get(f"{way}_flits"), HCCS_FLIT_BYTES), **labels)
            out.put(f"ascend_npu_hccs_{way}_bandwidth_bytes_per_second",
                    scaled(link.get(f"{way}_gigabytes_per_second"), HCCS_GIGABYTE), **labels)
        out.put("ascend_npu_hccs_crc_errors_total", link.get("crc_errors"), **labels)
        out.put("ascend_npu_hccs_retries_total", link.get("retries"), **labels)


def _pcie(out, chip, me):
    pcie = chip.get("pcie", {})
    for limit in ("", "max_"):
        out.put(f"ascend_npu_pcie_link_speed_{limit}transfers_per_second",
                scaled(pcie.get(f"{limit}speed_gts"), 10 ** 9), **me)
        out.put(f"ascend_npu_pcie_link_width_{limit}lanes", pcie.get(f"{limit}lanes"), **me)
    for kind, count in pcie.get("errors", {}).items():
        out.put("ascend_npu_pcie_errors_total", count, kind=kind, **me)
    for name, rate in pcie.get("bandwidth", {}).items():
        way, kind = name.split("_")
        out.put(f"ascend_npu_pcie_{way}_bandwidth_bytes_per_second", rate * PCIE_MEGABYTE * 1000,
                kind=kind, **me)


def _links(out, chip, me):
    _hccs(out, chip, me)
    _pcie(out, chip, me)
    sio = chip.get("sio", {})
    for way in ("transmit", "receive"):
        out.put(f"ascend_npu_sio_{way}_errors_total", sio.get(f"{way}_errors"), **me)
    for peer, path in chip.get("topology", {}).items():
        out.put("ascend_npu_topology_link_info", 1, peer=peer, path=path, **me)
    if "cpu_affinity" in chip:
        out.put("ascend_npu_cpu_affinity_info", 1, cpus=chip["cpu_affinity"], **me)
    if "super_pod" in chip:
        out.put("ascend_npu_super_pod_info", 1, **chip["super_pod"], **me)


def port_labels(port):
    return {key: port[key] for key in ("udie", "port") if key in port}


def _network(out, chip, me):
    network = chip.get("network", {})
    if "health" in network:
        out.states("ascend_npu_network_health_state", NETWORK_HEALTH, network["health"], **me)
    for port in network.get("ports", []):
        labels = port_labels(port) | me
        out.put("ascend_npu_network_up", port.get("up"), **labels)
        out.put("ascend_npu_network_address_configured", port.get("address_configured"), **labels)
        out.put("ascend_npu_network_speed_bytes_per_second", scaled(port.get("speed_mbps"), 125000),
                **labels)
        for way in ("up", "down"):
            out.put(f"ascend_npu_network_link_{way}_changes_total", port.get(f"{way}_changes"),
                    **labels)
        for way in ("transmit", "receive"):
            out.put(f"ascend_npu_network_{way}_bandwidth_bytes_per_second",
                    scaled(port.get(f"{way}_mbytes_per_second"), MEGABYTE), **labels)
        for counter, count in port.get("counters", {}).items():
            name, more = NETWORK[counter]
            out.put(f"ascend_npu_{name}_total", count, **more, **labels)


def _optical(out, chip, me):
    for module in chip.get("optical", []):
        labels = port_labels(module) | me
        out.put("ascend_npu_optical_present", module["present"], **labels)
        out.put("ascend_npu_optical_temperature_celsius", module.get("temperature_celsius"),
                **labels)
        out.put("ascend_npu_optical_voltage_volts", module.get("voltage_volts"), **labels)
        for way in ("transmit", "receive"):
            out.put("ascend_npu_optical_loss_of_signal", module.get(f"{way}_loss_of_signal"),
                    direction=way, **labels)
            low = module.get(f"{way}_power_low_milliwatts")
            out.put(f"ascend_npu_optical_{way}_power_low_threshold_watts",
                    None if low is None else of_thousand(low), **labels)
            for number, lane in enumerate(module.get("lanes", [])):
                out.put(f"ascend_npu_optical_{way}_power_watts",
                        of_thousand(lane[f"{way}_milliwatts"]), lane=number, **labels)


def _ub(out, chip, me):
    for port in chip.get("ub", []):
        labels = port_labels(port) | me
        out.put("ascend_npu_ub_port_up", port.get("up"), **labels)
        for counter, count in port.get("counters", {}).items():
            name, more = ub_series(counter)
            out.put(f"ascend_npu_{name}_total", count, **more, **labels)


PARTS = (_identity, _heat, _load, _memory, _ecc, _partitions, _links, _network, _optical, _ub)


def expected(machine):
    """Every series of the machine, with its value or ANY. Of a chip that is `silent`, which no
    description says, every call failed."""
    out = Series()
    _node(out, machine)
    for chip in machine["chips"]:
        me = {"device": chip["device"]}
        if chip.get("silent"):
            out.put("ascend_npu_up", 0, **me)
        else:
            for part in PARTS:
                part(out, chip, me)
    return out


def name_of(key):
    return re.match(r"\w+", key).group()
