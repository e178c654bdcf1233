# SPDX-License-Identifier: Apache-2.0
"""The Python package on the traces of the examples: python3 test_kdiag.py, with KDIAG_EXAMPLES, KDIAG_LIBRARY set."""

import gc
import json
import os
import threading
import unittest

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
LOSS_READS = os.path.join(EXAMPLES, "rules", "loss_reads.yaml")


class Diagnosis(unittest.TestCase):
    def test_findings_are_dataclasses(self):
        report = kdiag.diagnose(STORM)
        first = report.findings[0]
        self.assertEqual(first.rule, "host.sync-stall")
        self.assertEqual(first.severity, "critical")
        self.assertGreater(first.impact_ns, 0)
        self.assertIsInstance(first.recommendations[0], kdiag.Recommendation)
        self.assertEqual(first.symptoms[0].rule, "gpu.low-utilization")
        self.assertEqual(report.tally["fired"], sum(1 for o in report.data["outcomes"] if o["outcome"] == "fired"))

    def test_a_report_in_every_form(self):
        report = kdiag.diagnose(STORM)
        self.assertEqual(json.loads(report.json)["schema"], "kdiag.report/1")
        self.assertTrue(str(report).startswith("kdiag "))
        self.assertIn("host.sync-stall", report.markdown)
        self.assertEqual(json.loads(report.sarif)["version"], "2.1.0")
        page = report._repr_html_()
        self.assertIn("<td>host.sync-stall</td>", page)

    def test_sources_of_a_trace_and_rules(self):
        with open(STORM, "rb") as file:
            content = file.read()
        rules = kdiag.load_rules(LOSS_READS)
        expected = kdiag.diagnose(STORM, rules).data["findings"]
        self.assertEqual(kdiag.diagnose(kdiag.load(STORM), [LOSS_READS]).data["findings"], expected)
        self.assertEqual(kdiag.diagnose(content, rules).data["findings"], expected)
        self.assertEqual(kdiag.diagnose([STORM], rules, threads=1).data["findings"], expected)
        self.assertIn("training.loss-reads", [rule.id for rule in rules])

    def test_part_of_a_run(self):
        facts = kdiag.load(STORM, steps=(12, 13))
        self.assertLess(facts.query("run.wall")["value"], kdiag.load(STORM).query("run.wall")["value"])

    def test_rules_of_text_and_settings(self):
        rules = kdiag.load_rules(
            text="kdiag: 1\nrules:\n- {rule: a.b, title: t, for_each: run, when: count(kernels) > 0,"
                 " impact: 'sum(kernels, dur)'}\n",
            builtin=False)
        self.assertEqual([finding.rule for finding in kdiag.diagnose(STORM, rules).findings], ["a.b"])

    def test_explaining(self):
        rules = kdiag.load_rules()
        self.assertIn("host.sync-stall", kdiag.load(STORM).explain("host.sync-stall", rules))
        self.assertIn("blocking", rules.describe("host.sync-stall"))


class Comparison(unittest.TestCase):
    def test_a_run_is_like_itself(self):
        report = kdiag.compare(STORM, kdiag.load(STORM))
        self.assertEqual(report.comparison["verdict"], "neutral")
        self.assertIsNone(kdiag.diagnose(STORM).comparison)

    def test_a_baseline(self):
        report = kdiag.diagnose(STORM, baseline=STORM)
        self.assertEqual([run["role"] for run in report.runs], ["subject", "baseline"])
        facts = kdiag.load(STORM)
        self.assertEqual(facts.query("delta(count(kernels))", baseline=facts)["value"], 0)


class Errors(unittest.TestCase):
    def test_mistakes_say_where_they_are(self):
        with self.assertRaises(kdiag.RulesError) as caught:
            kdiag.load_rules(text="kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  when: cuont(kernels) > 1\n")
        self.assertEqual((caught.exception.diagnostics[0].line, caught.exception.diagnostics[0].column), (5, 9))
        self.assertIn("did you mean 'count'?", str(caught.exception))
        with self.assertRaises(kdiag.InputError):
            kdiag.diagnose("no/such/file")
        with self.assertRaises(kdiag.RulesError):
            kdiag.load(STORM).query("sum(kernels)")
        with self.assertRaises(kdiag.RulesError):
            kdiag.load(STORM).explain("no.rule", kdiag.load_rules())

    def test_limits(self):
        with self.assertRaises(kdiag.LimitExceeded):
            kdiag.load(STORM, max_rows=3)


class Threads(unittest.TestCase):
    def test_facts_and_rules_are_shared(self):
        facts, rules = kdiag.load(STORM), kdiag.load_rules()
        reports = []
        workers = [threading.Thread(target=lambda: reports.append(kdiag.diagnose(facts, rules).json)) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(reports), 8)
        self.assertEqual(len(set(reports)), 1)


@unittest.skipIf(numpy is None, "without NumPy")
class Arrays(unittest.TestCase):
    def test_columns_are_views_that_keep_their_memory(self):
        facts = kdiag.load(STORM)
        durations = facts["kernels"]["dur"]
        again = facts["kernels"]["dur"]
        self.assertEqual(durations.ctypes.data, again.ctypes.data)
        self.assertEqual(durations.dtype, numpy.int64)
        self.assertEqual(int(durations.sum()), facts.query("sum(kernels, dur)")["value"])
        with self.assertRaises(ValueError):
            durations[0] = 1
        total = int(durations.sum())
        del facts, again
        gc.collect()
        self.assertEqual(int(durations.sum()), total)

    def test_texts_and_missing_columns(self):
        kernels = kdiag.load(STORM)["kernels"]
        self.assertIsInstance(kernels["name"][0], str)
        self.assertEqual(len(kernels["name"]), kernels.rows)
        self.assertEqual(len(set(kernels.codes("name"))), len(set(kernels["name"])))
        self.assertNotIn("tensor_util", list(kernels))
        with self.assertRaises(KeyError):
            kernels["tensor_util"]
        with self.assertRaises(KeyError):
            kernels["duration"]
        with self.assertRaises(KeyError):
            kdiag.load(STORM)["kernls"]
        self.assertIn("<th>dur</th>", kernels._repr_html_())

    def test_absent_values_are_masked(self):
        ops = kdiag.load(STORM)["ops"]
        masked = ops.column("parent", masked=True)
        self.assertTrue(masked.mask.any())
        self.assertEqual(int(masked.mask.sum()), int((ops["parent"] == ops.absent(ops["parent"].dtype)).sum()))

    @unittest.skipIf(pandas is None, "without pandas")
    def test_data_frames(self):
        frame = kdiag.load(STORM)["kernels"].to_pandas()
        self.assertEqual(len(frame), kdiag.load(STORM)["kernels"].rows)


if __name__ == "__main__":
    unittest.main()
