"""Huawei's names beside ours, and the comparison with a stand-in for Huawei's exporter."""

import http.server
import re
import socket
import struct
import subprocess
import threading
import unittest

from harness import PATIENCE, Exporter, Page, TestCase, run
from stand_ins import FakeLibrary, Scenario, load

EITHER = r"serving the npu-exporter's names on http://([^/\s]+)/metrics"
ON = ["--collectors.enable=hccs_bandwidth", "--collectors.enable=pcie_bandwidth",
      "--collectors.enable=network_bandwidth"]


def float32(value):
    """What is left of a decimal in a 32-bit float."""
    return struct.unpack("f", struct.pack("f", value))[0]


class Vendor:
    """Serves one text at /metrics, as the npu-exporter does; a status other than 200 elsewhere."""

    def __init__(self, body):
        body = body if isinstance(body, bytes) else body.encode("utf-8")

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802: http.server's name
                self.send_response(200 if self.path == "/metrics" else 404)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass  # who asked has seen enough

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/metrics"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def as_the_vendor_prints(text):
    """A page of ours with what the npu-exporter does to it: 32-bit floats, timestamps, a family
    that stands twice, -1 for what it cannot read, names that are not served here."""
    lines = []
    for line in text.splitlines():
        if line.startswith("#"):
            lines.append(line)
            continue
        series, value = line.rsplit(" ", 1)
        if re.match(r"npu_chip_info_(power|voltage)\{", series):
            value = repr(float32(float(value)))
        stamp = "" if series.startswith("machine_") else " 1723621883587"
        lines.append(f"{series} {value}{stamp}")
        if series.startswith("npu_chip_info_rx_ecn_num"):
            lines.append(lines[-1])
        if series.startswith("npu_chip_info_name") and 'id="0"' in series:
            chip = series.replace("npu_chip_info_name", "").replace("name=", "model_name=", 1)
            lines += [f"npu_chip_info_hccs_statistic_info_tx_cnt_0{chip} -1 1723621883587",
                      f"npu_chip_info_hbm_ecc_single_bit_isolated_pages_cnt{chip} 0 1723621883587"]
    return "\n".join(lines) + "\n"


class CompatTest(TestCase):
    def start(self):
        scenario = Scenario(self.folder, "fleet:8")
        return Exporter(*scenario.flags, "--compat.path=/metrics/huawei",
                        "--compat.listen-address=127.0.0.1:0", *ON)

    def text(self, exporter):
        """The page with Huawei's names, complete."""
        families = ("ascend_npu_voltage_volts", "ascend_npu_network_health_state",
                    "ascend_npu_pcie_transmit_bandwidth_bytes_per_second",
                    "ascend_npu_network_transmit_bandwidth_bytes_per_second")
        exporter.wait_for(lambda page: all(len(page.devices(name)) == 8 for name in families))
        return exporter.get("/metrics/huawei").body.decode("utf-8")

    def compare(self, their_url, exporter, *flags):
        done = run("compare", their_url, "--with", f"http://{exporter.address}/metrics", *flags)
        return done.returncode, done.stdout + done.stderr


