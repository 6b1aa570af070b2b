"""Drivers that err, lie, hang and lose chips: each costs what it touches and nothing else."""

import time
import unittest

from harness import Exporter, TestCase
from stand_ins import FakeLibrary, Scenario

PERIOD = 0.2  # seconds, of every group
DEADLINE = 0.2
STALE_AFTER = 2.0  # three periods, but two seconds at least
ALLOWANCE = 1.0  # for a machine that has better things to do than to run tests
SCRAPE_LIMIT = 1.0  # seconds; it takes milliseconds
GROUPS = ("fast", "health", "memory", "links", "network", "identity")
QUICK = [f"--sampling.{group}-period=200ms" for group in GROUPS] + [
    f"--sampling.{group}-deadline=200ms" for group in GROUPS] + ["--devices.discovery-period=200ms"]

HANG = "rule dcmi_get_device_temperature 3 hang"
UP = "ascend_npu_up"
TEMPERATURE = "ascend_npu_temperature_celsius"
TEMPERATURES = {TEMPERATURE, "ascend_npu_temperature_window_min_celsius",
                "ascend_npu_temperature_window_max_celsius"}
LAST_SAMPLE = "ascend_npu_last_sample_timestamp_seconds"
# What is left of a device that is not there: who it is and that it is not there.
REMAINS = {UP, "ascend_npu_info", LAST_SAMPLE}


def all_up(count=8):
    """Every chip was asked everything. Counts on a page may be newer than its values by a tenth of a
    second: what was counted once is there on a page of half a second later."""
    since = None

    def predicate(page):
        nonlocal since
        if since is None and counted(page):
            since = time.monotonic()
        return since is not None and time.monotonic() > since + 0.5

    def counted(page):
        return (page.value("ascend_npu_devices", state="healthy") or 0) + (
            page.value("ascend_npu_devices", state="unhealthy") or 0) == count and len(
                page.devices("ascend_npu_ecc_enabled")) == count and (
                    page.every_chip_was_asked(count))
    return predicate


def npu_names(page, device):
    return {name for name in page.names_of(device) if name.startswith("ascend_npu_")}


class FaultsTest(TestCase):
    def library(self, name="8x910b"):
        return FakeLibrary(self.folder, name)

    def exporter(self, driver, *flags):
        return Exporter(*QUICK, *flags, *driver.flags, env=driver.env)

    def assert_prompt(self, exporter):
        begin = time.monotonic()
        exporter.get("/metrics")
        self.assertLess(time.monotonic() - begin, SCRAPE_LIMIT)


