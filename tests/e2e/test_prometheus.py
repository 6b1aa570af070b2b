"""The whole way of an alert: a simulated fault, the exporter, a real Prometheus with the shipped
rules, a real Alertmanager, a receiver."""

import contextlib
import re
import time
import unittest

from harness import ROOT, Exporter, TestCase, poll
from monitoring import Alertmanager, Prometheus, Webhook
from stand_ins import Scenario

RULES = ROOT / "alerts" / "ascend-npu.rules.yml"
HOT, FULL = "3", "5"  # the devices that something is wrong with
EVENTS = [{"at": "2s", "device": int(HOT), "kind": "temperature", "celsius": 95},
          {"at": "2s", "device": int(FULL), "kind": "memory", "used_ratio": 0.95}]
EXPECTED = {("NpuTemperatureHigh", HOT), ("NpuMemoryNearFull", FULL)}
QUICK = ["--sampling.fast-period=200ms"]
WITHIN = 60.0


def pairs(alerts):
    """(name, device) of alerts as Alertmanager's API and its webhooks show them."""
    return {(alert["labels"]["alertname"], alert["labels"].get("device")) for alert in alerts}


def impatient(rules):
    """The rules with every `for:` cut down to a second, and nothing else changed."""
    text = RULES.read_text(encoding="utf-8")
    rules.write_text(re.sub(r"(?m)^(\s*for:) \S+$", r"\1 1s", text), encoding="utf-8")
    return rules


class AlertsTest(TestCase):
    def test_a_hot_and_a_full_device_reach_the_receiver_and_no_other_does(self):
        rules = impatient(self.folder / "rules.yml")
        with contextlib.ExitStack() as stack:
            enter = stack.enter_context
            webhook = enter(Webhook())
            alertmanager = enter(Alertmanager(self.folder, webhook.url))
            exporter = enter(Exporter(
                *QUICK, *Scenario(self.folder, "8x910b", "idle", EVENTS).flags))
            prometheus = enter(Prometheus(self.folder, [exporter.address], rules,
                                          alertmanager.address))
            poll(lambda: pairs(webhook.alerts()) >= EXPECTED, WITHIN, "both alerts at the receiver")
            seen_at = time.time()
            # Whatever else would fire has had as long as these two by then.
            prometheus.wait_for_query("min(timestamp(ascend_npu_up))",
                                      lambda result: result and result[0][1] > seen_at + 3)
            self.assertEqual(pairs(webhook.alerts()), EXPECTED)
            self.assertEqual(pairs(alertmanager.alerts()), EXPECTED)
            self.assertEqual(
                {(labels["alertname"], labels["device"]) for labels, _
                 in prometheus.query('ALERTS{alertstate="firing"}')}, EXPECTED)
            self.assert_labels(alertmanager.alerts(), exporter)

    def assert_labels(self, alerts, exporter):
        for alert in alerts:
            labels = alert["labels"]
            self.assertEqual(labels["severity"], "warning")
            self.assertEqual(labels["instance"], exporter.address)
            self.assertEqual([name for name in labels if name.startswith("exported_")], [])
            self.assertIn(f"NPU {labels['device']} ", alert["annotations"]["summary"])
        by_name = {alert["labels"]["alertname"]: alert for alert in alerts}
        self.assertIn("95", by_name["NpuTemperatureHigh"]["annotations"]["summary"])

    def test_an_alert_ends_with_its_cause(self):
        rules = impatient(self.folder / "rules.yml")
        passing = [event | {"for": "6s"} for event in EVENTS]
        scenario = Scenario(self.folder, "8x910b", "idle", passing)
        with Exporter(*QUICK, *scenario.flags) as exporter, \
                Prometheus(self.folder, [exporter.address], rules) as prometheus:
            firing = 'ALERTS{alertstate="firing"}'
            prometheus.wait_for_query(firing, lambda result: len(result) == 2, WITHIN)
            prometheus.wait_for_query(firing, lambda result: not result, WITHIN)
            self.assertEqual(len(prometheus.query("ascend_npu_up == 1")), 8)


class QueriesTest(TestCase):
    def test_identity_joins_and_rates_are_rates(self):
        with Exporter(*QUICK, *Scenario(self.folder, "8x910b", "waves").flags) as exporter, \
                Prometheus(self.folder, [exporter.address]) as prometheus:
            joined = prometheus.wait_for_query(
                "ascend_npu_temperature_celsius * on (instance, device) group_left(chip_name) "
                "ascend_npu_info", len)
            self.assertEqual({(labels["device"], labels["chip_name"]) for labels, _ in joined},
                             {(str(device), "910B3") for device in range(8)})
            # rate() goes beyond the samples that it has: let it have the whole of its window.
            prometheus.wait_for_query("min(count_over_time(ascend_npu_up[10s]))",
                                      lambda result: result and result[0][1] >= 9)
            power = prometheus.query("rate(ascend_npu_energy_joules_total[10s])")
            self.assertEqual(len(power), 8)
            for labels, watts in power:
                self.assertGreater(watts, 50, labels)
                self.assertLess(watts, 1000, labels)
            busy = prometheus.query('rate(ascend_npu_busy_seconds_total{engine="aicore"}[10s])')
            self.assertEqual(len(busy), 8)
            for labels, ratio in busy:
                self.assertTrue(0 <= ratio <= 1.1, (labels, ratio))  # rate() extrapolates
            self.assert_scraped_cleanly(prometheus)

    def assert_scraped_cleanly(self, prometheus):
        (target,) = prometheus.ask("/api/v1/targets")["data"]["activeTargets"]
        self.assertEqual((target["health"], target["lastError"]), ("up", ""))
        exported = prometheus.query('{__name__=~"ascend_.+",exported_instance=~".+"} or '
                                    '{__name__=~"ascend_.+",exported_job=~".+"}')
        self.assertEqual(exported, [])

    def test_prometheus_knows_type_and_help_of_every_family(self):
        with Exporter(*Scenario(self.folder, "8x910b").flags) as exporter, \
                Prometheus(self.folder, [exporter.address]) as prometheus:
            prometheus.wait_for_query("ascend_npu_up", lambda result: len(result) == 8)
            known = {entry["metric"]: (entry["type"], entry["help"]) for entry
                     in prometheus.ask("/api/v1/targets/metadata")["data"]}
            for name in exporter.page().names():
                if not name.startswith("ascend_npu_"):
                    continue
                kind, text = known[name]
                self.assertEqual(kind, "counter" if name.endswith("_total") else "gauge", name)
                self.assertTrue(text.endswith("."), name)


if __name__ == "__main__":
    unittest.main()
