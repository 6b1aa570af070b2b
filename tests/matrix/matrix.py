"""The whole matrix: every call that the exporter makes on the tests' machines, with every fault,
for one, several and all devices, at the start, later and during a reload.

    ASCEND_EXPORTER=... FAKE_DCMI_DIR=... python3 tests/matrix/matrix.py [PART...]

With parts only the cells whose description contains each of them. Prints recovery times and every
violation; exits 1 if there is one.
"""

import pathlib
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "e2e")]

import cells  # noqa: E402
import runner  # noqa: E402

PROGRESS = 100  # cells
AT_ONCE = 32


def main(parts):
    began = time.monotonic()
    targets = runner.targets_of()
    chosen = [cell for cell in cells.every_cell(targets)
              if all(part in str(cell) for part in parts)]
    print(f"{len(targets)} calls, {len(chosen)} cells", file=sys.stderr)
    if not chosen:
        return 2
    played = 0

    def progress(result):
        nonlocal played
        played += 1
        for line in runner.violations([result]):
            print(line, file=sys.stderr, flush=True)
        if played % PROGRESS == 0:
            print(f"{played} of {len(chosen)}", file=sys.stderr, flush=True)

    results = runner.run(chosen, progress, AT_ONCE)
    print(runner.table(results, began))
    found = runner.violations(results)
    print(f"{len(found)} violations")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
