# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of reports, and data frames as facts: python3 test_notebook.py, as test_kdiag.py."""

import json
import os
import re
import unittest
from html.parser import HTMLParser
from unittest import mock

import kdiag

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
HOSTILE = "</td><script>alert(1)</script><img src=x onerror='alert(1)'>\"'&\u202e\u200b\x1b[2J"
TAGS = {"b", "br", "code", "details", "div", "p", "path", "pre", "rect", "summary", "svg", "table", "td", "text", "th",
        "title", "tr"}


class Fragment(HTMLParser):
    """The tags, attributes and texts of a fragment. Fails where a tag is not closed in order."""

    def __init__(self, fragment):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], set(), [], []
        self.feed(fragment)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


def hostile_trace(count=1):
    """A device that waits for a host whose every name is hostile."""
    events = [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": step * 1000, "dur": 1000}
              for step in range(10)]
    for number in range(100):
        at, name = number * 100, HOSTILE * count
        events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 95})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 1, "dur": 3,
                       "args": {"correlation": number}})
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at + 5, "dur": 5,
                       "args": {"device": 0, "stream": 7, "correlation": number}})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 1, "tid": 1, "ts": at + 6, "dur": 80})
    return json.dumps({"deviceProperties": [{"id": 0, "name": HOSTILE}], "traceEvents": events}).encode()


