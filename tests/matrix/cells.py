"""The cells of the fault matrix, as data: what goes wrong in which call, of whom, and when.

`every_cell` is the full product. `covering` picks cells out of it in which every call meets every
fault, and any two values of any two dimensions meet.
"""

import dataclasses
import itertools
import zlib

ONE, SEVERAL, ALL = "one", "several", "all"
SCOPES = (ONE, SEVERAL, ALL)
START, LATER, RELOAD = "start", "later", "reload"
MOMENTS = (START, LATER, RELOAD)
ERROR, SENTINEL, SLOW, HANG, LONG_HANG, CRASH, GARBAGE = FAULTS = (
    "error", "sentinel", "slow", "hang", "long hang", "crash", "garbage")

# The ways in which each fault comes. Which of them a cell has follows from the cell.
WAYS = {
    # Each status of hal/dcmi/return_code.cc, and a code that nobody knows.
    ERROR: ("code -8005", "code -8006", "code -8002", "code -8008", "code -8012", "code -8020",
            "code -8777"),
    # What a number is when nothing was measured: -1, the greatest of 32, 31, 16 and 15 bits.
    SENTINEL: ("value -1", "value 0xFFFFFFFF", "value 0x7FFFFFFF", "value 0xFFFF", "value 0x7FFF"),
    SLOW: ("slow 300",),  # longer than the deadline in stage.py
    HANG: ("hang",),
    LONG_HANG: ("hang",),
    CRASH: ("crash segv", "crash abort", "crash stack", "crash heap", "crash exit", "crash _exit"),
    GARBAGE: ("garbage random", "garbage ones", "garbage text", "garbage zeros"),
}


@dataclasses.dataclass(frozen=True, order=True)
class Target:
    """A function with its input type, as a rule names them, asked on one of the machines."""

    machine: str
    function: str
    about_chips: bool  # else about the machine: there is no one and no several
    about_cards: bool = False  # it names a card, whose chips all meet the fault

    @property
    def scopes(self):
        return SCOPES if self.about_chips else (ALL,)


@dataclasses.dataclass(frozen=True, order=True)
class Cell:
    target: Target
    fault: str
    scope: str
    moment: str

    @property
    def way(self):
        ways = WAYS[self.fault]
        turn = SCOPES.index(self.scope) * len(MOMENTS) + MOMENTS.index(self.moment)
        return ways[(zlib.crc32(self.target.function.encode()) + turn) % len(ways)]

    def __str__(self):
        return (f"{self.target.machine} {self.target.function} {self.way} "
                f"({self.fault}, {self.scope}, {self.moment})")


def every_cell(targets):
    return [Cell(target, fault, scope, moment) for target in targets for fault in FAULTS
            for scope in target.scopes for moment in MOMENTS]


def pairs(cell):
    """The pairs of values that a cell covers, each with its dimensions."""
    values = [("target", cell.target), ("fault", cell.fault), ("scope", cell.scope),
              ("moment", cell.moment)]
    return set(itertools.combinations(values, 2))


def covering(cells):
    """Greedily: for each call and fault the cell that covers most pairs which none before it does,
    then whatever is still needed for the others."""
    groups = {}
    for cell in cells:
        groups.setdefault((cell.target, cell.fault), []).append(cell)
    missing = set().union(*map(pairs, cells))
    picked = []

    def pick(candidates):
        best = max(candidates, key=lambda cell: len(pairs(cell) & missing))
        if pairs(best) & missing:
            picked.append(best)
            missing.difference_update(pairs(best))

    for group in groups.values():
        pick(group)
    for cell in cells:
        if pairs(cell) & missing:
            picked.append(cell)
            missing.difference_update(pairs(cell))
    return picked
