"""The alert rules and the Kubernetes manifests, held against the users' guide by the real tools."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "alerts" / "ascend-npu.rules.yml"
RULE_TESTS = sorted((ROOT / "alerts" / "tests").glob("*.yml"))
DEPLOY = ROOT / "deploy"
TOOL_SECONDS = 60

# Both as users know them from their guide: dashboards, routes and habits hang on every character.
GUIDE_GROUP = """\
- name: ascend-npu
  rules:
  - alert: NpuTemperatureHigh
    expr: ascend_npu_temperature_celsius > 85
    for: 5m
    labels:
      severity: warning
    annotations:
      summary: "NPU {{ $labels.device }} 温度过高：{{ $value }}°C"

  - alert: NpuMemoryNearFull
    expr: ascend_npu_memory_used_bytes / ascend_npu_memory_total_bytes > 0.90
    for: 2m
    labels:
      severity: warning
    annotations:
      summary: "NPU {{ $labels.device }} 显存使用率超 90%"
"""
GUIDE_MONITOR = """\
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: ascend-npu-monitor
  namespace: monitoring
spec:
  selector:
    matchLabels:
      app: ascend-exporter
  endpoints:
  - port: metrics
    interval: 30s
    path: /metrics
"""


def run(*command):
    """The standard output of a tool that must succeed."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=TOOL_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class RulesTest(unittest.TestCase):
    def test_the_guides_group_is_there_to_the_letter(self):
        self.assertIn(GUIDE_GROUP, RULES.read_text(encoding="utf-8"))
        groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
        self.assertEqual(
            [group for group in groups if group["name"] == "ascend-npu"],
            yaml.safe_load(GUIDE_GROUP),
        )

    def test_promtool_accepts_the_rules(self):
        self.assertIn("2 rules found", run("promtool", "check", "rules", RULES))

    def test_the_unit_tests_pass(self):
        self.assertTrue(RULE_TESTS)
        run("promtool", "test", "rules", *RULE_TESTS)

    def test_every_rule_is_seen_firing_and_silent(self):
        seen = {"firing": set(), "silent": set()}
        for path in RULE_TESTS:
            for test in yaml.safe_load(path.read_text(encoding="utf-8"))["tests"]:
                for case in test["alert_rule_test"]:
                    state = "firing" if case["exp_alerts"] else "silent"
                    seen[state].add(case["alertname"])
        groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
        alerts = {rule["alert"] for group in groups for rule in group["rules"]}
        self.assertEqual(seen, {"firing": alerts, "silent": alerts})


class ManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        documents = list(yaml.safe_load_all(run("kubectl", "kustomize", DEPLOY)))
        cls.kinds = [document["kind"] for document in documents]
        cls.by_kind = {document["kind"]: document for document in documents}
        cls.daemon_set = cls.by_kind["DaemonSet"]
        cls.service = cls.by_kind["Service"]
        cls.monitor = cls.by_kind["ServiceMonitor"]
        cls.pod = cls.daemon_set["spec"]["template"]
        (cls.container,) = cls.pod["spec"]["containers"]

    def assert_selects(self, selector, labels):
        self.assertTrue(selector)
        self.assertLessEqual(selector.items(), labels.items())

    def test_there_is_one_of_each_and_all_in_namespace_monitoring(self):
        self.assertEqual(sorted(self.kinds), ["DaemonSet", "Service", "ServiceMonitor"])
        for document in self.by_kind.values():
            self.assertEqual(document["metadata"]["namespace"], "monitoring", document["kind"])

    def test_the_base_uses_only_what_the_oldest_kustomize_knows(self):
        kustomization = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text(encoding="utf-8"))
        self.assertEqual(set(kustomization), {"apiVersion", "kind", "resources"})

    def test_the_monitor_is_the_guides_to_the_letter(self):
        text = (DEPLOY / "servicemonitor.yaml").read_text(encoding="utf-8")
        self.assertEqual(text, GUIDE_MONITOR)
        self.assertEqual(self.monitor, yaml.safe_load(GUIDE_MONITOR))

    def test_the_readmes_patches_make_the_node_the_instance(self):
        readme = (DEPLOY / "README.md").read_text(encoding="utf-8")
        blocks = [part.partition("```")[0] for part in readme.split("```yaml\n")[1:]]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(DEPLOY, root / "deploy")
            own = root / "own"
            own.mkdir()
            for block in blocks:
                name = re.match(r"# (\S+\.yaml);?", block).group(1)
                (own / name).write_text(block, encoding="utf-8")
            mine = own / "kustomization.yaml"
            text = mine.read_text(encoding="utf-8")
            mine.write_text(text.rstrip("\n") + "\n- node-name.yaml\n", encoding="utf-8")
            documents = list(yaml.safe_load_all(run("kubectl", "kustomize", own)))
        (monitor,) = (found for found in documents if found["kind"] == "ServiceMonitor")
        (base,) = self.monitor["spec"]["endpoints"]
        (endpoint,) = monitor["spec"]["endpoints"]
        node = ["__meta_kubernetes_pod_node_name"]
        self.assertEqual(
            endpoint.pop("relabelings"),
            [{"sourceLabels": node, "targetLabel": label} for label in ("instance", "node")],
        )
        self.assertEqual(endpoint, base)

    def test_nothing_is_handed_over_that_nothing_reads(self):
        names = {variable["name"] for variable in self.container["env"]}
        self.assertEqual(names, {"LD_LIBRARY_PATH", "PATH"})

    def test_the_monitor_selects_the_service_in_its_own_namespace(self):
        self.assert_selects(
            self.monitor["spec"]["selector"]["matchLabels"], self.service["metadata"]["labels"]
        )
        self.assertEqual(
            self.monitor["metadata"]["namespace"], self.service["metadata"]["namespace"]
        )

    def test_the_monitors_port_leads_to_the_containers_port(self):
        (endpoint,) = self.monitor["spec"]["endpoints"]
        (service_port,) = self.service["spec"]["ports"]
        (container_port,) = self.container["ports"]
        self.assertEqual(endpoint["port"], service_port["name"])
        self.assertEqual(service_port["targetPort"], container_port["name"])
        self.assertEqual(service_port["port"], 10910)
        self.assertEqual(container_port["containerPort"], 10910)

    def test_the_service_and_the_daemon_set_select_the_pods(self):
        labels = self.pod["metadata"]["labels"]
        self.assertEqual(labels["app"], "ascend-exporter")
        self.assert_selects(self.service["spec"]["selector"], labels)
        self.assert_selects(self.daemon_set["spec"]["selector"]["matchLabels"], labels)

    def test_every_no_schedule_taint_is_tolerated(self):
        self.assertIn({"operator": "Exists", "effect": "NoSchedule"}, self.pod["spec"]["tolerations"])
        self.assertEqual(self.pod["spec"]["nodeSelector"], {"npu": "true"})

    def test_the_container_is_what_the_kernel_driver_demands(self):
        context = self.container["securityContext"]
        self.assertIs(context["privileged"], True)
        self.assertEqual(context["runAsUser"], 0)
        self.assertNotIn("capabilities", context)
        self.assertIs(self.pod["spec"]["hostPID"], True)

    def test_only_the_state_is_written_to_the_host(self):
        (argument,) = (word for word in self.container["args"] if "--path.state" in word)
        state = argument.removeprefix("--path.state=")
        writable = [mount for mount in self.container["volumeMounts"] if not mount.get("readOnly")]
        self.assertEqual([mount["mountPath"] for mount in writable], [state])
        volumes = {volume["name"]: volume["hostPath"] for volume in self.pod["spec"]["volumes"]}
        volume = volumes[writable[0]["name"]]
        self.assertEqual(volume, {"path": state, "type": "DirectoryOrCreate"})

    def test_every_mount_of_the_driver_is_read_only_and_follows_the_host(self):
        mounts = {
            mount["mountPath"]: mount
            for mount in self.container["volumeMounts"]
            if mount["mountPath"].startswith("/host")
        }
        self.assertEqual(set(mounts), {"/host/usr/local", "/host/etc"})
        for mount in mounts.values():
            self.assertIs(mount["readOnly"], True, mount)
            self.assertEqual(mount["mountPropagation"], "HostToContainer", mount)

    def test_no_volume_makes_the_pod_wait_or_leaves_a_folder_of_the_driver_on_the_host(self):
        for volume in self.pod["spec"]["volumes"]:
            if volume["name"] != "state":
                self.assertEqual(set(volume["hostPath"]), {"path"}, volume)

    def test_no_device_is_listed(self):
        paths = [volume["hostPath"]["path"] for volume in self.pod["spec"]["volumes"]]
        paths += [mount["mountPath"] for mount in self.container["volumeMounts"]]
        self.assertFalse([path for path in paths if path.startswith("/dev")])
        resources = self.container["resources"]
        self.assertEqual(resources, {"requests": {"cpu": "10m", "memory": "32Mi"}})

    def test_the_pod_asks_the_api_server_for_nothing(self):
        self.assertIs(self.pod["spec"]["automountServiceAccountToken"], False)

    def test_probes_ask_the_pages_of_the_exporter(self):
        for probe, path in (("livenessProbe", "/-/healthy"), ("readinessProbe", "/-/ready")):
            get = self.container[probe]["httpGet"]
            self.assertEqual(get, {"path": path, "port": "metrics"})