class Notebooks(unittest.TestCase):
    def check(self, fragment):
        found = Fragment(fragment)
        self.assertLessEqual(found.tags, TAGS)
        self.assertFalse([name for name, _ in found.attributes if name.startswith("on") or name in ("src", "href")])
        self.assertFalse(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", fragment))
        self.assertLess(len(fragment), 200_000)
        return " ".join(found.texts)

    def test_a_report(self):
        told = self.check(kdiag.diagnose(STORM)._repr_html_())
        for part in ("devices busy 28 %", "The host waits for the device in aten::item", "68 %", "host.sync-stall", "train.py:57"):
            self.assertIn(part, told)

    def test_a_comparison_says_its_verdict_first(self):
        told = self.check(kdiag.compare(STORM, STORM)._repr_html_())
        self.assertTrue(told.startswith("neutral"), told[:50])
        self.assertIn("cycle 3.39 ms", told)

    def test_a_plan(self):
        plan = kdiag.diagnose(STORM).plan
        self.assertEqual(plan.data["schema"], "kdiag.plan/1")
        told = self.check(plan._repr_html_())
        self.assertIn(plan.recordings[0]["command"], told)
        rules = kdiag.load_rules(text="kdiag: 1\nrules:\n- {rule: a.b, title: t, for_each: run, when: count(kernels) > 0}\n",
                                 builtin=False)
        self.assertIn("Nothing to record", self.check(kdiag.diagnose(STORM, rules).plan._repr_html_()))

    def test_names_of_traces_are_text_and_short(self):
        for count in (1, 2000):
            facts = kdiag.load(hostile_trace(count))
            report = kdiag.diagnose(facts)
            self.assertTrue(report.findings)
            fragments = [report._repr_html_(), report.plan._repr_html_(), kdiag.compare(facts, facts)._repr_html_()]
            if numpy is not None:
                fragments.append(report.timeline(facts)._repr_html_())
            for fragment in fragments:
                self.check(fragment)

    def test_many_findings_are_counted(self):
        data = json.loads(kdiag.diagnose(STORM).json)
        data["findings"] *= 500
        report = kdiag.diagnose(STORM)
        report.data = data
        self.assertIn("980 more", self.check(report._repr_html_()))


@unittest.skipIf(numpy is None, "without NumPy")
class Timelines(unittest.TestCase):
    def setUp(self):
        self.facts = kdiag.load(STORM)
        self.report = kdiag.diagnose(self.facts)

    def test_what_is_drawn(self):
        told = " ".join(Fragment(self.report.timeline(self.facts)._repr_html_()).texts)
        for part in ("host.sync-stall", "stream 7", "idle device 0", "blocking_call", "gemm", "20.4 ms"):
            self.assertIn(part, told)

    def test_a_finding_is_drawn_with_as_much_around_it(self):
        first, last = self.report.findings[0].raw["intervals"][0]
        part = self.report.timeline(self.facts, finding=0)
        self.assertEqual((part.begin_ns, part.end_ns), (first - (last - first) // 2, last + (last - first) // 2))

    def test_a_finding_is_of_its_run(self):
        with open(STORM, "rb") as storm:
            facts = kdiag.load({"other.json": hostile_trace(300), "storm.json": storm.read()})
        report = kdiag.diagnose(facts)
        runs = [one["id"] for one in report.runs]
        place, finding = next((i, one) for i, one in enumerate(report.findings) if one.run != runs[0] and one.raw["intervals"])
        told = " ".join(Fragment(report.timeline(facts, finding=place)._repr_html_()).texts)
        self.assertIn(finding.rule, told)
        with self.assertRaises(ValueError):
            report.timeline(facts, finding=place, run=0)

    def test_a_part_by_time(self):
        part = self.report.timeline(self.facts, from_ns=1_000_000, to_ns=3_000_000)
        self.assertEqual(part.end_ns - part.begin_ns, 2_000_000)
        with self.assertRaises(ValueError):
            self.report.timeline(self.facts, from_ns=5, to_ns=5)
        with self.assertRaises(TypeError):
            self.report.timeline(self.facts, finding=0, from_ns=5)

    def test_cover_is_that_of_the_union(self):
        from kdiag._timeline import _covered

        random = numpy.random.default_rng(7)
        for _ in range(50):
            starts = random.integers(0, 1000, 40)
            ends = starts + random.integers(0, 60, 40)
            edges = numpy.arange(0, 1001, 50)
            busy = numpy.zeros(1100, dtype=bool)
            for start, end in zip(starts, ends):
                busy[start:end] = True
            expected = [busy[a:b].mean() for a, b in zip(edges[:-1], edges[1:])]
            self.assertTrue(numpy.allclose(_covered((starts, ends), edges), expected))


class Frames(unittest.TestCase):
    DEVICES = {"id": [0], "name": ["NVIDIA A100-SXM4-80GB"]}

    @unittest.skipIf(pandas is None, "without pandas")
    def test_facts_go_to_frames_and_back(self):
        facts = kdiag.load(STORM)
        frames = {name: facts[name].to_pandas() for name in facts if name != "notes"}
        again = kdiag.from_frames(frames, kdiag.RunInfo(clock="unix_ns"))
        self.assertEqual(again.inputs[0]["notes"], [])
        self.assertEqual([(one.rule, one.impact_ns) for one in kdiag.diagnose(again).findings],
                         [(one.rule, one.impact_ns) for one in kdiag.diagnose(facts).findings])
        self.assertTrue(again["kernels"].to_pandas()["start"].equals(frames["kernels"]["start"]))

    @unittest.skipIf(pandas is None, "without pandas")
    def test_what_is_missing_in_a_frame_is_not_known(self):
        kernels = pandas.DataFrame({"name": ["a", None], "start": [0, 5000], "dur": pandas.array([1000, pandas.NA], dtype="Int64"),
                                    "device": [0, 0], "occupancy": [0.5, float("nan")]})
        facts = kdiag.from_frames({"kernels": kernels, "devices": pandas.DataFrame(self.DEVICES), "copies": pandas.DataFrame()})
        self.assertEqual(facts.inputs[0]["notes"], [])
        self.assertTrue(facts["copies"].recorded)
        self.assertFalse(facts["memsets"].recorded)
        back = facts["kernels"].to_pandas()
        self.assertEqual(back["dur"].isna().tolist(), [False, True])
        self.assertEqual(back["occupancy"].isna().tolist(), [False, True])

    def test_columns_without_pandas(self):
        kernels = {"name": ["gemm"] * 3, "start": [0, 10, 20], "dur": [5, 5, None], "device": [0, 0, 0]}
        facts = kdiag.from_frames({"devices": self.DEVICES, "kernels": kernels}, kdiag.RunInfo(clock="device", label="mine"))
        self.assertEqual(facts.query("sum(kernels, dur)")["low"], 10)
        self.assertEqual(facts.query("count(kernels)")["value"], 3)

    def test_nan_in_lists_is_not_known(self):
        nan = float("nan")
        facts = kdiag.from_frames({"devices": self.DEVICES,
                                   "kernels": {"name": ["a", nan], "start": [0, 10], "dur": [5, nan], "device": [0, 0]},
                                   "api": {"name": ["wait", "wait"], "start": [0, 10], "dur": [1, 1], "is_sync": [True, nan]}})
        self.assertEqual(facts.query("count(kernels where name is known)")["value"], 1)
        self.assertEqual(facts.query("count(kernels where dur is known)")["value"], 1)
        self.assertEqual(facts.query("count(api where is_sync is known)")["value"], 1)

    def test_mistakes_are_errors(self):
        def refused(error, frames):
            with self.assertRaises(error) as raised:
                kdiag.from_frames(frames)
            return str(raised.exception)

        self.assertIn("no table 'kernel'", refused(KeyError, {"kernel": {}}))
        self.assertIn("no column 'duration'", refused(KeyError, {"kernels": {"duration": [1]}}))
        self.assertIn("kernels.dur", refused(ValueError, {"kernels": {"dur": [1.5]}}))
        self.assertIn("no exact", refused(ValueError, {"kernels": {"start": [1.7e18]}}))
        self.assertIn("kernels.dur", refused(ValueError, {"kernels": {"dur": [float("inf")]}}))
        self.assertIn("kernels.dur", refused(ValueError, {"kernels": {"dur": ["soon"]}}))
        self.assertIn("kernels.start has 1 values, and kernels.dur has 2", refused(ValueError, {"kernels": {"start": [1], "dur": [1, 2]}}))

    def test_what_is_not_installed_is_said(self):
        def missing(name):
            raise ImportError(name)

        facts = kdiag.load(STORM)
        with mock.patch("importlib.import_module", missing):
            for call in (facts["kernels"].to_pandas, lambda: facts["kernels"]["dur"],
                         lambda: kdiag.diagnose(facts).timeline(facts)):
                with self.assertRaisesRegex(ImportError, r"kdiag.* needs numpy: pip install 'kdiag\[arrays\]'"):
                    call()


if __name__ == "__main__":
    unittest.main()
