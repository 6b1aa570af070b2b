"""Plays many cells at once, in processes of its own, and sums up what they found."""

import multiprocessing
import time

import cells
import play
from stage import CHIPS, Stage, reference_of

AT_ONCE = 24  # cells that are played at the same time: most of a cell is waiting
PERCENTILES = (50, 90, 99, 100)

_stage = None  # of a process that plays
_references = {}  # by machine


def _close():
    global _stage
    if _stage is not None:
        _stage.__exit__()
        _stage = None


def _play(cell):
    global _stage
    if cell is None or (_stage is not None and _stage.name != cell.target.machine):
        _close()
    if cell is None:
        return None
    if _stage is None:
        _stage = Stage(cell.target.machine)
    return play.play(cell, _stage, _references[cell.target.machine])


def _work(todo, done):
    while True:
        cell = todo.get()
        done.put(_play(cell))
        if cell is None:
            return


def targets_of(machines=tuple(CHIPS)):
    """Every call that is made on one of the machines, once."""
    known, targets = set(), []
    for name in machines:
        with Stage(name) as stage:
            _references[name], found = reference_of(stage)
        targets += [target for target in found if target.function not in known]
        known.update(target.function for target in found)
    return targets


def run(chosen, progress=lambda result: None, at_once=AT_ONCE):
    """The results of the cells, in any order. Call targets_of first, for their machines."""
    todo, done = multiprocessing.Queue(), multiprocessing.Queue()
    # Those that last longest first, but no exporter waits for the cells of another machine.
    order = sorted(chosen, key=lambda cell: (list(CHIPS).index(cell.target.machine),
                                             -play.LASTS[cell.fault]))
    players = min(at_once, len(order))
    for cell in [*order, *[None] * players]:
        todo.put(cell)
    processes = [multiprocessing.Process(target=_work, args=(todo, done)) for _ in range(players)]
    for process in processes:
        process.start()
    results, ended = [], 0
    while ended < players:
        result = done.get()
        if result is None:
            ended += 1
            continue
        results.append(result)
        progress(result)
    for process in processes:
        process.join()
    return results + _of_the_whole(results)


def _of_the_whole(results):
    """What no single cell shows: a crash is counted for a collector that the call belongs to."""
    failing, found = {}, []
    for result in results:
        if result.cell.fault == cells.ERROR:
            failing.setdefault(result.cell.target, set()).update(result.collectors)
    for result in results:
        known = failing.get(result.cell.target)
        wrong = result.collectors - known if known else set()
        if result.cell.fault == cells.CRASH and wrong:
            verdict = play.Result(result.cell)
            verdict.blame("wrong collector", f"{sorted(wrong)}, the call is of {sorted(known)}")
            found.append(verdict)
    return found


def violations(results):
    """One line for each kind of violation of each cell."""
    return [f"{result.cell}: {text} ({times} times)" for result in results
            for text, times in result.violations.items()]


def _percentile(values, percent):
    return values[min(len(values) - 1, len(values) * percent // 100)]


def table(results, began):
    """Recovery times by fault, of the cells in which a page showed it."""
    lines = [f"{len(results)} cells in {time.monotonic() - began:.0f} s, slowest scrape "
             f"{max(result.slowest_scrape for result in results) * 1000:.0f} ms",
             f"{'fault':10} {'mended by':10} {'cells':>6} {'met':>6} {'seen':>6}"
             + "".join(f"{'p' + str(p) if p < 100 else 'max':>8}" for p in PERCENTILES)]
    for fault in cells.FAULTS:
        for mended in sorted({result.mended for result in results if result.cell.fault == fault}):
            mine = [result for result in results
                    if result.cell.fault == fault and result.mended == mended]
            times = sorted(result.recovery for result in mine
                           if result.seen and result.recovery is not None)
            lines.append(
                f"{fault:10} {mended or 'itself':10} {len(mine):6} "
                f"{sum(result.met for result in mine):6} {sum(result.seen for result in mine):6}"
                + "".join(f"{_percentile(times, p):8.2f}" for p in PERCENTILES if times))
    return "\n".join(lines)
