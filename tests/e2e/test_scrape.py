"""What a scraper sees: always an answer, from what is there, without asking the driver."""

import http.client
import subprocess
import time
import unittest

from harness import PATIENCE, Exporter, TestCase, environment, run
from stand_ins import FakeLibrary, Scenario, load

SCRAPES = 1000
SLOWEST_PERIOD = 60  # seconds; the most that the fast group may be set to
SLOW = ["--sampling.fast-period=1m", "--sampling.health-period=1h", "--sampling.memory-period=1h",
        "--sampling.links-period=1h", "--sampling.network-period=1h",
        "--sampling.identity-period=1h", "--devices.discovery-period=1h"]
COMPLETE_WITHIN = 5.0  # seconds from the start of the program

TEXT = "text/plain; version=0.0.4; charset=utf-8"


def complete(name):
    """Whether a page shows all of the machine that is sampled at the start."""
    devices = {str(chip["device"]) for chip in load(name)["chips"]}
    families = ("ascend_npu_info", "ascend_npu_health_state", "ascend_npu_temperature_celsius",
                "ascend_npu_utilization_ratio", "ascend_npu_memory_used_bytes",
                "ascend_npu_ecc_enabled", "ascend_npu_faults_total")

    def is_complete(page):
        return page.every_chip_was_asked(len(devices)) and all(
            page.devices(family) == devices for family in families) and all(
                page.value("ascend_npu_up", device=device) == 1 for device in devices)
    return is_complete


def ticks():
    """How many samplings of the slowest period have begun since the machine was started."""
    return time.monotonic() // SLOWEST_PERIOD


class NoDriverCallTest(TestCase):
    def scrape_often(self, exporter):
        connection = http.client.HTTPConnection(exporter.address, timeout=SLOWEST_PERIOD)
        bodies = set()
        for _ in range(SCRAPES):
            connection.request("GET", "/metrics")
            bodies.add(connection.getresponse().read())
        connection.close()
        return bodies

    def test_a_thousand_scrapes_call_no_driver_and_see_one_page(self):
        library = FakeLibrary(self.folder, "16x910c")
        with Exporter(*SLOW, *library.flags, env=library.env) as exporter:
            exporter.wait_for(complete("16x910c"))
            while True:  # at most twice: the engine's own sampling comes once in a minute
                first_tick = ticks()
                before = library.counts()
                bodies = self.scrape_often(exporter)
                after = library.counts()
                if ticks() == first_tick:
                    break
        self.assertGreater(before["dcmi_get_device_temperature"], 0)
        self.assertEqual(after, before)
        self.assertEqual(len(bodies), 1)


