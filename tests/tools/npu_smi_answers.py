"""What npu-smi and hccn_tool answer to queries about a machine description (docs/scenarios.md): a
text for the arguments of each run. What the description does not have is not printed, and a query
of which it has nothing is not supported."""

import machine as machines

FAMILIES = (("950", "950"), ("310P", "310P"), ("310B", "310B"), ("310", "310"))


def family_of(chip_name):
    name = chip_name.removeprefix("Ascend").strip()
    for prefix, family in FAMILIES:
        if name.startswith(prefix):
            return family
    if chip_name == "Ascend910":
        return "A3"
    return "910B" if name.startswith("910B") and name[4:5].isdigit() else "910"


def unsupported(kind):
    return f"This device does not support querying {kind}.\n"


def failed(kind):
    return f'Failed to query "{kind}" info.\n'


def _lines(pairs, width=30):
    return "".join(f"\t{key:<{width}} : {value}\n" for key, value in pairs if value is not None)


def _round(value):
    return None if value is None else round(value)


def _yes(flag, yes, no):
    return None if flag is None else yes if flag else no


def _head(chips):
    """The lines before the blocks of a card's chips; 950 has but one chip and does not count it."""
    pairs = [("NPU ID", chips[0]["npu_id"])]
    if family_of(chips[0]["chip_name"]) != "950":
        pairs.append(("Chip Count", len(chips)))
    return _lines(pairs)


def _blocks_closed(chips, pairs_of, width=30, kind=""):
    """Blocks that end with their chip id."""
    blocks = [_lines(pairs_of(chip), width) for chip in chips]
    if not any(blocks):
        return unsupported(kind)
    if family_of(chips[0]["chip_name"]) == "950":
        return _head(chips) + blocks[0]
    return _head(chips) + "".join(f"\n{block}" + _lines([("Chip ID", chip["chip_id"])], width)
                                  for chip, block in zip(chips, blocks))


# -t common, usages, memory, power, ecc: of a card

def common(chips):
    text = _head(chips)
    for chip in chips:
        clocks = chip.get("clocks", {})
        if family_of(chip["chip_name"]) != "950":
            text += "\n" + _lines([("Chip ID", chip["chip_id"])])
        text += _lines([
            ("Memory Usage Rate(%)", 0),
            ("HBM Usage Rate(%)", chip.get("hbm", {}).get("utilization")),
            ("Aicore Usage Rate(%)", chip.get("utilization", {}).get("aicore")),
            ("Aicore Freq(MHZ)", clocks.get("aicore_max_mhz")),
            ("Aicore curFreq(MHZ)", clocks.get("aicore_mhz")),
            ("Temperature(C)", _round(chip.get("temperature_celsius"))),
            ("NPU Real-time Power(W)", chip.get("power_watts")),
        ])
    if "card_power_watts" in chips[0]:
        text += "\n" + _lines([("Chip Name", "mcu"), ("Temperature(C)", 30),
                               ("NPU Real-time Power(W)", chips[0]["card_power_watts"])])
    return text


def _usages(chip):
    load, hbm, ddr = (chip.get(name, {}) for name in ("utilization", "hbm", "ddr"))
    media = chip.get("media", {})
    family = family_of(chip["chip_name"])
    vector = "Vectorcore Usage Rate(%)" if family == "310P" else "Aivector Usage Rate(%)"
    pairs = [
        ("DDR Capacity(MB)", ddr.get("total_mib", 0 if hbm else None)),
        ("DDR Hugepages Total(page)", ddr.get("hugepages_total")),
        ("HBM Capacity(MB)", hbm.get("total_mib")),
        ("HBM Usage Rate(%)", hbm.get("utilization")),
        ("Aicore Usage Rate(%)", load.get("aicore")),
        (vector, load.get("vector")),
        ("Aicpu Usage Rate(%)", load.get("aicpu")),
        ("Ctrlcpu Usage Rate(%)", load.get("ctrlcpu")),
        ("DDR Bandwidth Usage Rate(%)", ddr.get("bandwidth_utilization", 0 if hbm else None)),
        ("HBM Bandwidth Usage Rate(%)", hbm.get("bandwidth_utilization")),
        ("NPU Utilization(%)", load.get("overall")),
        ("Aicube Usage Rate(%)", load.get("cube")),
    ]
    return pairs + [(f"DVPP {engine.upper()} Usage Rate(%)", media.get(engine))
                    for engine in ("vdec", "vpc", "venc", "jpege", "jpegd")]


