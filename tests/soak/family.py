"""The processes of the exporter: which there are, and when the one with the driver ended."""

import os
import pathlib
import signal
import threading
import time

POLL = 0.03  # seconds
STEADY = 10.0  # seconds; a host that lives longer makes the next one start at once
BACK_WITHIN = 5.0  # seconds from the end of a host to a whole page
FIRST_WAIT, MOST_WAIT = 0.1, 30.0  # seconds before a host is started after several short lives
ROLES = ("front", "host", "sim-host")


def children(pid):
    """Process and role of the children whose program runs already."""
    try:
        pids = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return {}
    roles = {}
    for child in map(int, pids):
        try:
            program = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().partition(b"\0")[0]
        except OSError:
            continue
        role = program.decode().rpartition("ascend-exporter-")[2]
        if role in ROLES:
            roles[child] = role.replace("sim-", "")
    return roles


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Family(threading.Thread):
    """Watches the children of the supervisor. Any thread may ask."""

    def __init__(self, supervisor, ledger):
        super().__init__(daemon=True, name="Family")
        self.supervisor = supervisor
        self._ledger = ledger
        self._lock = threading.Lock()
        self._roles = children(supervisor)
        self._born = dict.fromkeys(self._roles, time.monotonic())
        self._short_lives = 0
        self._dying = set()  # who may end hosts now
        self._over = threading.Event()
        self.deaths = 0
        self.hosts_started = 0

    def run(self):
        while not self._over.wait(POLL):
            self._look(children(self.supervisor))

    def stop(self):
        self._over.set()
        self.join()

    def of_role(self, role):
        """Processes, the oldest first."""
        with self._lock:
            return [pid for pid in sorted(self._roles, key=self._born.get)
                    if self._roles[pid] == role]

    def everyone(self):
        with self._lock:
            return {self.supervisor: "supervisor"} | self._roles

    def age(self, pid):
        return time.monotonic() - self._born.get(pid, time.monotonic())

    def may_die(self, who, whether):
        with self._lock:
            (self._dying.add if whether else self._dying.discard)(who)

    def kill(self, pid):
        send(pid, signal.SIGKILL)

    def _look(self, roles):
        now = time.monotonic()
        with self._lock:
            gone = {pid: role for pid, role in self._roles.items() if pid not in roles}
            fresh = roles.keys() - self._roles.keys()
            self._roles = roles
            self._born |= dict.fromkeys(fresh, now)
            self.hosts_started += sum(roles[pid] == "host" for pid in fresh)
            expected = bool(self._dying)
        for pid, role in gone.items():
            if role == "host":
                self._host_ended(pid, now, expected)

    def _host_ended(self, pid, now, expected):
        """Either another one took over, or the devices are without a host for a moment."""
        younger = any(self._born[other] > self._born[pid] for other in self.of_role("host"))
        if not expected and younger:
            return
        if not expected:
            self._ledger.accuse("a host ended and nobody knows why", f"process {pid}", when=now)
        self.deaths += 1
        self._short_lives = 0 if now - self._born[pid] >= STEADY else self._short_lives + 1
        wait = min(MOST_WAIT, FIRST_WAIT * 2 ** self._short_lives) if self._short_lives else 0
        self._ledger.excuse("gap", begin=now - 0.5, end=now + BACK_WITHIN + wait)
