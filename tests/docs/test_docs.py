"""Documents, rules and manifests held against the program and against each other.

ASCEND_EXPORTER is the program; ASCEND_METRICS_FILE the list of metrics, METRICS.md unless it is set.
"""

import os
import pathlib
import re
import subprocess
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
METRICS = pathlib.Path(os.environ.get("ASCEND_METRICS_FILE") or ROOT / "METRICS.md")
PROGRAM = os.environ.get("ASCEND_EXPORTER") or ROOT / "build" / "release" / "ascend-exporter"
README = ROOT / "README.md"
README_ZH = ROOT / "README.zh-CN.md"
RUN_SECONDS = 60

FENCE = re.compile(r"^```[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\bascend_(?:npu|exporter)_[a-z0-9_]*")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
PARTS_OF_A_HISTOGRAM = ("_bucket", "_sum", "_count")


def read(path):
    return path.read_text(encoding="utf-8")


def files(*patterns):
    """Files of the project that match, without those that a build made."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(path for path in found if "build" not in path.relative_to(ROOT).parts)


def documents():
    return files("*.md", "docs/**/*.md", "deploy/**/*.md", "alerts/**/*.md", "dashboards/**/*.md",
                 "bench/**/*.md")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def documented_metrics():
    return set(re.findall(r"^\| `([a-z0-9_]+)` \|", read(METRICS), re.MULTILINE))


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    texts = (text for _, text in HEADING.findall(FENCE.sub("", read(path))))
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in texts}


class NamesTest(unittest.TestCase):
    def is_known(self, name, metrics):
        if name.endswith("_"):  # `ascend_npu_*` means all that begin so
            return any(metric.startswith(name) for metric in metrics)
        wholes = [name.removesuffix(part) for part in PARTS_OF_A_HISTOGRAM if name.endswith(part)]
        return any(whole in metrics for whole in [name, *wholes])

    def test_every_metric_that_is_named_exists(self):
        metrics = documented_metrics()
        self.assertIn("ascend_npu_up", metrics)
        for path in sorted({*documents(), *files("docs/**/*", "alerts/**/*", "deploy/**/*",
                                                 "dashboards/**/*")}):
            for name in sorted(set(NAME.findall(read(path)))):
                with self.subTest(file=str(path.relative_to(ROOT)), metric=name):
                    self.assertTrue(self.is_known(name, metrics))

    def test_every_state_of_the_driver_is_explained(self):
        row = next(line for line in read(METRICS).splitlines()
                   if line.startswith("| `ascend_exporter_driver_state` |"))
        states = set(re.search(r"`state`: ([a-z_, ]+) \|", row).group(1).split(", "))
        section = read(ROOT / "docs" / "troubleshooting.md")
        section = section.partition("## States of the driver")[2].partition("\n## ")[0]
        self.assertEqual(set(re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE)), states)

    def test_every_test_that_is_named_exists(self):
        sources = "".join(read(path) for path in files("tests/**/*_test.cc"))
        for path in documents():
            for name in re.findall(r"`ctest -R (\w+)`", read(path)):
                with self.subTest(file=path.name, test=name):
                    self.assertIn(name, sources)


class LinksTest(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        for path in documents():
            for target in LINK.findall(without_code(read(path))):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = urllib.parse.unquote(target).partition("#")
                goal = (path.parent / file).resolve() if file else path
                with self.subTest(file=str(path.relative_to(ROOT)), link=target):
                    self.assertTrue(goal.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(goal))


class ReadmesTest(unittest.TestCase):
    def assert_same(self, part):
        self.assertEqual(part(read(README)), part(read(README_ZH)))

    def test_both_have_the_same_code(self):
        self.assertTrue(FENCE.findall(read(README)))
        self.assert_same(FENCE.findall)
        self.assert_same(lambda text: sorted(re.findall(r"`ctest [^`]*`", text)))

    def test_both_have_the_same_sections(self):
        self.assert_same(lambda text: [len(marks) for marks, _ in
                                       HEADING.findall(FENCE.sub("", text))])

    def test_both_have_the_same_tables(self):
        self.assert_same(lambda text: [row.count("|") for row in TABLE_ROW.findall(text)])

    def test_both_link_to_the_same_files_and_to_each_other(self):
        languages = {README.name, README_ZH.name}
        self.assert_same(lambda text: [link for link in LINK.findall(text)
                                       if link not in languages])
        self.assertIn(f"]({README_ZH.name})", read(README).partition("\n## ")[0])
        self.assertIn(f"]({README.name})", read(README_ZH).partition("\n## ")[0])

    def test_the_page_that_is_shown_is_what_the_program_prints(self):
        command, shown = next(
            (words.split(), lines)
            for words, lines in zip(FENCE.findall(read(README)), FENCE.findall(read(README))[1:])
            if " simulate " in words)
        printed = subprocess.run([str(PROGRAM), *command[1:]], capture_output=True, text=True,
                                 timeout=RUN_SECONDS, check=True).stdout.splitlines()
        self.assertEqual([line for line in shown.splitlines() if line not in printed], [])


if __name__ == "__main__":
    unittest.main()