def _memory(chip):
    clocks, hbm, ddr = (chip.get(name, {}) for name in ("clocks", "hbm", "ddr"))
    return [
        ("DDR Capacity(MB)", ddr.get("total_mib", 0 if hbm else None)),
        ("DDR Clock Speed(MHz)", clocks.get("ddr_mhz", 0 if hbm else None)),
        ("HBM Capacity(MB)", hbm.get("total_mib")),
        ("HBM Clock Speed(MHz)", clocks.get("hbm_mhz")),
        ("HBM Temperature(C)", _round(hbm.get("temperature_celsius"))),
        ("HBM Manufacturer ID", "0x57" if hbm else None),
    ]


def power(chips):
    if "card_power_watts" in chips[0]:
        return _head(chips) + _lines([("Power Dissipation(W)", chips[0]["card_power_watts"])])
    if family_of(chips[0]["chip_name"]) == "310":
        return _blocks_closed(
            chips, lambda chip: [("Rated Power Dissipation(W)", chip.get("power_limit_watts"))],
            kind="power")
    return _blocks_closed(chips, lambda chip: [("NPU Real-time Power(W)", chip.get("power_watts"))],
                          kind="power")


_ECC = (("Single Bit Error Count", "single_bit"), ("Double Bit Error Count", "double_bit"),
        ("Single Bit Aggregate Total Err Cnt", "lifetime_single_bit"),
        ("Double Bit Aggregate Total Err Cnt", "lifetime_double_bit"),
        ("Double Bit Isolated Pages Count", "isolated_pages"),
        ("Double Bit Next-Isolated Pages Count", "pending_isolated_pages"))


def _ecc(chip):
    counts = chip.get("ecc", {})
    return [(f"{memory.upper()} {key}", counts[memory].get(name))
            for memory in ("ddr", "hbm") if memory in counts for key, name in _ECC]


# -t board, of a card and of a chip

def _die(chip):
    return chip["die_id"].replace("-", " ") if "die_id" in chip else None


def _board_id(chip):
    return f"{chip['board_id']:#04x}" if "board_id" in chip else None


def board(chips):
    chip = chips[0]
    pairs = [
        ("NPU ID", chip["npu_id"]),
        ("Product Name", chip.get("product")),
        ("Model", chip.get("model", "NA")),
        ("Serial Number", chip.get("serial")),
        ("Firmware Version", chip.get("firmware_version")),
        ("Compatibility", _yes(chip.get("compatible"), "OK", "NOK") or "UNKNOWN"),
        ("Board ID", _board_id(chip)),
        ("PCIe Bus Info", chip.get("pci_address", "NA").upper()),
        ("Slot ID", "NA"),
        ("Chip Count", len(chips)),
    ]
    if family_of(chip["chip_name"]) == "950":
        pairs.append(("DDie ID", _die(chip)))
    return _lines(pairs)


def _chip_board(chip):
    return _lines([
        ("NPU ID", chip["npu_id"]),
        ("Chip ID", chip["chip_id"]),
        ("Chip Type", "Ascend"),
        ("Chip Name", chip["chip_name"]),
        ("Board ID", _board_id(chip)),
        ("VDie ID", _die(chip)),
        ("Firmware Version", chip.get("firmware_version")),
    ])


# -t health, sensors, sio, pcie-err, spod-info, hccs: of a chip

def _health(chip):
    words = {"ok": "OK", "warning": "Warning", "alarm": "Alarm", "critical": "Critical",
             "unknown": "UNKNOWN"}
    codes = chip.get("faults", [])
    details = chip.get("fault_details", {})
    texts = [details.get(code, {}).get("description", "NA") for code in codes]
    text = _lines([("Health Status", words[chip.get("health", "ok")]),
                   ("Error Code", " ".join(codes) or "NA"),
                   ("Error Information", texts[0] if texts else "NA")])
    return text + "".join("\n" + _lines([("", text)]) for text in texts[1:])


