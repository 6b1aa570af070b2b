"""What a driver may answer instead of a value: none of it reaches the page, and it is counted."""

import unittest

from harness import Exporter, TestCase
from stand_ins import FakeLibrary

QUICK = ["--sampling.fast-period=50ms", "--sampling.health-period=100ms",
         "--sampling.memory-period=100ms"]

MAX_INT = 0x7FFFFFFF
ALL_ONES = 0xFFFFFFFF
ALL_ONES_64 = 0xFFFFFFFFFFFFFFFF
NO_READING, READ_FAILED = 0x7FFD, 0x7FFF  # of a card's controller

TEMPERATURE = {"ascend_npu_temperature_celsius", "ascend_npu_temperature_window_min_celsius",
               "ascend_npu_temperature_window_max_celsius"}
POWER = {"ascend_npu_power_watts", "ascend_npu_energy_joules_total",
         "ascend_npu_power_window_min_watts", "ascend_npu_power_window_max_watts"}
HBM_USED = {"ascend_npu_hbm_used_bytes", "ascend_npu_memory_used_bytes"}
HBM = HBM_USED | {"ascend_npu_hbm_total_bytes", "ascend_npu_memory_total_bytes"}
HBM_TEMPERATURE = {"ascend_npu_hbm_temperature_celsius"}
HBM_BANDWIDTH = {"ascend_npu_hbm_bandwidth_utilization_ratio",
                 "ascend_npu_hbm_bandwidth_utilization_window_min_ratio",
                 "ascend_npu_hbm_bandwidth_utilization_window_max_ratio",
                 "ascend_npu_hbm_bandwidth_busy_seconds_total"}
ECC_COUNTS = {"ascend_npu_ecc_errors_total", "ascend_npu_ecc_lifetime_errors_total",
              "ascend_npu_ecc_isolated_pages"}
DDR_USED = {"ascend_npu_ddr_used_bytes", "ascend_npu_memory_used_bytes"}
DDR = DDR_USED | {"ascend_npu_ddr_total_bytes", "ascend_npu_memory_total_bytes"}
HUGEPAGES = {"ascend_npu_hugepages_used_bytes", "ascend_npu_hugepages_capacity_bytes"}

# Collector, function of the library, fields of its answer (empty: all), values that are none, and
# the families that the chip then has no more.
LIES_OF_910B = (
    ("temperature", "dcmi_get_device_temperature", [""],
     [MAX_INT, NO_READING, READ_FAILED, -274, 201, -56], TEMPERATURE),
    ("power", "dcmi_get_device_power_info", [""],
     [MAX_INT, NO_READING, READ_FAILED, -1, 0], POWER),
    ("hbm", "dcmi_get_device_hbm_info", ["memory_size"], [ALL_ONES_64, 0], HBM),
    ("hbm", "dcmi_get_device_hbm_info", ["memory_usage"], [ALL_ONES_64, 65537], HBM_USED),
    ("hbm", "dcmi_get_device_hbm_info", ["temp"], [MAX_INT, NO_READING, -1], HBM_TEMPERATURE),
    ("hbm", "dcmi_get_device_hbm_info", ["bandwith_util_rate"], [ALL_ONES, 101], HBM_BANDWIDTH),
    ("hbm", "dcmi_get_device_utilization_rate:6", [""], [ALL_ONES, 101],
     {"ascend_npu_hbm_utilization_ratio"}),
    ("utilization", "dcmi_get_device_multi_utilization_rate", ["npu_util"], [ALL_ONES, 255],
     {"ascend_npu_overall_utilization_ratio"}),
    ("ecc", "dcmi_get_device_ecc_info:2", [""], [ALL_ONES, MAX_INT],
     ECC_COUNTS | {"ascend_npu_ecc_enabled"}),
    ("ecc", "dcmi_get_device_ecc_info:2", ["enable_flag"], [2], {"ascend_npu_ecc_enabled"}),
)
LIES_OF_310P = (
    ("ddr", "dcmi_get_device_memory_info_v3", ["memory_size"], [ALL_ONES_64, 0], DDR),
    ("ddr", "dcmi_get_device_memory_info_v3", ["memory_available"], [ALL_ONES_64, 44281],
     DDR_USED),
    ("ddr", "dcmi_get_device_memory_info_v3", ["hugepages_total"], [ALL_ONES_64], HUGEPAGES),
    ("ddr", "dcmi_get_device_memory_info_v3", ["hugepages_free"], [ALL_ONES_64, 1],
     {"ascend_npu_hugepages_used_bytes"}),
    ("ddr", "dcmi_get_device_utilization_rate:5", [""], [ALL_ONES, 101],
     {"ascend_npu_ddr_bandwidth_utilization_ratio"}),
)
# The families of one engine are shared with the other engines: looked at by label.
ENGINES = (("aicore", "dcmi_get_device_multi_utilization_rate value aicore_util"),
           ("vector", "dcmi_get_device_multi_utilization_rate value aiv_util"),
           ("cube", "dcmi_get_device_multi_utilization_rate value aic_util"),
           ("aicpu", "dcmi_get_device_utilization_rate:3 value utilization_rate"),
           ("ctrlcpu", "dcmi_get_device_utilization_rate:4 value utilization_rate"))


