"""Missing drivers, broken files and wrong flags: the exporter says what is wrong in one line, and
lives where a restart would not help."""

import os
import pathlib
import shutil
import signal
import socket
import stat
import unittest

from harness import PATIENCE, Exporter, TestCase, poll, program_for_everyone, run
from stand_ins import FAKE_DCMI, FakeLibrary, FakeTool, Scenario

NOBODY = 65534
KILLED_WITHIN = 5.0  # seconds
RECOVERY = 60.0  # seconds; attempts are 1, 2, 4 ... seconds apart
STATE = "ascend_exporter_driver_state"


def runs(pid):
    """Whether the process exists and is more than its exit status."""
    try:
        status = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def end(pid):
    """Whatever the program under test left behind."""
    if runs(pid):
        os.kill(pid, signal.SIGKILL)


def give_library(source, target):
    """Puts a library in its place at once."""
    new = target.with_name("new.so")
    shutil.copyfile(source, new)
    os.replace(new, target)


class DriverTest(TestCase):
    def setUp(self):
        super().setUp()
        self.library = self.folder / "libdcmi.so"
        self.tool = FakeTool(self.folder, "8x910b")
        self.data = FakeLibrary(self.folder, "8x910b", self.library)

    def exporter(self, *flags, **popen):
        return Exporter(*flags, **{"env": self.data.env} | popen)

    def auto(self):
        return self.exporter("--driver=auto", f"--dcmi.library={self.library}",
                             "--dcmi.allow-untrusted-library", f"--npu-smi.path={self.tool.path}")

    def take_tool_away(self):
        hidden = self.tool.path.with_name("hidden")
        os.replace(self.tool.path, hidden)
        return hidden

    def assert_lives_without(self, exporter, state, *log):
        """It serves, says why it has no devices, and shows none."""
        page = exporter.wait_for(lambda page: page.state() is not None)
        self.assertEqual(page.state(), state)
        self.assertEqual(page.value("ascend_exporter_driver_up"), 0)
        self.assertEqual(sum(value for _, value in page.family(STATE)), 1)
        self.assertEqual(page.devices("ascend_npu_up"), set())
        self.assertEqual({value for _, value in page.family("ascend_npu_devices")}, {0})
        self.assert_accepted(page)
        for path in ("/", "/-/healthy", "/-/ready"):
            self.assertEqual(exporter.get(path).status, 200, path)
        for part in log:
            self.assertIn(part, exporter.log)
        return page

    def assert_recovers(self, exporter, backend):
        page = exporter.wait_for(lambda page: len(page.devices("ascend_npu_temperature_celsius"))
                                 == 8, within=RECOVERY)
        self.assertEqual(page.state(), "ok")
        self.assertEqual(page.value("ascend_exporter_driver_up"), 1)
        ((labels, _),) = page.family("ascend_npu_driver_info")
        self.assertEqual(labels["backend"], backend)
        return page


