"""`parse`: the page for outputs of the vendor's tools that somebody pasted."""

import os
import subprocess
import unittest

from harness import PROGRAM, Page, TestCase
from stand_ins import load, npu_smi_text

MIB = 1024 * 1024


def parse(*files, text=None):
    return subprocess.run([PROGRAM, "parse", *map(str, files)], input=text, encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)


class ParseTest(TestCase):
    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_page_shows_what_the_table_shows(self):
        machine = load("8x910b")
        table = self.write("table.txt", npu_smi_text.render(machine))
        ran = parse(table)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("# npu-smi info: understood\n", ran.stdout)
        page = Page(ran.stdout)
        for chip in machine["chips"]:
            for family, value in (
                    ("ascend_npu_temperature_celsius", chip["temperature_celsius"]),
                    ("ascend_npu_power_watts", chip["power_watts"]),
                    ("ascend_npu_memory_used_bytes", chip["hbm"]["used_mib"] * MIB)):
                self.assertEqual(page.value(family, device=chip["device"]), value, family)
        self.assert_accepted(page)

    def test_several_outputs_come_in_one_paste_with_their_commands(self):
        table = npu_smi_text.render(load("8x910b"))
        paste = (f"root@node:~# npu-smi info\n{table}"
                 "root@node:~# npu-smi info -t ecc -i 3\n"
                 "\tNPU ID                                   : 3\n"
                 "\tChip Count                               : 1\n\n"
                 "\tHBM Single Bit Error Count               : 41\n"
                 "\tA Key Of Tomorrow                        : 5\n"
                 "\tChip ID                                  : 0\n"
                 "root@node:~# hccn_tool -i 3 -link -g\nlink status: DOWN\n")
        ran = parse("-", text=paste)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        page = Page(ran.stdout)
        self.assertEqual(page.value("ascend_npu_ecc_errors_total", device=3, memory="hbm",
                                    severity="single_bit"), 41)
        self.assertEqual(page.value("ascend_npu_network_up", device=3), 0)
        self.assertEqual(len(page.family("ascend_npu_network_up")), 1)
        self.assertIn("# npu-smi info -t ecc: 1 lines not understood\n#   A Key Of Tomorrow",
                      ran.stdout)

    def test_bad_input_gets_one_clear_line(self):
        for files, text, words in ((["/nonexistent"], None, "/nonexistent: cannot be opened"),
                                   (["-"], "", "there is no table of `npu-smi info`"),
                                   (["-"], "hello\n", "there is no table of `npu-smi info`"),
                                   ([], None, "parse: needs a file behind it")):
            with self.subTest(files=files, text=text):
                ran = parse(*files, text=text)
                self.assertEqual(ran.returncode, 1)
                self.assertIn(words, ran.stderr)
                self.assertEqual(ran.stderr.count("\n"), 1)

    def test_any_bytes_are_survived(self):
        noise = self.folder / "noise"
        noise.write_bytes(os.urandom(1 << 20))
        ran = subprocess.run([PROGRAM, "parse", noise], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertTrue(ran.stderr.startswith(b"ascend-exporter: there is no table"))


if __name__ == "__main__":
    unittest.main()