def _sensors(chip):
    sensors = chip.get("sensors", {})
    names = (("Soc Max", "soc"), ("SFP", "fp_max"), ("NDIE", "n_die"), ("HBM", "hbm"))
    if not any(name in sensors for _, name in names):
        return unsupported("sensors")
    return _lines([(f"{title} Temperature (C)", sensors.get(name, "NA")) for title, name in names])


def _sio(chip):
    if "sio" not in chip:
        return unsupported("sio")
    return (f"\tTX Error Count : {chip['sio']['transmit_errors']}\n"
            f"\tRX Error Count : {chip['sio']['receive_errors']}\n")


def _pcie_errors(chip):
    errors = chip.get("pcie", {}).get("errors", {})
    names = (("TX Error Count", "transmit"), ("RX Error Count", "receive"),
             ("Lcrc Error Count", "data_link_lcrc"), ("Ecrc Error Count", "ecrc"),
             ("Retry Count", "retry"))
    if not any(name in errors for _, name in names):
        return unsupported("pcie-err")
    return _lines([("NPU ID", chip["npu_id"])] + [(key, errors.get(name)) for key, name in names])


def _super_pod(chip):
    pod = chip.get("super_pod")
    if not pod:
        return unsupported("spod-info")
    return _lines([("SDID", pod.get("sdid")), ("Super Pod Size", pod.get("scale")),
                   ("Super Pod ID", pod.get("super_pod_id")),
                   ("Server Index", pod.get("server_id"))])


def _hccs(chip):
    """The tool prints links up to number 7; on 310P all from number 0."""
    hccs = chip.get("hccs")
    if not hccs or not hccs.get("links"):
        return unsupported("hccs")
    links = hccs["links"]

    def array(values):
        return "[" + " ".join(f"{value:<20}" for value in values) + " ]"

    def numbers(name):
        return array([link.get(name, 0) for link in links])

    pairs = []
    if family_of(chip["chip_name"]) != "310P":
        lanes = ["1" * link.get("lanes", 0) + "0" * (4 - link.get("lanes", 0)) for link in links]
        pairs = [("hccs health status ", "OK" if hccs.get("up", True) else "NOK"),
                 ("hccs lane mode ", numbers("lanes_expected")),
                 ("hccs link lane list ", array(lanes)),
                 ("hccs link speed ",
                  array([56 * link.get("lanes_expected", 0) for link in links]))]
    for title, name in (("tx", "transmit_flits"), ("rx", "receive_flits")):
        pairs += [(f"hccs {title} packets ", numbers(name)),
                  (f"hccs {title} bytes ", array([20 * link.get(name, 0) for link in links]))]
    pairs += [("hccs retry count ", numbers("retries")),
              ("hccs error count ", numbers("crc_errors"))]
    return _lines(pairs)


_OF_CHIP = {"health": _health, "sensors": _sensors, "sio": _sio, "pcie-err": _pcie_errors,
            "spod-info": _super_pod, "hccs": _hccs}


# About all chips

def mapping(chips):
    """-m: with physical ids, as new versions print them."""
    if family_of(chips[0]["chip_name"]) == "950":
        titles = ("NPU ID", "Slot ID", "Chip ID", "Chip Phy-ID", "Chip Name")
        rows = [(chip["npu_id"], 0, 0, chip["device"], chip["chip_name"]) for chip in chips]
    else:
        titles = ("NPU ID", "Chip ID", "Chip Logic ID", "Chip Phy-ID", "Chip Name")
        rows = [(chip["npu_id"], chip["chip_id"], chip.get("logic_id", "-"), chip["device"],
                 f"Ascend {chip['chip_name'].removeprefix('Ascend')}") for chip in chips]
        for npu in dict.fromkeys(chip["npu_id"] for chip in chips):
            rows.append((npu, 1 + max(chip["chip_id"] for chip in chips), "-", "-", "Mcu"))
    return "".join("\t" + "".join(f"{cell:<31}" for cell in row).rstrip() + "\n"
                   for row in [titles] + sorted(rows, key=lambda row: (row[0], row[1])))