class MissingDriverTest(DriverTest):
    def test_neither_library_nor_tool_is_library_not_found_and_never_a_simulation(self):
        self.take_tool_away()
        with self.auto() as exporter:
            page = self.assert_lives_without(exporter, "library_not_found", str(self.library),
                                             str(self.tool.path))
            self.assertEqual(page.family("ascend_npu_driver_info"), [])
            self.assertEqual(page.value("ascend_exporter_driver_refused_info", backend="npu_smi",
                                        state="tool_not_found"), 1)

    def test_the_library_is_used_as_soon_as_it_appears(self):
        self.take_tool_away()
        with self.auto() as exporter:
            self.assert_lives_without(exporter, "library_not_found")
            give_library(FAKE_DCMI, self.library)
            page = self.assert_recovers(exporter, "dcmi")
            self.assertIsNone(page.value("ascend_exporter_driver_refused_info", backend="dcmi",
                                         state="library_not_found"))

    def test_the_tool_is_used_as_soon_as_it_appears(self):
        hidden = self.take_tool_away()
        with self.auto() as exporter:
            self.assert_lives_without(exporter, "library_not_found")
            os.replace(hidden, self.tool.path)
            page = self.assert_recovers(exporter, "npu_smi")
            self.assertEqual(page.value("ascend_exporter_driver_refused_info", backend="dcmi",
                                        state="library_not_found"), 1)

    def test_the_library_is_preferred_to_the_tool(self):
        give_library(FAKE_DCMI, self.library)
        with self.auto() as exporter:
            self.assert_recovers(exporter, "dcmi")
        self.assertEqual(self.tool.runs(), [])

    def test_a_library_without_a_required_function_is_symbol_missing(self):
        with self.exporter(*FakeLibrary(self.folder, "8x910b",
                                        FAKE_DCMI.parent / "broken" / "libdcmi.so").flags) as it:
            self.assert_lives_without(it, "symbol_missing", "dcmi_get_card_list")

    def test_a_library_without_optional_functions_tells_what_it_can(self):
        old = FakeLibrary(self.folder, "8x910b", FAKE_DCMI.parent / "old" / "libdcmi.so")
        with Exporter(*old.flags, env=old.env) as exporter:
            page = exporter.wait_for(lambda page: page.value("ascend_npu_devices", state="healthy")
                                     == 7)
            self.assertEqual(len(page.devices("ascend_npu_info")), 8)
            self.assertEqual(page.family("ascend_npu_temperature_celsius"), [])
            self.assertEqual({value for _, value
                              in page.family("ascend_exporter_collector_success")}, {1})
            self.assert_accepted(page)

    def test_a_library_that_others_could_change_is_refused_with_path_uid_and_mode(self):
        give_library(FAKE_DCMI, self.library)
        self.library.chmod(0o666)
        # The first step on the way that root alone does not rule.
        steps = [*reversed(self.library.parents), self.library]
        step = next(step for step in steps
                    if step.stat().st_uid != 0 or step.stat().st_mode & 0o022)
        found = f"{step} is owned by uid {step.stat().st_uid} and has mode " \
                f"{stat.S_IMODE(step.stat().st_mode):04o}"
        with self.exporter("--driver=dcmi", f"--dcmi.library={self.library}") as exporter:
            self.assert_lives_without(exporter, "library_rejected", str(self.library), found,
                                      "--dcmi.allow-untrusted-library")
        self.assertEqual(self.data.counts(), {})

    def test_a_file_that_is_no_library_is_init_failed(self):
        self.library.write_text("not a library\n", encoding="utf-8")
        with self.exporter(*self.data.flags) as exporter:
            self.assert_lives_without(exporter, "init_failed", str(self.library))
            give_library(FAKE_DCMI, self.library)
            self.assert_recovers(exporter, "dcmi")

    def test_a_library_whose_own_library_is_missing_names_it(self):
        folder = self.folder / "dependent"
        folder.mkdir()
        give_library(FAKE_DCMI.parent / "dependent" / "libdcmi.so", folder / "libdcmi.so")
        alone = FakeLibrary(self.folder, "8x910b", folder / "libdcmi.so")
        with self.exporter(*alone.flags) as exporter:
            self.assert_lives_without(exporter, "library_not_found", "libmmpa.so")
            give_library(FAKE_DCMI.parent / "dependent" / "libmmpa.so", folder / "libmmpa.so")
            self.assert_recovers(exporter, "dcmi")

    def test_a_driver_that_refuses_to_start_says_why(self):
        give_library(FAKE_DCMI, self.library)
        for code, state in ((-8005, ("init_failed", "not_admin", "device_node_denied")),
                            (-8020, ("device_in_use",)), (-8002, ("not_admin",)),
                            (-8255, ("init_failed",))):
            rule = f"rule dcmi_init * code {code}"
            self.data.add(rule)
            with self.subTest(code=code), self.exporter(*self.data.flags) as exporter:
                page = exporter.wait_for(lambda page: page.state() is not None)
                self.assertIn(page.state(), state)
                self.assert_lives_without(exporter, page.state(), "dcmi_init", str(code))
                self.data.remove(rule)
                self.assert_recovers(exporter, "dcmi")

    def test_a_machine_without_devices_is_no_devices(self):
        give_library(FAKE_DCMI, self.library)
        chips = [self.data.take_out(device) for device in range(8)]
        with self.exporter(*self.data.flags) as exporter:
            self.assert_lives_without(exporter, "no_devices", "dcmi_get_card_list")
            for lines in chips:
                self.data.put_back(*lines)
            self.assert_recovers(exporter, "dcmi")


