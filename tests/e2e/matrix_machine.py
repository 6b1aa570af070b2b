"""A machine on which one call at a time can be made to fail, for a matrix of faults: every driver
call that the exporter makes, on each device, with each way of failing, in one process.

    machine = MatrixMachine(folder, "8x910b", chips=8)
    with Exporter(*EVERYTHING, *machine.flags, env=machine.env) as exporter:
        machine.wait_until_asked(exporter)
        for call in machine.calls(device=3):
            with machine.fault(call, "garbage random"):
                ...

The calls are those that the library counted, so that one which is added later is in the matrix
without being named anywhere.
"""

import contextlib
import copy
import dataclasses

import stand_ins
from harness import poll

EVERYTHING = [f"--collectors.enable={name}" for name in (
    "core_utilization", "network_pfc_priority", "hccs_bandwidth", "pcie_bandwidth",
    "network_bandwidth")]
RECHECK = "recheck 20"  # a call costs the library next to nothing, a rule is seen after 20 ms
# What the counts hold beside calls: those that rules count for themselves.
RULES = ("crash ", "garbage ")
ALL = "*"
ALL_CHIPS = "-1/-1"  # as the calls about faults name them


@dataclasses.dataclass(frozen=True, order=True)
class Call:
    """A function with what of it a rule names: its input type, and whom it is asked about."""

    function: str
    target: str = ALL  # a physical id, CARD/*, or "*" for a call about no chip or card
    type: str = ""

    def rule(self, action):
        typed = f"{self.function}:{self.type}" if self.type else self.function
        return f"rule {typed} {self.target} {action}"


def _of_number(description, number):
    """A chip like `description` that is another one: on a card of its own."""
    chip = copy.deepcopy(description)
    chip["device"] = chip["logic_id"] = chip["npu_id"] = number
    chip["chip_id"] = 0
    chip["pci_address"] = f"{number + 1:04x}:01:00.0"
    chip["die_id"] = "-".join(["C4A41A31", "0020A0D4", "3E1B2C03", "81D46A10", f"{number:08X}"])
    chip["serial"] = f"MATRIX{number:06d}"
    chip.pop("topology", None)  # names chips that need not be there
    return chip


def with_chips(machine, count):
    """A description with so many chips: its own, as far as they go, then copies of them."""
    chips = machine["chips"][:count]
    taken = max(max(chip["device"], chip["npu_id"]) for chip in machine["chips"])
    for i in range(count - len(chips)):
        like = machine["chips"][i % len(machine["chips"])]
        chips.append(_of_number(like, taken + 1 + i))
    return machine | {"chips": chips}


class MatrixMachine(stand_ins.FakeLibrary):
    """The stand-in library with `chips` chips of one of the tests' machines; all of them if it is
    None. With `hccn_tool` there is that tool too, which the exporter then asks in the library's
    place. `settings`: lines that hold for the machine, such as "one_lock" and "cost 1000"."""

    def __init__(self, folder, name="8x910b", chips=None, hccn_tool=False, settings=()):
        machine = stand_ins.load(name)
        self.description = machine if chips is None else with_chips(machine, chips)
        super().__init__(folder, name, queries=hccn_tool)
        self._base = stand_ins.fake_data.render(self.description).splitlines()
        self._base += [RECHECK, *settings]
        self._crashes = 0
        self.set_rules()

    @property
    def devices(self):
        """The physical ids."""
        return [chip["device"] for chip in self.description["chips"]]

    def set_rules(self, *rules):
        """These rules, and no others than those of the description. Takes 20 ms to be seen."""
        self._lines = [*self._base, *rules]
        self._write()

    @contextlib.contextmanager
    def fault(self, call, action):
        """While it lasts the call does what the action says, and nothing else is wrong."""
        self.set_rules(call.rule(action))
        try:
            yield
        finally:
            self.set_rules()

    def crash(self, kind, times):
        """An action: so many calls, the first ones of whatever process, die. Counted anew each time
        that this is asked for."""
        self._crashes += 1
        return f"crash {kind} {times} matrix{self._crashes}"

    def crashes(self):
        """How many calls the newest `crash` has met."""
        return self.counts().get(f"crash matrix{self._crashes}", 0)

    def calls(self, device):
        """Every call about the device, or about its card, that was made so far; one for each input
        type where a function has one, of any device."""
        chip = next(chip for chip in self.description["chips"] if chip["device"] == device)
        places = {f"{chip['npu_id']}/{chip.get('chip_id', 0)}": str(device),
                  f"{chip['npu_id']}/*": f"{chip['npu_id']}/*"}
        return sorted(Call(function, places[place], input_type)
                      for function, place in self._called() if place in places
                      for input_type in self._types_of(function))

    def calls_of_the_machine(self):
        """Every call about no chip and no card: starting, listing, versions."""
        about_a_chip = {function for function, place in self._called() if place}
        return sorted(Call(function) for function, place in self._called()
                      if not place and function not in about_a_chip)

    def wait_until_asked(self, exporter):
        """Waits until every collector has asked every chip."""
        chips = len(self.devices)
        poll(lambda: exporter.page().every_chip_was_asked(chips), within=60,
             what="every collector asks every chip")

    def _names(self):
        return [name for name in self.counts() if not name.startswith(RULES)]

    def _called(self):
        """(function, place) of what was counted; the place is empty for the count of a function and
        for what is asked about all chips at once."""
        return {(function, "" if place == ALL_CHIPS else place) for function, _, place in
                (name.partition(" ") for name in self._names()) if ":" not in function}

    def _types_of(self, function):
        typed = [name.partition(":")[2] for name in self._names()
                 if name.startswith(function + ":")]
        return typed or [""]
