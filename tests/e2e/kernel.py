"""What the kernel tells of processes."""

import contextlib
import os
import pathlib
import signal

from harness import poll


def stat_of(pid):
    """(state, parent) of a process; None where there is none."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()
    return fields[0], int(fields[1])


def runs(pid):
    """Whether the process exists and is more than its exit status."""
    stat = stat_of(pid)
    return stat is not None and stat[0] not in "ZX"


def children_of(pid):
    found = []
    for entry in os.listdir("/proc"):
        stat = stat_of(entry) if entry.isdigit() else None
        if stat is not None and stat[1] == pid and stat[0] not in "ZX":
            found.append(int(entry))
    return found


def descendants_of(pid):
    mine = children_of(pid)
    return mine + [more for child in mine for more in descendants_of(child)]


def program_of(pid):
    """The name of the program that a process runs; empty where there is none."""
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return os.path.basename(words[0]).decode()


def status_of(pid):
    """The lines of /proc/PID/status by name."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return {name: value.strip() for name, _, value in
            (line.partition(":") for line in text.splitlines())}


def maps_of(pid):
    return pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")


def files_of(pid):
    """What the descriptors of a process are, by number."""
    files = {}
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            files[int(fd.name)] = os.readlink(fd)
    return files


@contextlib.contextmanager
def stopped(*pids):
    """While it lasts the processes do not run."""
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
            poll(lambda pid=pid: stat_of(pid)[0] == "T", 5, f"{pid} stops")
        yield
    finally:
        for pid in reversed(pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