class BrokenToolTest(DriverTest):
    def assert_tool_fails(self, script, state, *log):
        self.tool.script(script)
        with self.subTest(script=script), self.exporter(*self.tool.flags) as exporter:
            self.assert_lives_without(exporter, state, *log)

    def test_output_that_is_no_table_is_tool_failed(self):
        self.assert_tool_fails("echo garbage", "tool_failed", "garbage")
        self.assert_tool_fails("head -c 1000 /dev/zero", "tool_failed")
        self.assert_tool_fails("printf '\\377\\376\\033[31m'", "tool_failed")
        self.assert_tool_fails("exit 0", "tool_failed", "printed nothing")

    def test_a_failing_run_is_a_failure_even_with_a_table(self):
        text = self.tool.path.with_name("npu-smi.text")
        self.assert_tool_fails(f"cat {text}; exit 3", "tool_failed", "status 3")
        self.assert_tool_fails(f"cat {text}; kill -9 $$", "tool_failed", "signal 9")

    def test_a_loader_error_names_the_library(self):
        self.assert_tool_fails(
            "echo 'npu-smi: error while loading shared libraries: libdrvdsmi_host.so: cannot open "
            "shared object file' >&2; exit 127", "tool_failed", "libdrvdsmi_host.so")
        self.assert_tool_fails("exit 127", "tool_failed", "status 127")

    def test_what_the_tool_says_of_the_driver_is_the_state(self):
        self.assert_tool_fails("echo 'There is no NPU card on this server.'; exit 1", "no_devices")
        self.assert_tool_fails("echo 'dcmi module initialize failed. ret is -8005'; exit 1",
                               "init_failed", "-8005")
        self.assert_tool_fails("echo 'dcmi module initialize failed. ret is -8020'; exit 1",
                               "device_in_use")

    def test_a_tool_that_is_not_there_is_tool_not_found(self):
        self.take_tool_away()
        with self.exporter(*self.tool.flags) as exporter:
            self.assert_lives_without(exporter, "tool_not_found", str(self.tool.path))

    def test_a_tool_that_may_not_be_executed_is_tool_not_found(self):
        self.tool.path.chmod(0o644)
        with self.exporter(*self.tool.flags) as exporter:
            self.assert_lives_without(exporter, "tool_not_found", str(self.tool.path))

    def hang(self):
        """Makes the tool a script that hangs, with a child; returns where their pids appear."""
        pids = self.folder / "pids"
        self.tool.script(f"sleep 600 & echo $$ $! > {pids}.new; mv {pids}.new {pids}; wait")
        return pids

    def assert_stops_and_kills(self, exporter, pids):
        poll(pids.exists, PATIENCE, "the tool runs")
        started = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
        for pid in started:
            self.addCleanup(end, pid)
        exporter.stop()
        for pid in started:
            poll(lambda pid=pid: not runs(pid), KILLED_WITHIN, f"the tool's process {pid} ended")

    def test_sigterm_ends_the_first_run_of_a_tool_that_hangs(self):
        pids = self.hang()
        with self.exporter(*self.tool.flags) as exporter:
            self.assertEqual(exporter.get("/-/ready").status, 503)
            self.assert_stops_and_kills(exporter, pids)

    def test_sigterm_ends_a_later_run_of_a_tool_that_hangs(self):
        with self.exporter(*self.tool.flags) as exporter:
            self.assert_recovers(exporter, "npu_smi")
            self.assert_stops_and_kills(exporter, self.hang())

    def test_a_tool_that_is_mended_is_used(self):
        self.tool.script("exit 3")
        with self.exporter(*self.tool.flags) as exporter:
            self.assert_lives_without(exporter, "tool_failed")
            self.tool.script(f"cat {self.tool.path.with_name('npu-smi.text')}")
            self.assert_recovers(exporter, "npu_smi")