class HangTest(FaultsTest):
    def assert_others_complete(self, exporter, before, hung="3"):
        """The others show all that they showed, and go on being sampled."""
        others = before.devices(UP) - {hung}
        now = exporter.page()
        for device in others:
            self.assertEqual(now.value(UP, device=device), 1)
            self.assertEqual(npu_names(now, device), npu_names(before, device))
        exporter.wait_for(lambda page: all(
            page.value(LAST_SAMPLE, device=device) > now.value(LAST_SAMPLE, device=device)
            for device in others), what="newer samples of the others")

    def assert_down_in_time(self, page):
        """Of the page on which device 3 is first seen down, taken just now."""
        silent = time.time() - page.value(LAST_SAMPLE, device=3)
        self.assertLess(silent, 3 * PERIOD + DEADLINE + ALLOWANCE)
        self.assertEqual(page.value("ascend_npu_devices", state="hung"), 1)
        self.assertEqual(page.value("ascend_exporter_stuck_calls"), 1)

    def test_a_hung_call_costs_its_device_alone_until_it_returns(self):
        library = self.library()
        with self.exporter(library) as exporter:
            before = exporter.wait_for(all_up())
            self.assertEqual(before.family("ascend_exporter_call_timeouts_total"), [])
            library.add(HANG)
            self.assert_down_in_time(exporter.wait_for(lambda page: page.value(UP, device=3) == 0))
            self.assert_prompt(exporter)
            page = exporter.wait_for(lambda page: npu_names(page, 3) == REMAINS,
                                     what="the measurements of device 3 go away")
            self.assertLess(time.time() - page.value(LAST_SAMPLE, device=3),
                            STALE_AFTER + 3 * PERIOD + ALLOWANCE)
            self.assert_others_complete(exporter, before)
            self.assertEqual(page.value("ascend_exporter_call_timeouts_total", device=3), 1)
            self.assertEqual(page.value("ascend_exporter_driver_up"), 1)
            self.assert_accepted(page)

            calls = library.counts()["dcmi_get_device_temperature 3/0"]
            library.remove(HANG)
            page = exporter.wait_for(lambda page: page.value(UP, device=3) == 1
                                     and npu_names(page, 3) == npu_names(before, 3))
            self.assertEqual(page.value("ascend_npu_devices", state="hung"), 0)
            self.assertEqual(page.value("ascend_exporter_stuck_calls"), 0)
            self.assertEqual(page.value("ascend_exporter_call_timeouts_total", device=3), 1)
            self.assertGreater(library.counts()["dcmi_get_device_temperature 3/0"], calls)
            self.assertIn("device 3 (temperature): hung in a driver call", exporter.log)

    def test_no_second_call_is_made_on_a_device_whose_call_has_not_returned(self):
        library = self.library()
        with self.exporter(library) as exporter:
            exporter.wait_for(all_up())
            library.add(HANG)
            exporter.wait_for(lambda page: npu_names(page, 3) == REMAINS)

            def calls_of_device_3():
                # Of its own thread; the search for devices goes on asking for ids.
                enumeration = ("_num_in_card", "_device_type", "_logic_id", "_phyid")
                return {name: count for name, count in library.counts().items()
                        if " 3/" in name and not any(part in name for part in enumeration)}
            before = calls_of_device_3()
            self.wait_for_time_to_pass(exporter, 5 * PERIOD)
            self.assertEqual(calls_of_device_3(), before)

    def wait_for_time_to_pass(self, exporter, seconds):
        """By the samples of a device that is well."""
        newest = exporter.page().value(LAST_SAMPLE, device=0)
        exporter.wait_for(lambda page: page.value(LAST_SAMPLE, device=0) > newest + seconds)

    def test_sigterm_ends_the_program_while_a_driver_call_is_blocked(self):
        for blocked in ("dcmi_get_device_temperature 3", "dcmi_get_card_list *"):
            library = self.library()
            with self.subTest(blocked=blocked), self.exporter(library) as exporter:
                exporter.wait_for(all_up())
                library.add(f"rule {blocked} hang")
                self.wait_for_time_to_pass(exporter, 2 * PERIOD)
                counted = blocked.replace(" *", "") + ("/0" if " 3" in blocked else "")
                before = library.counts()[counted]
                self.wait_for_time_to_pass(exporter, 5 * PERIOD)
                self.assertEqual(library.counts()[counted], before)
                self.assertLess(exporter.stop(), exporter.STOP_LIMIT)

    def test_a_search_for_devices_that_hangs_stops_neither_sampling_nor_scrapes(self):
        library = self.library()
        with self.exporter(library) as exporter:
            before = exporter.wait_for(all_up())
            library.add("rule dcmi_get_card_list * hang")
            self.assert_others_complete(exporter, before, hung=None)
            self.assert_prompt(exporter)

    def test_a_library_that_hangs_from_the_start_leaves_the_server_alive(self):
        library = self.library()
        library.add("rule dcmi_init * hang")
        with self.exporter(library) as exporter:
            self.assertEqual(exporter.get("/-/healthy").status, 200)
            self.assertEqual(exporter.get("/-/ready").status, 503)
            self.assertEqual(exporter.get("/").status, 200)
            self.assert_accepted(exporter.page())
            library.remove("rule dcmi_init * hang")
            exporter.wait_for(all_up())
            self.assertEqual(exporter.get("/-/ready").status, 200)

    def test_a_simulated_hang_is_treated_alike(self):
        hang = {"at": "1s", "for": "4s", "device": 3, "kind": "hang", "call": "temperature"}
        with self.exporter(Scenario(self.folder, "8x910b", events=[hang])) as exporter:
            before = exporter.wait_for(all_up())
            self.assert_down_in_time(exporter.wait_for(lambda page: page.value(UP, device=3) == 0))
            self.assert_others_complete(exporter, before)
            exporter.wait_for(lambda page: npu_names(page, 3) == REMAINS)
            exporter.wait_for(lambda page: page.value(UP, device=3) == 1
                              and npu_names(page, 3) == npu_names(before, 3))

    def test_sigterm_ends_a_simulation_that_hangs_for_ever(self):
        hang = {"at": "0s", "device": 3, "kind": "hang", "call": "all"}
        with self.exporter(Scenario(self.folder, "8x910b", events=[hang])) as exporter:
            exporter.wait_for(lambda page: page.value("ascend_npu_devices", state="hung") == 1)
            self.assertLess(exporter.stop(), exporter.STOP_LIMIT)