class UnitFileTest(unittest.TestCase):
    UNIT = DEPLOY / "systemd" / "ascend-exporter.service"
    # Options that give the service a mount namespace or take capabilities: in one the kernel driver
    # shows no chips.
    HIDING = (
        "Private", "Protect", "ReadOnlyPaths", "ReadWritePaths", "InaccessiblePaths", "ExecPaths",
        "NoExecPaths", "BindPaths", "BindReadOnlyPaths", "TemporaryFileSystem", "RootDirectory",
        "RootImage", "MountImages", "MountAPIVFS", "MountFlags", "DynamicUser", "ExtensionImages",
        "CapabilityBoundingSet", "DeviceAllow", "DevicePolicy", "User", "RuntimeDirectory",
        "CacheDirectory", "LogsDirectory", "LogNamespace",
    )  # fmt: skip

    def setUp(self):
        lines = self.UNIT.read_text(encoding="utf-8").splitlines()
        settings = [line.partition("=") for line in lines if "=" in line and line[0] != "#"]
        self.settings = {name: value for name, _, value in settings}

    def test_the_unit_keeps_the_hosts_view_of_the_chips(self):
        self.assertIn("ExecStart", self.settings)
        self.assertFalse([name for name in self.settings if name.startswith(self.HIDING)])
        # A folder that is made is no namespace, one that is mounted read-only (":ro") or linked is.
        self.assertRegex(self.settings["StateDirectory"], r"^[a-z-]+$")

    def test_the_state_is_kept_in_the_folder_that_systemd_makes(self):
        folder = "/var/lib/" + self.settings["StateDirectory"]
        self.assertIn(f"--path.state={folder} ", self.settings["ExecStart"])

    def test_the_child_that_serves_may_tell_of_itself(self):
        self.assertEqual(self.settings["Type"], "notify")
        self.assertEqual(self.settings["NotifyAccess"], "all")
        self.assertGreaterEqual(int(self.settings["WatchdogSec"]), 10)

    def test_signals_go_to_the_main_process_alone(self):
        self.assertEqual(self.settings["KillMode"], "mixed")
        self.assertEqual(self.settings["ExecReload"], "/bin/kill -HUP $MAINPID")


class ProgramsTest(unittest.TestCase):
    """Every program that is built is installed, since they start each other."""

    def setUp(self):
        lists = "".join(
            path.read_text(encoding="utf-8") for path in (ROOT / "exporter").rglob("CMakeLists.txt")
        )
        self.programs = set(re.findall(r"add_executable\((ascend-exporter[a-z-]*)", lists))
        self.assertEqual(len(self.programs), 5)

    def test_by_the_image(self):
        text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"/build/(ascend-exporter[a-z-]*)", text)), self.programs)

    def test_by_the_steps_for_systemd(self):
        text = (DEPLOY / "README.md").read_text(encoding="utf-8")
        steps = text.partition("\nfor program in ")[2].partition("; do")[0]
        self.assertEqual(set(steps.replace("\\", " ").split()), self.programs)


if __name__ == "__main__":
    unittest.main()
