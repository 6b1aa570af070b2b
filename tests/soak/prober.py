"""A client in a process of its own, so that what it measures is the exporter's time and not that of
the checks. A page goes through a pipe to the thread that checks it."""

import http.client
import multiprocessing
import threading
import time

import clients

PERIOD = 0.2  # seconds


def _probe(address, pipe):
    """Sends (begin, end, status or None, body) for each scrape until nobody listens."""
    connection = None
    while True:
        begin = time.monotonic()
        try:
            connection = connection or http.client.HTTPConnection(address, timeout=clients.TIMEOUT)
            connection.request("GET", clients.PAGE)
            reply = connection.getresponse()
            answer = (reply.status, reply.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            connection = None
            answer = (None, f"{type(error).__name__} {error}")
        end = time.monotonic()
        try:
            pipe.send((begin, end, *answer))
        except OSError:
            return
        time.sleep(max(0.0, begin + PERIOD - time.monotonic()))


class Prober(threading.Thread):
    def __init__(self, soak):
        super().__init__(daemon=True, name="Prober")
        self._soak = soak
        self._checker = soak.checker()
        self._here, there = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.get_context("fork").Process(
            target=_probe, args=(soak.address, there), daemon=True)
        self._process.start()
        there.close()
        self.scrapes = 0
        self.crash = None
        self.latencies = []  # seconds, of scrapes that nothing stood in the way of

    def run(self):
        try:
            while not self._soak.over.is_set():
                if self._here.poll(0.1):
                    self._take(*self._here.recv())
        except Exception as error:
            self.crash = error
            raise
        finally:
            self._process.terminate()
            self._process.join()
            self._here.close()

    def _take(self, begin, end, status, body):
        ledger = self._soak.ledger
        if status != 200:
            ledger.suspect("failed request", begin, end, f"{status} {body!r:.100}")
            return
        self.scrapes += 1
        if end - begin > clients.SLOWEST:
            ledger.suspect("slow answer", begin, end, f"{end - begin:.2f} s")
        if not ledger.active({"front stopped", "front killed"}, since=begin):
            self.latencies.append(end - begin)
        self._checker.check(body.decode("utf-8"), begin, end)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