class ErrorTest(FaultsTest):
    def test_a_call_that_fails_costs_what_it_would_have_told(self):
        library = self.library()
        rule = "rule dcmi_get_device_temperature 3 code -8006"
        with self.exporter(library) as exporter:
            before = exporter.wait_for(all_up())
            library.add(rule)
            page = exporter.wait_for(lambda page: page.devices(TEMPERATURE)
                                     == before.devices(TEMPERATURE) - {"3"})
            self.assertEqual(npu_names(page, 3), npu_names(before, 3) - TEMPERATURES)
            self.assertEqual(page.value(UP, device=3), 1)
            self.assertEqual(page.value("ascend_exporter_collector_success",
                                        collector="temperature"), 0)
            self.assertGreater(page.value("ascend_exporter_driver_calls_total",
                                          collector="temperature", result="error"), 0)
            self.assertEqual(exporter.log.count("device 3: temperature fails"), 1)
            self.assertIn("-8006", exporter.log)
            library.remove(rule)
            page = exporter.wait_for(lambda page: page.value(TEMPERATURE, device=3) is not None)
            self.assertEqual(page.value("ascend_exporter_collector_success",
                                        collector="temperature"), 1)

    def test_a_call_that_is_not_supported_is_no_error(self):
        library = self.library()
        library.add("rule dcmi_get_device_temperature 3 code -8255")
        with self.exporter(library) as exporter:
            page = exporter.wait_for(all_up())
            self.assertEqual(page.devices(TEMPERATURE), page.devices(UP) - {"3"})
            self.assertEqual(page.value("ascend_exporter_collector_success",
                                        collector="temperature"), 1)
            self.assertEqual(page.value("ascend_exporter_driver_calls_total",
                                        collector="temperature", result="error"), 0)
            self.assertNotIn("fails", exporter.log)

    def test_an_enumeration_that_fails_for_one_card_keeps_the_others(self):
        library = self.library()
        library.add("rule dcmi_get_device_num_in_card 3/* code -8005")
        with self.exporter(library) as exporter:
            page = exporter.wait_for(all_up(7))
            self.assertEqual(page.devices(UP), set("0124567"))
            self.assertIn("card 3", exporter.log)

    def test_a_chip_that_dropped_off_the_bus_is_lost(self):
        library = self.library()
        rule = "rule dcmi_get_device_health 3 code -8012"
        with self.exporter(library) as exporter:
            exporter.wait_for(all_up())
            library.add(rule)
            page = exporter.wait_for(lambda page: page.value(UP, device=3) == 0)
            self.assertEqual(page.value("ascend_npu_devices", state="lost"), 1)
            self.assertEqual(page.value("ascend_npu_devices", state="healthy"), 6)
            self.assertEqual(page.value("ascend_npu_devices", state="unhealthy"), 1)
            library.remove(rule)
            exporter.wait_for(lambda page: page.value(UP, device=3) == 1)

    def test_eight_devices_become_seven_and_eight_again(self):
        library = self.library()
        with self.exporter(library) as exporter:
            before = exporter.wait_for(all_up())
            lines = library.take_out(3)
            page = exporter.wait_for(lambda page: page.value(UP, device=3) == 0)
            self.assertEqual(npu_names(page, 3), REMAINS)
            self.assertEqual(page.value("ascend_npu_devices", state="lost"), 1)
            self.assertEqual(page.value("ascend_npu_devices_expected"), 8)
            self.assertEqual(sum(value for _, value in page.family(UP)), 7)
            library.put_back(*lines)
            page = exporter.wait_for(lambda page: page.value(UP, device=3) == 1
                                     and npu_names(page, 3) == npu_names(before, 3))
            self.assertEqual(page.value("ascend_npu_devices", state="lost"), 0)
            self.assertEqual(page.value("process_start_time_seconds"),
                             before.value("process_start_time_seconds"))
            self.assertIsNone(exporter.process.poll())

    def test_a_lost_device_is_forgotten_in_the_end(self):
        library = self.library()
        with self.exporter(library, "--devices.lost-retention=1s") as exporter:
            exporter.wait_for(all_up())
            library.take_out(3)
            exporter.wait_for(lambda page: not page.names_of(3))

    def test_two_chips_that_claim_one_id_leave_the_first(self):
        library = self.library()
        library.add("rule dcmi_get_device_phyid_from_logicid 7 value 6")
        with self.exporter(library) as exporter:
            page = exporter.wait_for(all_up(7))
            self.assertEqual(page.value(TEMPERATURE, device=6), -1)
            self.assertGreater(page.value("ascend_exporter_duplicate_devices_total"), 0)
            self.assert_accepted(page)


