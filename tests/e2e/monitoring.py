"""Prometheus and Alertmanager, as Debian packages them, and a receiver of alerts."""

import http.server
import json
import pathlib
import threading
import urllib.parse

import yaml

from harness import PATIENCE, Server, poll

# What both say when they have bound a port of their own choice.
LISTENING = r'msg="Listening on" address=(\S+)'


def _write(path, content):
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


class Api(Server):
    LISTENING = LISTENING

    def __enter__(self):
        super().__enter__()
        try:
            poll(lambda: self.get("/-/ready").status == 200, PATIENCE, f"{self.address} is ready")
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def ask(self, path, **parameters):
        """The answer of the HTTP API, from JSON."""
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        reply = self.get(path + query)
        if reply.status != 200:
            raise AssertionError(f"{path} answers {reply.status}: {reply.body!r}")
        return json.loads(reply.body)


class Alertmanager(Api):
    """Hands every alert on to a webhook at once."""

    def __init__(self, folder, webhook):
        folder = pathlib.Path(folder)
        config = _write(folder / "alertmanager.yml", {
            "route": {"receiver": "webhook", "group_by": ["..."], "group_wait": "0s",
                      "group_interval": "1s", "repeat_interval": "1h"},
            "receivers": [{"name": "webhook", "webhook_configs": [{"url": webhook}]}]})
        super().__init__(["/usr/bin/prometheus-alertmanager", f"--config.file={config}",
                          f"--storage.path={folder / 'alertmanager'}",
                          "--web.listen-address=127.0.0.1:0", "--cluster.listen-address="])

    def alerts(self):
        return self.ask("/api/v2/alerts")


class Prometheus(Api):
    """Scrapes `targets` every second under `job` and judges `rules` as often."""

    def __init__(self, folder, targets, rules=None, alertmanager=None):
        folder = pathlib.Path(folder)
        config = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                  "scrape_configs": [{"job_name": "ascend",
                                      "static_configs": [{"targets": list(targets)}]}]}
        if rules:
            config["rule_files"] = [str(rules)]
        if alertmanager:
            config["alerting"] = {"alertmanagers": [
                {"static_configs": [{"targets": [alertmanager]}]}]}
        path = _write(folder / "prometheus.yml", config)
        super().__init__(["/usr/bin/prometheus", f"--config.file={path}",
                          f"--storage.tsdb.path={folder / 'prometheus'}",
                          "--web.listen-address=127.0.0.1:0"])

    def query(self, expression):
        """The instant vector of an expression: (labels, value) of every series."""
        data = self.ask("/api/v1/query", query=expression)["data"]
        return [(series["metric"], float(series["value"][1])) for series in data["result"]]

    def wait_for_query(self, expression, predicate, within=PATIENCE):
        """The first result of the expression that `predicate` is true of."""
        result = None

        def look():
            nonlocal result
            result = self.query(expression)
            return predicate(result)
        poll(look, within, f"{expression}")
        return result


class Webhook:
    """Takes what Alertmanager sends. A context manager."""

    def __init__(self):
        self._alerts = []
        self._lock = threading.Lock()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def _handler(self):
        webhook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # the name that the base class wants
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with webhook._lock:
                    webhook._alerts += json.loads(body)["alerts"]
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass
        return Handler

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def alerts(self):
        with self._lock:
            return list(self._alerts)