class PageTest(TestCase):
    def test_the_page_is_complete_soon_after_the_start(self):
        for make in (Scenario, FakeLibrary):
            driver = make(self.folder, "16x910c")
            with self.subTest(driver=driver.backend), \
                    Exporter(*driver.flags, env=driver.env) as exporter:
                left = COMPLETE_WITHIN - (time.monotonic() - exporter.started)
                page = exporter.wait_for(complete("16x910c"), within=left)
                self.assertEqual(page.value("ascend_npu_devices", state="healthy"), 16)

    def test_promtool_and_an_independent_parser_accept_the_page(self):
        scenario = Scenario(self.folder, "8x910b", "waves")
        with Exporter(*scenario.flags) as exporter:
            page = exporter.wait_for(complete("8x910b"))
            self.assert_accepted(page)
            self.assertTrue(page.text.endswith("\n"))

    def comma_locale(self):
        """The environment of a locale that writes 1,5 for one and a half."""
        subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8",
                        str(self.folder / "de_DE.UTF-8")], check=True, capture_output=True,
                       timeout=PATIENCE)
        env = environment(LOCPATH=self.folder, LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8")
        shown = subprocess.run(["locale", "decimal_point"], env=env, check=True, text=True,
                               capture_output=True, timeout=PATIENCE).stdout
        self.assertEqual(shown, ",\n")
        return env

    def test_a_locale_with_decimal_commas_changes_nothing(self):
        german = self.comma_locale()
        scenario = Scenario(self.folder, "8x910b", "waves")
        with Exporter(*scenario.flags, env=german) as exporter:
            page = exporter.wait_for(complete("8x910b"))
            self.assert_accepted(page)
            values = [line.rpartition(" ")[2] for line in page.text.splitlines()
                      if not line.startswith("#")]
            self.assertTrue(any(not float(value).is_integer() for value in values))
        flags = ["simulate", *scenario.flags[1:], "--for=10m"]
        self.assertEqual(run(*flags, env=german).stdout, run(*flags).stdout)


class PathsTest(TestCase):
    def setUp(self):
        super().setUp()
        self.scenario = Scenario(self.folder, "8x910b")

    def test_every_path_answers_as_documented(self):
        with Exporter(*self.scenario.flags) as exporter:
            exporter.wait_for(complete("8x910b"))
            for path, status, content_type, part in (
                    ("/metrics", 200, TEXT, b"ascend_npu_up{"),
                    ("/", 200, "text/html; charset=utf-8", b'<a href="/metrics">'),
                    ("/-/healthy", 200, "text/plain; charset=utf-8", b"healthy"),
                    ("/-/ready", 200, "text/plain; charset=utf-8", b"ready"),
                    ("/nowhere", 404, "text/plain; charset=utf-8", b"/metrics")):
                with self.subTest(path=path):
                    reply = exporter.get(path)
                    self.assertEqual(reply.status, status)
                    self.assertEqual(reply.headers["content-type"], content_type)
                    self.assertEqual(int(reply.headers["content-length"]), len(reply.body))
                    self.assertIn(part, reply.body)

    def test_head_is_get_without_a_body(self):
        with Exporter(*SLOW, *self.scenario.flags) as exporter:
            exporter.wait_for(complete("8x910b"))
            for path in ("/metrics", "/", "/-/healthy", "/-/ready", "/nowhere"):
                with self.subTest(path=path):
                    head = exporter.get(path, method="HEAD")
                    self.assertEqual(head.body, b"")
                    self.assertEqual(head.status, exporter.get(path).status)
                    self.assertIn("content-length", head.headers)

    def test_other_methods_are_refused(self):
        with Exporter(*self.scenario.flags) as exporter:
            for method in ("POST", "PUT", "DELETE"):
                reply = exporter.get("/metrics", method=method)
                self.assertEqual(reply.status, 405, method)
                self.assertIn("GET", reply.headers["allow"])

    def test_the_telemetry_path_can_be_moved(self):
        with Exporter(*self.scenario.flags, "--web.telemetry-path=/npu") as exporter:
            self.assertIn(b"ascend_exporter_build_info", exporter.get("/npu").body)
            self.assertEqual(exporter.get("/metrics").status, 404)
            self.assertIn(b'<a href="/npu">', exporter.get("/").body)
            self.assertIn("/npu", exporter.log)

    def test_requests_are_counted_by_path_and_code(self):
        with Exporter(*self.scenario.flags) as exporter:
            exporter.get("/-/healthy")
            exporter.get("/a")
            exporter.get("/b")
            name = "ascend_exporter_http_requests_total"
            exporter.wait_for(lambda page: page.value(name, code=200, path="/-/healthy") == 1
                              and page.value(name, code=404, path="other") == 2)


class HealthcheckTest(TestCase):
    def test_it_succeeds_where_the_exporter_serves(self):
        with Exporter(*Scenario(self.folder, "8x910b").flags) as exporter:
            for flag in (f"--url=http://{exporter.address}/-/healthy",
                         f"--web.listen-address={exporter.address}"):
                done = run("healthcheck", flag)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), flag)
            port = exporter.address.rpartition(":")[2]
            self.assertEqual(run("healthcheck", f"--web.listen-address=:{port}").returncode, 0)
            self.assert_fails(run("healthcheck", f"--url=http://{exporter.address}/nowhere"), "404")

    def test_it_fails_with_one_line_where_nobody_listens(self):
        with Exporter(*Scenario(self.folder, "8x910b").flags) as exporter:
            address = exporter.address
        self.assert_fails(run("healthcheck", f"--web.listen-address={address}"), address)

    def assert_fails(self, done, part):
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aascend-exporter: [^\n]+\n\Z")
        self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