class OneLineTest(TestCase):
    """What ends the program at its start."""

    def assert_refused(self, arguments, *parts):
        done = run(*arguments)
        with self.subTest(arguments=arguments):
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"\Aascend-exporter: [^\n]+\n\Z")
            for part in parts:
                self.assertIn(part, done.stderr)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_flags_that_are_unknown_or_wrong(self):
        for arguments, *parts in (
                (["--no-such-flag"], "--no-such-flag"),
                (["--driver=cuda"], "--driver", "cuda", "dcmi"),
                (["--sampling.fast-period=1"], "--sampling.fast-period", "unit"),
                (["--sampling.fast-period=1ms"], "--sampling.fast-period", "10ms"),
                (["--web.listen-address=nonsense"], "--web.listen-address", "nonsense"),
                (["--web.telemetry-path=metrics"], "--web.telemetry-path"),
                (["--devices.expected=-1"], "--devices.expected"),
                (["fly"], "fly"),
                (["--config.file=/nowhere/at/all.yml"], "/nowhere/at/all.yml")):
            self.assert_refused(arguments, *parts)

    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assert_refused(["--driver=sim", f"--web.listen-address={address}"], address)

    def test_configuration_files_name_file_line_and_key(self):
        for text, line, *parts in (
                ("driver: sim\nsampling:\n  fast_perod: 1s\n", 3, "fast_perod", "fast_period"),
                ("sampling:\n  fast_period: 1\n", 2, "sampling.fast_period"),
                ("driver: [sim]\n", 1, "driver"),
                ("colour: red\n", 1, "colour"),
                ("driver: sim\ndriver: dcmi\n", 2, "driver"),
                ("web:\n  listen_address: []\n", 2, "web.listen_address"),
                ("driver: sim\n\tbroken: [\n", 2, "")):
            path = self.write("exporter.yml", text)
            self.assert_refused([f"--config.file={path}"], f"{path}:{line}: ", *parts)

    def test_scenarios_name_file_line_and_key(self):
        event = "machine: 8x910b\nevents:\n  - {at: 1s, device: 3, kind: temperature, "
        for text, line, *parts in (
                ("machine: 8x910b\nlaod: steady\n", 2, "laod"),
                ("machine: 8x910c\n", 1, "8x910c"),
                (event + "celcius: 95}\n", 3, "celcius"),
                (event + "celsius: hot}\n", 3, "celsius"),
                (event.replace("device: 3", "device: 30") + "celsius: 95}\n", 3, "30"),
                ("machine: 8x910b\nload: mad\n", 2, "load")):
            path = self.write("scenario.yaml", text)
            for command in ([], ["simulate"]):
                self.assert_refused([*command, "--driver=sim", "--web.listen-address=127.0.0.1:0",
                                     f"--sim.scenario={path}"], f"{path}:{line}: ", *parts)

    def test_a_scenario_that_does_not_exist(self):
        self.assert_refused(["--driver=sim", "--sim.scenario=9x910z"], "9x910z", "8x910b")
        self.assert_refused(["--driver=sim", "--sim.scenario=/nowhere.yaml"], "/nowhere.yaml")

    def test_a_configuration_file_is_obeyed_and_flags_win(self):
        scenario = Scenario(self.folder, "4x310p")
        path = self.write("exporter.yml", f"driver: sim\nsim: {{scenario: {scenario.path}}}\n"
                                          "web: {telemetry_path: /file}\n")
        with Exporter(f"--config.file={path}", "--web.telemetry-path=/flag") as exporter:
            self.assertEqual(exporter.get("/file").status, 404)
            self.assertIn(b"ascend_exporter_build_info", exporter.get("/flag").body)


class UserTest(TestCase):
    def test_a_user_that_is_not_root_is_named_and_served(self):
        popen = {}
        if os.geteuid() == 0:
            popen = {"user": NOBODY, "group": NOBODY, "extra_groups": [],
                     "program": program_for_everyone(self.folder)}
        uid = popen.get("user", os.geteuid())
        with Exporter("--driver=dcmi", f"--dcmi.library={self.folder}/libdcmi.so",
                      **popen) as exporter:
            exporter.wait_for_log(rf"\buid {uid}\b")
            self.assertEqual(exporter.get("/-/healthy").status, 200)
            page = exporter.wait_for(lambda page: page.state() is not None)
            self.assertEqual(page.state(), "library_not_found")

    def test_only_a_user_that_is_not_root_is_worth_a_line(self):
        with Exporter("--driver=dcmi", f"--dcmi.library={self.folder}/libdcmi.so") as exporter:
            exporter.wait_for(lambda page: page.state() is not None)
            self.assertEqual("running as uid" in exporter.log, os.geteuid() != 0)


if __name__ == "__main__":
    unittest.main()