def npu_names(page, device):
    return {name for name in page.names_of(device) if name.startswith("ascend_npu_")}


def rejected(page, collector):
    return sum(value for labels, value in page.family("ascend_exporter_rejected_values_total")
               if labels["collector"] == collector)


class ValuesTest(TestCase):
    def exporter(self, name):
        self.library = FakeLibrary(self.folder, name)
        return Exporter(*QUICK, *self.library.flags, env=self.library.env)

    def complete(self, exporter, count):
        return exporter.wait_for(lambda page: page.every_chip_was_asked(count) and all(
            len(page.devices(name)) == count for name in (
                "ascend_npu_temperature_celsius", "ascend_npu_ecc_enabled",
                "ascend_npu_health_state", "ascend_npu_memory_used_bytes")))

    def assert_lies_stay_off_the_page(self, name, count, lies):
        with self.exporter(name) as exporter:
            before = self.complete(exporter, count)
            names = npu_names(before, 0)
            for collector, function, fields, values, gone in lies:
                self.assertLessEqual(gone, names)
                for value in values:
                    with self.subTest(function=function, fields=fields, value=value):
                        self.assert_lie_stays_off(exporter, names, collector, gone,
                                                  f"rule {function} 0 value {fields[0]} {value}")
            after = exporter.wait_for(lambda page: npu_names(page, 0) == names)
            self.assertEqual(npu_names(after, 1), npu_names(before, 1))
            self.assert_accepted(after)

    def assert_lie_stays_off(self, exporter, names, collector, gone, rule):
        before = exporter.wait_for(lambda page: npu_names(page, 0) == names)
        self.library.add(rule)
        page = exporter.wait_for(lambda page: not gone & npu_names(page, 0), what=gone)
        self.assertEqual(npu_names(page, 0), names - gone)
        self.assertGreater(rejected(page, collector), rejected(before, collector))
        self.assertEqual(page.value("ascend_npu_up", device=0), 1)
        self.library.remove(rule)

    def test_what_is_no_value_stays_off_the_page_of_a_910b(self):
        self.assert_lies_stay_off_the_page("8x910b", 8, LIES_OF_910B)

    def test_what_is_no_value_stays_off_the_page_of_a_310p(self):
        self.assert_lies_stay_off_the_page("4x310p", 4, LIES_OF_310P)

    def test_the_power_of_a_card_that_its_controller_did_not_read_is_absent(self):
        name = "ascend_npu_card_power_watts"
        with self.exporter("4x310p") as exporter:
            exporter.wait_for(lambda page: page.value(name, card=1536) == 72.4)
            for value in (NO_READING, READ_FAILED, MAX_INT, -1):
                rule = f"rule dcmi_mcu_get_power_info 1536/* value {value}"
                self.library.add(rule)
                page = exporter.wait_for(lambda page: page.value(name, card=1536) is None)
                self.assertEqual(page.value(name, card=1792), 118.9)
                self.assertGreater(rejected(page, "card_power"), 0)
                self.library.remove(rule)
                exporter.wait_for(lambda page: page.value(name, card=1536) == 72.4)

    def test_an_engine_without_a_value_is_absent_and_the_others_are_not(self):
        ratio, busy = "ascend_npu_utilization_ratio", "ascend_npu_busy_seconds_total"
        with self.exporter("8x910b") as exporter:
            self.complete(exporter, 8)
            for engine, field in ENGINES:
                rule = f"rule {field.replace(' value', ' 3 value')} {ALL_ONES}"
                self.library.add(rule)
                page = exporter.wait_for(
                    lambda page: page.value(ratio, device=3, engine=engine) is None)
                self.assertIsNone(page.value(busy, device=3, engine=engine))
                self.assertGreater(rejected(page, "utilization"), 0)
                for other in dict(ENGINES).keys() - {engine}:
                    self.assertIsNotNone(page.value(ratio, device=3, engine=other), other)
                self.library.remove(rule)
                exporter.wait_for(
                    lambda page: page.value(ratio, device=3, engine=engine) is not None)

    def test_a_health_that_is_none_is_unknown(self):
        def states(page):
            return {labels["state"] for labels, value in page.family("ascend_npu_health_state")
                    if labels["device"] == "0" and value == 1}
        with self.exporter("8x910b") as exporter:
            exporter.wait_for(lambda page: states(page) == {"ok"})
            for value in (ALL_ONES, 4, 17):
                rule = f"rule dcmi_get_device_health 0 value {value}"
                self.library.add(rule)
                exporter.wait_for(lambda page: states(page) == {"unknown"})
                self.library.remove(rule)
                exporter.wait_for(lambda page: states(page) == {"ok"})

    def test_fault_codes_that_are_none_are_no_faults(self):
        with self.exporter("8x910b") as exporter:
            self.complete(exporter, 8)
            self.library.add(f"set 0 faults 0x80E01801 0 {MAX_INT} {ALL_ONES}")
            page = exporter.wait_for(lambda page: "0" in page.devices("ascend_npu_fault"))
            self.assertEqual([labels["code"] for labels, _ in page.family("ascend_npu_fault")
                              if labels["device"] == "0"], ["80E01801"])

    def test_one_degree_below_zero_is_a_temperature(self):
        with self.exporter("8x910b") as exporter:
            self.complete(exporter, 8)
            self.library.add("rule dcmi_get_device_temperature 0 value -1")
            page = exporter.wait_for(
                lambda page: page.value("ascend_npu_temperature_celsius", device=0) == -1)
            self.assertEqual(rejected(page, "temperature"), 0)

    def test_counters_above_two_to_the_31_are_exact(self):
        counts = [3000000001, 2147483648, 4294967293, 4294967294, 2147483649]
        with self.exporter("8x910b") as exporter:
            self.library.add("set 0 ecc.2 1 " + " ".join(map(str, counts)))
            labels = {"device": 0, "memory": "hbm"}
            page = exporter.wait_for(lambda page: page.value(
                "ascend_npu_ecc_isolated_pages", **labels) == counts[4])
            shown = [page.value(f"ascend_npu_ecc_{name}errors_total", severity=severity, **labels)
                     for name in ("", "lifetime_") for severity in ("single_bit", "double_bit")]
            self.assertEqual(shown, counts[:4])
            self.assertIn(" 4294967294\n", page.text)  # and not 4.29e+09

    def test_a_rejection_is_logged_once_for_a_device(self):
        with self.exporter("8x910b") as exporter:
            self.complete(exporter, 8)
            self.library.add(f"rule dcmi_get_device_power_info 2 value {MAX_INT}")
            exporter.wait_for(lambda page: rejected(page, "power") >= 5)
            self.assertEqual(exporter.log.count("device 2: power answered a value"), 1)


if __name__ == "__main__":
    unittest.main()
