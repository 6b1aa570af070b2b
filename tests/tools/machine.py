"""Reads a machine description (docs/scenarios.md): the one file that the simulation, the fake
library and the fake tool are made from."""

import copy

import yaml


def _merge(base, over):
    """`over` laid on `base`, map by map; a null in `over` removes the key."""
    merged = copy.deepcopy(base)
    for key, value in over.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def load(path):
    """The description with `defaults` laid under every chip. `rules` are lines for the fake library
    (tests/fake_dcmi/machine_data.h), which say what no key says; only fake_data.py heeds them."""
    with open(path, encoding="utf-8") as file:
        machine = yaml.safe_load(file)
    defaults = machine.pop("defaults", {})
    machine["chips"] = [_merge(defaults, chip) for chip in machine["chips"]]
    machine["rules"] = machine.get("rules") or []
    return machine


def failing(machine):
    """The physical ids of the chips of which, by the rules, every call fails."""
    words = [rule.split() for rule in machine.get("rules", [])]
    return {int(rule[2]) for rule in words if rule[:2] == ["rule", "*"] and rule[3] == "code"}