class FaultCodesTest(FaultsTest):
    CODE = {"code": "80E01801", "action": "restart_workload"}

    def count(self, page):
        return page.value("ascend_npu_faults_total", device=0, action=self.CODE["action"])

    def active(self, page):
        return page.value("ascend_npu_fault", device=0, **self.CODE)

    def test_a_code_that_stands_twice_in_the_list_counts_two(self):
        library = self.library()
        with self.exporter(library) as exporter:
            page = exporter.wait_for(all_up())
            self.assertEqual((self.count(page), self.active(page)), (0, None))
            library.add("set 0 faults 0x80E01801 0x80E01801")
            page = exporter.wait_for(self.active)
            self.assertEqual(self.count(page), 2)
            self.assertEqual(self.active(page), 1)
            self.assertAlmostEqual(
                page.value("ascend_npu_fault_last_timestamp_seconds", device=0, code="80E01801"),
                time.time(), delta=STALE_AFTER + 2 * ALLOWANCE)

    def test_a_fault_that_comes_back_counts_again_and_ends_with_the_recovery(self):
        library = self.library()
        with self.exporter(library) as exporter:
            exporter.wait_for(all_up())
            for times in (1, 2):
                library.add("set 0 faults 0x80E01801")
                page = exporter.wait_for(self.active)
                self.assertEqual(self.count(page), times)
                library.add("set 0 faults 0")
                page = exporter.wait_for(lambda page: self.active(page) is None)
                self.assertEqual(self.count(page), times)

    def test_all_128_codes_are_shown_and_unknown_ones_say_so(self):
        library = self.library()
        codes = [0x90000000 + i for i in range(128)]
        with self.exporter(library) as exporter:
            exporter.wait_for(all_up())
            library.add("set 0 faults " + " ".join(map(hex, codes)))
            page = exporter.wait_for(lambda page: page.value(
                "ascend_npu_fault", device=0, code="90000000", action="unknown"))
            shown = {labels["code"]: labels["action"] for labels, _
                     in page.family("ascend_npu_fault") if labels["device"] == "0"}
            self.assertEqual(shown, {f"{code:08X}": "unknown" for code in codes})
            self.assertEqual(page.value("ascend_npu_faults_total", device=0, action="unknown"), 128)
            self.assert_accepted(page)


class IdentityTest(FaultsTest):
    def info(self, page, device=0):
        return [labels for labels, _ in page.family("ascend_npu_info")
                if labels["device"] == str(device)]

    def test_text_without_an_end_is_bounded(self):
        library = self.library()
        library.add("rule dcmi_get_card_elabel_v2 0/* text serial_number " + "S" * 256,
                    "rule dcmi_get_device_chip_info_v2 1 text chip_name " + "C" * 32)
        with self.exporter(library) as exporter:
            page = exporter.wait_for(lambda page: len(page.devices("ascend_npu_info")) == 8)
            (info,) = self.info(page)
            self.assertRegex(info["serial"], r"\AS{32,256}\Z")
            self.assertRegex(self.info(page, 1)[0]["chip_name"], r"\AC{31,32}\Z")
            self.assert_accepted(page)

    def test_bytes_that_are_no_text_leave_a_valid_page(self):
        library = self.library()
        hostile = "%ff%fe%22%5c%0a%c3%28%7f"
        library.add(*(f"rule dcmi_get_card_elabel_v2 0/* text {field} {hostile}"
                      for field in ("serial_number", "model", "product_name")),
                    f"rule dcmi_get_device_chip_info_v2 0 text chip_name {hostile}",
                    f"rule dcmi_get_device_component_static_version 0 text version_str {hostile}",
                    f"rule dcmi_get_driver_version * text driver_ver {hostile}")
        with self.exporter(library) as exporter:
            page = exporter.wait_for(lambda page: len(page.devices("ascend_npu_info")) == 8)
            self.assert_accepted(page)
            (info,) = self.info(page)
            self.assertIn('"\\\n', info["serial"])
            self.assertEqual(page.value(TEMPERATURE, device=0), 43)
            self.assertEqual(exporter.get("/").status, 200)

    def test_a_new_identity_replaces_the_old_one(self):
        library = self.library()
        with self.exporter(library) as exporter:
            exporter.wait_for(all_up())
            library.add("set 0 serial NEW", "set 0 die 0x1 0x2 0x3 0x4 0x5")
            page = exporter.wait_for(
                lambda page: [info["serial"] for info in self.info(page)] == ["NEW"])
            self.assertEqual(self.info(page)[0]["die_id"],
                             "00000001-00000002-00000003-00000004-00000005")


if __name__ == "__main__":
    unittest.main()