def card_list(chips):
    cards = _cards(chips)
    text = _lines([("Total Count", len(cards))])
    return text + "".join("\n" + _lines([("NPU ID", npu), ("Chip Count", len(of_card))])
                          for npu, of_card in cards.items())


_PATHS = {"hccs": "HCCS", "hccs_switch": "HCCS_SW", "sio": "SIO", "ub": "UB", "pix": "PIX",
          "pxb": "PXB", "phb": "PHB", "sys": "SYS"}


def topology(chips):
    """-t topo: labels are physical ids where an NPU has two chips, as on A3, else ids of NPUs."""
    if not any("topology" in chip for chip in chips):
        return unsupported("topo")
    physical = any(chip["chip_id"] > 0 for chip in chips)
    labels = [f"Phy-ID{chip['device']}" if physical else f"NPU{chip['npu_id']}" for chip in chips]
    affinity = any("cpu_affinity" in chip for chip in chips)
    header = labels + (["CPU Affinity"] if affinity else [])
    text = "\t   " + "".join(f"{label:<11}" for label in header).rstrip() + "\n"
    for chip, label in zip(chips, labels):
        peers = chip.get("topology", {})
        row = [label] + ["X" if other is chip else _PATHS.get(peers.get(other["device"]), "NA")
                         for other in chips] + [chip.get("cpu_affinity", "")]
        text += "".join(f"{cell:<11}" for cell in row).rstrip() + "\n"
    return text + "\nLegend:\n\n  X    = Self\n"


def _cards(chips):
    cards = {}
    for chip in chips:
        cards.setdefault(chip["npu_id"], []).append(chip)
    return cards


def answers(machine):
    """Of npu-smi: arguments to text."""
    chips = [dict(chip, chip_id=chip.get("chip_id", 0)) for chip in machine["chips"]]
    if not chips:
        return {}
    texts = {"info -m": mapping(chips), "info -l": card_list(chips),
             "info -t topo": topology(chips)}
    failing = machines.failing(machine)
    for npu, of_card in _cards(chips).items():
        whole = {"common": common(of_card), "power": power(of_card), "board": board(of_card),
                 "usages": _blocks_closed(of_card, _usages, kind="usages"),
                 "memory": _blocks_closed(of_card, _memory, kind="memory"),
                 "ecc": _blocks_closed(of_card, _ecc, 40, "ecc")}
        if any(chip["device"] in failing for chip in of_card):
            whole = {kind: failed(kind) for kind in whole}
        for kind, text in whole.items():
            texts[f"info -t {kind} -i {npu}"] = text
        for chip in of_card:
            is_950 = family_of(chip["chip_name"]) == "950"  # which refuses -c
            of_chip = f"-i {npu}" if is_950 else f"-i {npu} -c {chip['chip_id']}"
            if not is_950:
                texts[f"info -t board {of_chip}"] = (
                    failed("board") if chip["device"] in failing else _chip_board(chip))
            for kind, text_of in _OF_CHIP.items():
                texts[f"info -t {kind} {of_chip}"] = (
                    failed(kind) if chip["device"] in failing else text_of(chip))
    return texts


# hccn_tool

_HEALTH = {"ok": "Success", "faulty": "Fault", "unknown": "Init"}
_NO_ADDRESS = "Get ipconf failed, because no ip was preset there!\n"


def _optical(module):
    def text(value, unit, scale=1):
        return "not supported" if value is None else f"{value * scale:.4f}".rstrip("0") + f" {unit}"

    pairs = [("present", "present" if module.get("present") else "not present")]
    if module.get("temperature_celsius") is not None:
        pairs.append(("temperature", f"{module['temperature_celsius']} C"))
    if module.get("voltage_volts") is not None:
        pairs.append(("Vcc", f"{module['voltage_volts'] * 1000:.2f} mV"))
    for number, lane in enumerate(module.get("lanes", [])):
        pairs += [(f"Tx Power{number}", text(lane.get("transmit_milliwatts"), "mW")),
                  (f"Rx Power{number}", text(lane.get("receive_milliwatts"), "mW"))]
    pairs += [("TxPower Low Thres", text(module.get("transmit_power_low_milliwatts"), "mW")),
              ("RxPower Low Thres", text(module.get("receive_power_low_milliwatts"), "mW"))]
    for title, name in (("Tx", "transmit_loss_of_signal"), ("Rx", "receive_loss_of_signal")):
        if name in module:
            pairs.append((f"{title} Los Flag", "0xf" if module[name] else "0x0"))
    return "optical info:\n" + "".join(f"{key:<21}: {value}\n" for key, value in pairs)