class PageTest(CompatTest):
    def test_both_ways_serve_the_same_page_that_parsers_accept(self):
        with self.start() as exporter:
            own = exporter.wait_for_log(EITHER).group(1)
            text = self.text(exporter)
            done = subprocess.run(["curl", "-sf", f"http://{own}/metrics"], text=True,
                                  capture_output=True, timeout=PATIENCE, check=True)
            same = Page(done.stdout).names()
            reply = exporter.get("/metrics/huawei")
            for path in ("compat", "/metrics/huawei"):  # what was asked is counted
                exporter.wait_for(lambda page, path=path: page.value(
                    "ascend_exporter_http_requests_total", code="200", path=path))
        page = Page(text)  # refuses a series that stands twice
        self.assertEqual(page.names(), same)
        self.assertEqual(reply.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        said = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertNotIn("error while linting", said.stderr)
        self.assertNotIn("parsing error", said.stderr)
        for name in ("machine_npu_nums", "node_base_info", "npu_chip_info_power",
                     "npu_chip_info_hccs_bandwidth_info_total_tx", "npu_chip_link_speed",
                     "npu_chip_info_pcie_rx_p_bw", "npu_chip_info_bandwidth_tx",
                     "npu_chip_roce_rx_all_pkt_num", "npu_chip_optical_rx_power_3"):
            self.assertIn(name, page.names())
        self.assertNotIn("ascend_", re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
                         .replace("ascend-exporter", ""))

    def test_values_are_those_that_the_library_gave(self):
        library = FakeLibrary(self.folder, "16x910c")
        chips = load("16x910c")["chips"]
        with Exporter(*library.flags, "--compat.path=/metrics/huawei",
                      env=library.env) as exporter:
            exporter.wait_for(lambda page: len(page.family("ascend_npu_voltage_volts")) == 16)
            page = Page(exporter.get("/metrics/huawei").body.decode("utf-8"))
        temperatures = {labels["id"]: value
                        for labels, value in page.family("npu_chip_info_temperature")}
        for chip in chips:
            self.assertEqual(temperatures[str(chip["device"])], chip["temperature_celsius"])
        self.assertEqual(page.value("machine_npu_nums"), 16)
        self.assertEqual(page.value("machine_card_nums"), 8)

    def test_is_off_unless_asked_for(self):
        with Exporter(*Scenario(self.folder, "8x910b").flags) as exporter:
            self.assertEqual(exporter.get("/metrics/huawei").status, 404)
            self.assertNotIn("npu-exporter", exporter.log)

    def test_an_address_that_is_taken_ends_the_program_with_one_line(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            done = run(*Scenario(self.folder, "8x910b").flags, "--web.listen-address=127.0.0.1:0",
                       f"--compat.listen-address={address}")
        self.assertEqual(done.returncode, 1)
        self.assertIn(address, done.stderr.splitlines()[-1])


class CompareTest(CompatTest):
    def test_explains_all_that_the_npu_exporter_does_otherwise(self):
        with self.start() as exporter, Vendor(as_the_vendor_prints(self.text(exporter))) as vendor:
            status, report = self.compare(vendor.url, exporter)
        self.assertEqual(status, 0, report)
        self.assertIn("differences without an explanation: 0\n", report)
        for words in ("samples there carry a timestamp", "their 32-bit float",
                      "npu_chip_info_rx_ecn_num (devices 0, 1, 2, 3, 4, 5, 6, 7): 2 times there",
                      "-1 is the npu-exporter's word", "The driver never fills this field"):
            self.assertIn(words, report)

    def test_a_value_that_is_wrong_is_named_and_sets_the_status(self):
        with self.start() as exporter:
            text = re.sub(r"(npu_chip_info_hbm_total_memory\{[^}]*id=\"3\"[^}]*\}) \S+", r"\1 4711",
                          self.text(exporter))
            with Vendor(text) as vendor:
                status, report = self.compare(vendor.url, exporter)
        self.assertEqual(status, 1, report)
        self.assertIn("differences without an explanation: 1\n"
                      "  device 3: npu_chip_info_hbm_total_memory 4711 there, 65536 here: they "
                      "should be the same\n", report)

    def test_a_chip_that_is_missing_here_is_named(self):
        more = 'npu_chip_info_power{id="99"} 5\n'
        with self.start() as exporter, Vendor(self.text(exporter) + more) as vendor:
            status, report = self.compare(vendor.url, exporter)
        self.assertEqual(status, 1)
        self.assertIn("  device 99 is only there: this program does not know it\n", report)

    def test_asks_the_first_listen_address_unless_it_is_told_another(self):
        with self.start() as exporter, Vendor(self.text(exporter)) as vendor:
            done = run("compare", vendor.url, f"--web.listen-address={exporter.address}")
            with_their_names = run("compare", vendor.url, "--with",
                                   f"http://{exporter.address}/metrics/huawei")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"here: http://{exporter.address}/metrics,", done.stdout)
        self.assertEqual(with_their_names.returncode, 0, with_their_names.stdout)

    def test_what_cannot_be_read_is_named_with_status_2(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{free.getsockname()[1]}/metrics"
        done = run("compare", nobody)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{nobody}: Connection refused", done.stderr)
        pages = {b"<html>": "not a metrics page", b"": "it has no series",
                 b"\0\xff\n" * 1000: "not a metrics page",
                 b"x" * (17 << 20): "body limit exceeded",
                 b"a 1\n" * 600_000: "more than 500000 series"}
        for body, words in pages.items():
            with self.subTest(words=words), Vendor(body) as vendor:
                done = run("compare", vendor.url)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertIn(words, done.stderr)

    def test_needs_no_driver_and_prints_the_table(self):
        for language, words in (("en", "Switch in an afternoon"), ("zh", "一个下午完成切换")):
            done = run("migration", f"--language={language}")
            self.assertEqual(done.returncode, 0)
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main()
