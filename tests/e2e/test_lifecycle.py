"""Letting go of the driver, new settings, devices that come and go: the page stays whole, and what
was known of the devices is kept."""

import os
import signal
import time
import unittest

from harness import PATIENCE, poll
from kernel import children_of, descendants_of, files_of, maps_of
from processes import (ALLOWANCE, BACK_WITHIN, PERIOD, RESTARTS, STALE_AFTER, TEMPERATURES, UP,
                       ProcessesTest, Watch, front_of, host_of, measured, of_role)
from stand_ins import Scenario

RELEASED_WITHIN = 2.0  # seconds
LIFECYCLE = "--web.enable-lifecycle"


class ReleaseTest(ProcessesTest):
    def assert_released(self, exporter, began):
        poll(lambda: not of_role(exporter, "host"), PATIENCE, "the host ends")
        self.assertLess(time.monotonic() - began, RELEASED_WITHIN + ALLOWANCE / 2)
        page = exporter.wait_for(lambda page: page.state() == "released")
        self.assertEqual(page.value("ascend_exporter_driver_up"), 0)
        self.assertEqual(measured(page) - {key for key in page if key.startswith(
            ("ascend_npu_info{", "ascend_npu_up{", "ascend_npu_last_sample"))}, set())
        self.assertEqual({value for _, value in page.family(UP)} | {0}, {0})
        self.assertEqual(page.value("ascend_npu_devices_expected"), 8)
        self.assertEqual(page.family(RESTARTS), [])
        self.assert_accepted(page)
        for pid in [exporter.pid, *descendants_of(exporter.pid)]:
            self.assertNotIn("libdcmi", maps_of(pid))
            self.assertFalse([file for file in files_of(pid).values() if "dcmi" in file])
        return page

    def assert_acquired(self, exporter, before):
        page = exporter.wait_for(lambda page: measured(before) <= page.keys(), within=BACK_WITHIN)
        self.assertEqual(page.state(), "ok")
        self.assertEqual(page.value("ascend_npu_devices_expected"), 8)
        return page

    def post(self, exporter, path):
        self.assertEqual(exporter.get(path, method="POST").status, 202)

    def test_and_acquire_by_signals(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            for _ in range(2):
                began = time.monotonic()
                os.kill(exporter.pid, signal.SIGUSR2)
                self.assert_released(exporter, began)
                os.kill(exporter.pid, signal.SIGUSR1)
                self.assert_acquired(exporter, before)

    def test_and_acquire_by_requests(self):
        machine = self.machine()
        with self.exporter(machine, LIFECYCLE) as exporter:
            before = self.wait_until_whole(exporter)
            began = time.monotonic()
            self.post(exporter, "/-/release")
            self.assert_released(exporter, began)
            self.post(exporter, "/-/acquire")
            self.assert_acquired(exporter, before)

    def test_ends_by_itself(self):
        machine = self.machine()
        with self.exporter(machine, "--devices.release-for=3s") as exporter:
            before = self.wait_until_whole(exporter)
            began = time.monotonic()
            os.kill(exporter.pid, signal.SIGUSR2)
            self.assert_released(exporter, began)
            self.assert_acquired(exporter, before)
            self.assertGreater(time.monotonic() - began, 3)

    def test_comes_about_in_time_though_a_call_hangs(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            machine.set_rules("rule dcmi_get_device_temperature 3 hang")
            exporter.wait_for(lambda page: page.value(UP, device=3) == 0)
            began = time.monotonic()
            os.kill(exporter.pid, signal.SIGUSR2)
            self.assert_released(exporter, began)
            machine.set_rules()
            os.kill(exporter.pid, signal.SIGUSR1)
            self.assert_acquired(exporter, before)

    def test_lasts_though_the_front_is_killed(self):
        machine = self.machine()
        with self.exporter(machine) as exporter:
            before = self.wait_until_whole(exporter)
            os.kill(exporter.pid, signal.SIGUSR2)
            self.assert_released(exporter, time.monotonic())
            os.kill(front_of(exporter), signal.SIGKILL)
            self.page_in_time(exporter, lambda page: page.state() == "released")
            self.assertEqual(of_role(exporter, "host"), [])
            os.kill(exporter.pid, signal.SIGUSR1)
            self.assert_acquired(exporter, before)

    def test_is_refused_unless_it_is_switched_on_and_asked_for_by_post(self):
        with self.exporter(Scenario(self.folder, self.MACHINE)) as exporter:
            self.wait_until_whole(exporter)
            for path in ("/-/release", "/-/acquire", "/-/reload"):
                self.assertEqual(exporter.get(path, method="POST").status, 403, path)
                self.assertEqual(exporter.get(path).status, 405, path)
        with self.exporter(Scenario(self.folder, self.MACHINE), LIFECYCLE) as exporter:
            self.wait_until_whole(exporter)
            for path in ("/-/release", "/-/acquire", "/-/reload"):
                for method in ("GET", "HEAD", "PUT", "DELETE"):
                    self.assertEqual(exporter.get(path, method=method).status, 405, path)
            self.assertEqual(exporter.page().state(), "ok")


class ReloadTest(ProcessesTest):
    SUCCESSFUL = "ascend_exporter_config_last_reload_successful"

    def setUp(self):
        super().setUp()
        self.config = self.folder / "config.yaml"
        self.write("log: {level: info}")

    def write(self, text):
        new = self.config.with_name("new.yaml")
        new.write_text(text + "\n", encoding="utf-8")
        os.replace(new, self.config)

    def configured(self, driver, *flags):
        return self.exporter(driver, f"--config.file={self.config}", LIFECYCLE, *flags)

    def reload(self, exporter, how=signal.SIGHUP):
        seen = exporter.log.count("reloaded")
        if how == "POST":
            self.assertEqual(exporter.get("/-/reload", method="POST").status, 202)
        else:
            os.kill(exporter.pid, how)
        poll(lambda: exporter.log.count("reloaded") > seen, PATIENCE, "it is reloaded")

    def test_takes_new_collectors_without_a_failed_or_incomplete_scrape(self):
        machine = self.machine()
        for how in (signal.SIGHUP, "POST"):
            self.write("log: {level: info}")
            with self.subTest(how=how), self.configured(machine) as exporter:
                before = self.wait_until_whole(exporter)
                old = host_of(exporter)
                with Watch(exporter) as watch:
                    self.write("collectors: {disable: [temperature], enable: [core_utilization]}\n"
                               "log: {level: debug}")
                    self.reload(exporter, how)
                    page = exporter.wait_for(lambda page: page.value(RESTARTS, reason="reload"))
                    page = self.wait_until_sampled(exporter, STALE_AFTER)
                self.assert_kept(watch, measured(before, without=TEMPERATURES))
                self.assertNotEqual(host_of(exporter), old)
                self.assertEqual(page.names() & TEMPERATURES, set())
                self.assertEqual(page.value(self.SUCCESSFUL), 1)
                self.assertAlmostEqual(page.value(
                    "ascend_exporter_config_last_reload_success_timestamp_seconds"), time.time(),
                    delta=PATIENCE)
                self.assert_accepted(page)
                # And back again.
                self.write("log: {level: info}")
                self.reload(exporter, how)
                exporter.wait_for(lambda page: measured(before) <= page.keys())

    def test_takes_new_periods(self):
        scenario = Scenario(self.folder, self.MACHINE)
        self.write("sampling: {window: 30s}\nlog: {level: info}")
        exporter = self.configured(scenario)
        exporter.without_flags("fast-period")
        with exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                self.write("sampling: {fast_period: 50ms}")
                self.reload(exporter)
                exporter.wait_for(lambda page: page.value(RESTARTS, reason="reload") == 1)
                calls = [self.calls(exporter)]
                self.wait_until_sampled(exporter, 2)
                calls.append(self.calls(exporter))
            self.assert_kept(watch, measured(before))
            self.assertGreater(calls[1] - calls[0], 8 * 20)  # it was 1 s: two for each device

    def calls(self, exporter):
        return exporter.page().value("ascend_exporter_driver_calls_total", collector="temperature",
                                     result="ok")

    def test_of_a_broken_file_changes_nothing_and_says_where(self):
        scenario = Scenario(self.folder, self.MACHINE)
        cases = (("sampling:\n  fast_period: 1parsec", "2"),
                 ("log: {level: info}\ncolour: red", "2"), ("log: [", "2"),
                 ("collectors: {enable: [no_such]}", None),
                 ("sampling: {memory_period: 0s}", "1"), ("sampling: {memory_period: 365d}", "1"),
                 ("web: {telemetry_path: metrics}", "1"))
        with self.configured(scenario) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            for text, line in cases:
                with self.subTest(text=text), Watch(exporter) as watch:
                    self.write(text)
                    logged = len(exporter.log)
                    self.reload(exporter)
                    page = exporter.wait_for(lambda page: page.value(self.SUCCESSFUL) == 0)
                    self.wait_until_sampled(exporter, 3 * PERIOD)
                    news = exporter.log[logged:]
                    where = f"{self.config}:{line}" if line else "no_such"
                    self.assertEqual(news.count(where), 1, news)
                    self.assertEqual(news.count("the configuration was not reloaded"), 1, news)
                    self.assertLessEqual(news.count("\n"), 2, news)
                    self.assertEqual(watch.missing(measured(before)), [])
                    self.assertEqual(watch.failures, [])
            self.assertEqual(host_of(exporter), old)
            self.write("log: {level: info}")
            self.reload(exporter)
            exporter.wait_for(lambda page: page.value(self.SUCCESSFUL) == 1)
            self.config.unlink()
            self.reload(exporter)
            page = exporter.wait_for(lambda page: page.value(self.SUCCESSFUL) == 0)
            self.assertIn("No such file", exporter.log)
            self.assertLessEqual(measured(before), page.keys())

    def test_names_what_takes_effect_at_the_next_start_only(self):
        with self.configured(Scenario(self.folder, self.MACHINE)) as exporter:
            before = self.wait_until_whole(exporter)
            old = host_of(exporter)
            self.write("web: {telemetry_path: /other}\nlog: {format: json}\nfront: {user: nobody}")
            self.reload(exporter)
            for flag in ("--web.telemetry-path", "--log.format", "--front.user"):
                self.assertIn(f"{flag} has changed; that takes effect when the exporter is started "
                              "again", exporter.log)
            page = exporter.wait_for(lambda page: page.value(self.SUCCESSFUL) == 1)
            self.assertEqual(page.family(RESTARTS), [])
            self.assertEqual(host_of(exporter), old)
            self.assertLessEqual(measured(before), page.keys())

    def test_twenty_at_once_end_in_the_last_settings(self):
        machine = self.machine()
        with self.configured(machine) as exporter:
            before = self.wait_until_whole(exporter)
            with Watch(exporter) as watch:
                for i in range(20):
                    disabled = "temperature" if i == 19 else "voltage"
                    self.write(f"collectors: {{disable: [{disabled}]}}")
                    os.kill(exporter.pid, signal.SIGHUP)
                page = exporter.wait_for(lambda page: not page.names() & TEMPERATURES
                                         and page.devices("ascend_npu_voltage_volts"))
                self.wait_until_sampled(exporter, STALE_AFTER)
            wanted = measured(before, without=TEMPERATURES | {"ascend_npu_voltage_volts"})
            self.assertEqual(watch.failures, [])
            self.assertEqual(watch.missing(wanted), [])
            poll(lambda: len(children_of(exporter.pid)) == 2, PATIENCE, "one host is left")
            self.assertEqual(exporter.page().value("ascend_exporter_hosts_left_behind"), 0)

    def test_lasts_though_front_and_host_are_killed(self):
        machine = self.machine()
        with self.configured(machine) as exporter:
            before = self.wait_until_whole(exporter)
            self.write("collectors: {disable: [temperature]}")
            self.reload(exporter)
            exporter.wait_for(lambda page: page.value(RESTARTS, reason="reload") == 1)
            for victim in (host_of(exporter), front_of(exporter)):
                os.kill(victim, signal.SIGKILL)
            wanted = measured(before, without=TEMPERATURES)
            page = self.page_in_time(exporter, lambda page: wanted <= page.keys())
            self.assertEqual(page.names() & TEMPERATURES, set())


if __name__ == "__main__":
    unittest.main()
