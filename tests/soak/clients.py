"""Those who scrape: one that measures, and many that come and go, wait, read slowly and break off.

Each is one thread. What it gets is checked; what fails is a suspicion.
"""

import gzip
import http.client
import random
import socket
import struct
import threading
import time

TIMEOUT = 30.0  # seconds
SLOWEST = 1.0  # seconds; an answer takes milliseconds
PAGE = "/metrics"
# Where else they look, and what they may be told.
OTHERS = {"/": {200}, "/-/healthy": {200}, "/-/ready": {200, 503}, "/nothing": {404},
          "/npu": {200}}


class Client(threading.Thread):
    """Runs `once` until it is told to stop, with pauses of `pause` seconds on average."""

    def __init__(self, soak, number, pause=0.5):
        super().__init__(daemon=True, name=f"{type(self).__name__}-{number}")
        self.soak = soak
        self.random = random.Random(f"{soak.seed} {self.name}")
        self.checker = soak.checker()
        self.scrapes = 0
        self.crash = None
        self._pause = pause

    def run(self):
        try:
            while not self.soak.over.wait(self.random.expovariate(1 / self._pause)):
                self.once()
        except Exception as error:  # said at the end: a client that is gone checks nothing
            self.crash = error
            raise

    def once(self):
        raise NotImplementedError

    def connect(self):
        return http.client.HTTPConnection(self.soak.address, timeout=TIMEOUT)

    def ask(self, connection, path=PAGE, headers=None):
        """Whether the connection can be used again."""
        begin = time.monotonic()
        try:
            connection.request("GET", path, headers=headers or {})
            reply = connection.getresponse()
            body = reply.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            self.soak.ledger.suspect("failed request", begin, time.monotonic(),
                                     f"{path}: {type(error).__name__} {error}")
            return False
        self.take(path, reply, body, begin, time.monotonic())
        return not reply.will_close

    def take(self, path, reply, body, begin, end):
        whole = len(body) == int(reply.getheader("Content-Length", "-1"))
        if whole and reply.getheader("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if not whole:
            self.soak.ledger.suspect("failed request", begin, time.monotonic(),
                                     f"{path}: broken off after {len(body)} bytes")
        elif reply.status not in OTHERS.get(path, {200}):
            self.soak.ledger.suspect("failed request", begin, end,
                                     f"{path}: status {reply.status} {body[:80]!r}")
        elif path == PAGE:
            self.scrapes += 1
            self.checker.check(body.decode("utf-8"), begin, end)


class Regular(Client):
    """Scrapes as Prometheus does, over one connection."""

    connection = None

    def once(self):
        self.connection = self.connection or self.connect()
        headers = {"Accept-Encoding": "gzip"} if self.random.random() < 0.3 else None
        if not self.ask(self.connection, headers=headers) or self.random.random() < 0.05:
            self.connection.close()
            self.connection = None


class Visitor(Client):
    """Comes anew each time, and looks at the other pages, too."""

    def once(self):
        connection = self.connect()
        path = PAGE if self.random.random() < 0.6 else self.random.choice(list(OTHERS))
        self.ask(connection, path)
        connection.close()


class SlowReader(Client):
    """Takes some seconds for a page."""

    def once(self):
        begin = time.monotonic()
        left = self.random.uniform(1, 6)
        connection = self.connect()
        try:
            connection.sock = socket.socket()
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sock.settimeout(TIMEOUT)
            connection.sock.connect((connection.host, connection.port))
            connection.request("GET", PAGE)
            reply = connection.getresponse()
            asked = time.monotonic()
            body = b""
            while piece := reply.read(16384):
                body += piece
                self.soak.over.wait(min(left / 16, 0.4))
        except (OSError, http.client.HTTPException) as error:
            self.soak.ledger.suspect("failed request", begin, time.monotonic(),
                                     f"read slowly: {type(error).__name__} {error}")
        else:
            self.take(PAGE, reply, body, begin, asked)
        finally:
            connection.close()


class Breaker(Client):
    """Breaks off at any point, mostly with a reset."""

    WORDS = [b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /metr",
             b"GET /metrics HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"\r\n" * 50,
             b"GET " + b"/" * 20000, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 20]

    def once(self):
        try:
            with socket.create_connection(self.soak.where, timeout=TIMEOUT) as connection:
                if self.random.random() < 0.8:  # close() resets
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                          struct.pack("ii", 1, 0))
                connection.sendall(self.random.choice(self.WORDS))
                if self.random.random() < 0.5:
                    connection.settimeout(self.random.uniform(0.001, 2))
                    connection.recv(self.random.choice([1, 5000]))
        except OSError:
            pass  # it is others who notice if nobody listens


CHURN = [(Regular, 3, 0.7), (Visitor, 3, 0.7), (SlowReader, 2, 1.0), (Breaker, 2, 0.4)]


def churn(soak):
    """The clients that come and go, not started yet."""
    return [kind(soak, number, pause) for kind, count, pause in CHURN for number in range(count)]