def _port_answers(chip):
    """Of a chip with one port."""
    network = chip.get("network", {})
    texts = {}
    configured = False
    for port in network.get("ports", [])[:1]:
        configured = port.get("address_configured", False)
        texts["-link"] = f"link status: {'UP' if port.get('up') else 'DOWN'}\n"
        texts["-ip"] = "ipaddr:192.0.2.7\nnetmask:255.255.255.0\n" if configured else _NO_ADDRESS
        if "speed_mbps" in port:
            texts["-speed"] = f"Speed: {port['speed_mbps']} Mb/s\n"
        counts = [("up", port.get("up_changes")), ("down", port.get("down_changes"))]
        texts["-link_stat"] = "".join(f"[device 0]link {name} count : {count}\n"
                                      for name, count in counts if count is not None)
        if "counters" in port:
            texts["-stat"] = "packet statistics:\n" + "".join(
                f"{name}:{value}\n" for name, value in port["counters"].items())
        texts["-bandwidth"] = "".join(
            f"Bandwidth {title}: {port[name]:10.2f} MB/sec\n"
            for title, name in (("TX", "transmit_mbytes_per_second"),
                                ("RX", "receive_mbytes_per_second")) if name in port)
        texts["-net_health"] = (f"net health status: {_HEALTH[network['health']]}\n"
                                if "health" in network else _NO_ADDRESS)
    for module in chip.get("optical", [])[:1]:
        texts["-optical"] = _optical(module)
    return {f"-i {chip['device']} {query} -g": text for query, text in texts.items() if text}


def _answers_of_950(chip):
    """All ports in one table, and the UB counters of each."""
    rule = "+--------+--------+--------+----------+-------------+------------+\n"
    ethernet = {(port["udie"], port["port"]): port
                for port in chip.get("network", {}).get("ports", [])}
    ub = {(port["udie"], port["port"]): port for port in chip.get("ub", [])}
    rows, texts = "", {}
    for udie, number in sorted(ethernet | ub):
        port = ub.get((udie, number), {}) | ethernet.get((udie, number), {})
        counters = ub.get((udie, number), {}).get("counters", {})
        kind = "ETH" if (udie, number) in ethernet else "UB"
        speed = f"{port['speed_mbps'] // 1000} G" if "speed_mbps" in port else "NA"
        rows += (f"| {udie:<7}| {number:<7}| {speed:<7}| {kind:<9}|"
                 f" {'UP' if port.get('up') else 'DOWN':<12}| {'Optical':<11}|\n")
        texts[f"-g -stat -i {chip['device']} -u {udie} -p {number}"] = (
            f"packet statistics:\nport_id: {number}\nis_uboe_port: {int(kind == 'ETH')}\n" +
            "".join(f"{name}: {value}\n" for name, value in counters.items()))
        counts = [(way, port.get(f"{way}_changes")) for way in ("up", "down")]
        history = "".join(f"link {way} count :  {count}\n"
                          for way, count in counts if count is not None)
        if history:
            texts[f"-g -link_stat -i {chip['device']} -u {udie} -p {number}"] = history
    if rows:
        texts[f"-g -dev_info -i {chip['device']}"] = (
            rule + "| UdieID | PortID | Speed  | PortType | Link Status | Media Type |\n" + rule +
            rows + rule)
    return texts


def hccn_answers(machine):
    """Of hccn_tool: arguments to text."""
    texts = {}
    for chip in machine["chips"]:
        is_950 = family_of(chip["chip_name"]) == "950"
        texts.update(_answers_of_950(chip) if is_950 else _port_answers(chip))
    return texts
