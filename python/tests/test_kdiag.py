# SPDX-License-Identifier: Apache-2.0
"""The Python package on the traces of the examples: python3 test_kdiag.py, with KDIAG_EXAMPLES, KDIAG_LIBRARY set."""

import gc
import json
import os
import pathlib
import pickle
import tempfile
import threading
import unittest
from unittest import mock

import kdiag
from kdiag._abi import lib

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
UNUSED = ("kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  let: {unused: 1}\n  for_each: run\n"
          "  when: count(kernels) > 0\n  impact: run.wall\n")
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

    def test_what_it_cost(self):
        self.assertNotIn("timings", kdiag.diagnose(STORM).data)
        timings = kdiag.diagnose(STORM, timings=True).data["timings"]
        self.assertIn("host.sync-per-launch", [rule["name"] for rule in timings["by_rule"]])
        self.assertGreater(timings["judge"], 0)
        self.assertIn("timings", kdiag.compare(STORM, STORM, timings=True).data)

    def test_a_report_in_every_form(self):
        report = kdiag.diagnose(STORM)
        self.assertEqual(json.loads(report.json)["schema"], "kdiag.report/1")
        self.assertTrue(str(report).startswith("Verdict  GPU busy "))
        self.assertIn("host.sync-stall", report.markdown)
        self.assertEqual(json.loads(report.sarif)["version"], "2.1.0")
        self.assertTrue(report.html().startswith("<!doctype html>"))
        self.assertNotIn('"drawn": ', report.html())
        facts = kdiag.load(STORM)
        self.assertIn('"drawn": ', kdiag.diagnose(facts).html(facts))
        page = report._repr_html_()
        self.assertIn("host.sync-stall</td>", page)

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

    def test_warnings_of_rules(self):
        told = []
        rules = kdiag.load_rules(text=UNUSED, name="mine.yaml", builtin=False, threads=1,
                                 log=lambda *arguments: told.append(arguments))
        self.assertEqual([(found.level, found.source) for found in rules.warnings], [("warning", "mine.yaml")])
        self.assertEqual([(level, id) for level, id, text in told], [("warning", rules.warnings[0].id)])
        self.assertIn("mine.yaml:5", told[0][2])
        self.assertEqual(kdiag.load_rules(LOSS_READS).warnings, [])
        with self.assertRaises(TypeError):
            kdiag.load_rules(LOSS_READS, text=UNUSED)

    def test_limits_of_lua(self):
        text = ('return {id = "a.b", title = "t", for_each = "run",\n'
                '  detect = function(kd) local n = 0 for i = 1, 1000000 do n = n + i end end}\n')
        facts = kdiag.load(STORM)

        def outcome(**options):
            report = kdiag.diagnose(facts, kdiag.load_rules(text=text, name="mine.lua", builtin=False, **options))
            return report.data["outcomes"][0]["outcome"]

        self.assertEqual(outcome(), "clear")
        self.assertEqual(outcome(lua=kdiag.LuaLimits(instructions=1000)), "failed")
        with mock.patch.object(lib, "kdiag_rules_load_text", wraps=lib.kdiag_rules_load_text) as load:
            self.assertEqual(outcome(lua=kdiag.LuaLimits(wall_ms=None)), "clear")
        options = load.call_args.args[4]._obj
        self.assertEqual((options.lua_no_wall, options.lua_wall_ms), (1, 0))
        with self.assertRaises(kdiag.RulesError):
            outcome(lua=False)
        with self.assertRaises(OverflowError):
            outcome(lua=kdiag.LuaLimits(wall_ms=-1))

    def test_answers_as_texts(self):
        facts = kdiag.load(STORM)
        table = "top(kernel_stats, 2, total)"
        self.assertEqual(facts.query("count(kernels)", format="text").strip(), str(facts["kernels"].rows))
        self.assertEqual(len(facts.query(table, format="csv").splitlines()), 3)
        self.assertLessEqual(max(map(len, facts.query(table, format="text", width=40).splitlines())), 40)
        self.assertIn("more", facts.query("kernels", format="text", max_rows=2))
        with self.assertRaises(ValueError):
            facts.query(table, format="yaml")

    def test_rules_and_baselines_as_paths(self):
        facts, path = kdiag.load(STORM), pathlib.Path(LOSS_READS)
        for rules in (LOSS_READS, path, [path]):
            rule = next(rule.id for rule in kdiag.load_rules(rules) if rule.file == LOSS_READS)
            self.assertIn(rule, facts.explain(rule, rules))
            self.assertEqual(facts.query("count(kernels)", rules)["value"], facts["kernels"].rows)
        self.assertEqual(facts.query("delta(count(kernels))", baseline=STORM)["value"], 0)
        for wrong in (3, facts, b"rules.yaml"):
            for ask in (lambda: kdiag.diagnose(facts, wrong), lambda: facts.query("1", wrong),
                        lambda: facts.explain("host.sync-stall", wrong)):
                with self.assertRaises(TypeError):
                    ask()
        with self.assertRaises(kdiag.RulesError):
            facts.explain("host.sync-stall", "no/such.yaml")

    def test_questions_end_with_their_time(self):
        facts, rules, token = kdiag.load(STORM), kdiag.load_rules(), kdiag.CancelToken()
        token.cancel()
        for ask, about in ((facts.explain, "host.sync-stall"), (facts.cut_test, "host.sync-stall"), (facts.query, "1")):
            # Each has one part that would do something else without the limit.
            for part, given in (("asking", {"rules": rules}), ("rules", {"rules": "no/such.yaml"}),
                                ("baseline", {"rules": rules, "baseline": "no/such.json"})):
                with self.subTest(ask.__name__, part=part):
                    with self.assertRaises(kdiag.Cancelled):
                        ask(about, cancel=token, **given)
                    with self.assertRaises(kdiag.DeadlineExceeded):
                        ask(about, timeout=0, **given)

    def test_explaining(self):
        rules = kdiag.load_rules()
        facts = kdiag.load(STORM)
        self.assertEqual(facts.explain("host.sync-stall"), facts.explain("host.sync-stall", rules))
        self.assertIn("host.sync-stall", kdiag.load(STORM).explain("host.sync-stall", rules))
        self.assertIn("blocking", rules.describe("host.sync-stall"))


class Comparison(unittest.TestCase):
    def test_how_many_changes_are_listed(self):
        facts = kdiag.load(STORM)
        part = kdiag.load(STORM, steps=(12, 13))
        longest = [len(kdiag.compare(facts, part, changes=changes).comparison["changes"]) for changes in (1, 0)]
        self.assertEqual(longest[0], 1)
        self.assertGreater(longest[1], 1)

    def test_a_run_is_like_itself(self):
        for_as_many = kdiag.compare(STORM, STORM, per=("tokens", 1024, 4096)).comparison
        self.assertEqual(for_as_many["verdict"], "improvement")
        self.assertEqual(for_as_many["cycle"]["per"], {"unit": "tokens", "normal": 1024, "abnormal": 4096})
        report = kdiag.compare(STORM, kdiag.load(STORM))
        self.assertEqual(report.comparison["verdict"], "neutral")
        self.assertIsNone(kdiag.diagnose(STORM).comparison)

    def test_one_input_of_both_runs(self):
        both = ('{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,'
                ' "ts": 0, "dur": %d, "args": {"device": 0, "stream": 7, "correlation": 1}}]}')
        with tempfile.TemporaryDirectory() as folder:
            for name, dur in (("before", 10), ("after", 20)):
                pathlib.Path(folder, f"{name}.json").write_text(both % dur, encoding="utf-8")
            report = kdiag.compare(folder, name="both")
            self.assertEqual(len(report.runs), 2)
            self.assertIsNotNone(report.comparison)
            pathlib.Path(folder, "after.json").unlink()
            for one in (STORM, folder):
                with self.assertRaisesRegex(kdiag.InputError, "K733"):
                    kdiag.compare(one)
        with self.assertRaises(TypeError):
            kdiag.compare(kdiag.load(STORM))

    def test_options_that_there_are_not(self):
        for runs in ([STORM], [STORM, STORM]):
            with self.assertRaisesRegex(TypeError, "stepz"):
                kdiag.compare(*runs, stepz=(1, 2))
            with self.assertRaisesRegex(TypeError, "max_row"):
                kdiag.compare(*runs, max_row=1)

    def test_a_baseline(self):
        report = kdiag.diagnose(STORM, baseline=STORM)
        self.assertEqual([run["role"] for run in report.runs], ["subject", "baseline"])
        facts = kdiag.load(STORM)
        self.assertEqual(facts.query("delta(count(kernels))", baseline=facts)["value"], 0)


class Errors(unittest.TestCase):
    def test_mistakes_say_where_they_are(self):
        text = "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  when: cuont(kernels) > 1\n"
        with self.assertRaises(kdiag.RulesError) as caught:
            kdiag.load_rules(text=text)
        first = caught.exception.diagnostics[0]
        self.assertEqual((first.line, first.column, first.offset, first.length), (5, 9, text.index("cuont"), 5))
        self.assertEqual((first.context, [label.text for label in first.labels]), ("rule a.b", ["did you mean 'count'?"]))
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(copy), copy.diagnostics), (str(caught.exception), [first]))
        self.assertIn("did you mean 'count'?", str(caught.exception))
        with self.assertRaises(kdiag.InputError) as caught:
            kdiag.diagnose("no/such/file")
        first = caught.exception.diagnostics[0]
        self.assertEqual((first.line, first.column, first.offset, first.length), (None, None, None, None))
        self.assertEqual([(label.source, label.line) for label in first.labels], [("no/such/file", None)])
        with self.assertRaises(kdiag.RulesError):
            kdiag.load(STORM).query("sum(kernels)")
        with self.assertRaises(kdiag.RulesError):
            kdiag.load(STORM).explain("no.rule", kdiag.load_rules())

    def test_a_mistake_with_two_places(self):
        rule = "- {rule: a.b, title: t, when: count(kernels) > 1}\n"
        with self.assertRaises(kdiag.RulesError) as caught:
            kdiag.load_rules(text="kdiag: 1\nrules:\n" + 2 * rule, name="mine.yaml", builtin=False)
        places = [(label.text, label.source, label.line) for label in caught.exception.diagnostics[0].labels]
        self.assertEqual(places, [("", "mine.yaml", 4), ("first here", "mine.yaml", 3)])

    def test_limits(self):
        with self.assertRaises(kdiag.LimitExceeded):
            kdiag.load(STORM, max_rows=3)


class Contents(unittest.TestCase):
    def test_columns_have_units_docs_and_providers(self):
        kernels = kdiag.load(STORM)["kernels"]
        self.assertEqual(kernels.columns["dur"].unit, "ns")
        self.assertEqual(kernels.columns["device"].target, "devices")
        self.assertEqual((kernels.columns["name"].type, kernels.columns["name"].unit), ("string", ""))
        self.assertTrue(kernels.columns["dur"].doc and kernels.doc)
        self.assertEqual([name for name, column in kernels.columns.items() if column.provider], list(kernels))

    def test_inputs_and_everything(self):
        facts = kdiag.load(STORM)
        self.assertEqual(facts.inputs[0]["role"], "subject")
        self.assertIn("kernels", facts.describe())
        self.assertIn("kernels", json.dumps(facts.data))


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
            kernels.codes("class_name")
        with self.assertRaises(TypeError):
            kernels.codes("dur")
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
        part = kdiag.load(STORM, steps=(12, 13))
        rows = part["kernels"].to_pandas(part=True)
        self.assertEqual(len(rows), part.query("count(kernels)")["value"])
        self.assertEqual(list(rows.index), list(part["kernels"].part()))
        self.assertEqual(list(rows["start"]), list(frame["start"][rows.index]))
        calls = part["api"].to_pandas(part=True)
        self.assertEqual(set(rows.join(calls["name"], on="launch", rsuffix="_of_call")["name_of_call"]), {"cudaLaunchKernel"})

    @unittest.skipIf(numpy is None, "without NumPy")
    def test_rows_of_a_part(self):
        self.assertEqual(list(kdiag.load(STORM)["kernels"].part()), list(range(kdiag.load(STORM)["kernels"].rows)))
        kernels = kdiag.load(STORM, steps=(12, 13))["kernels"]
        self.assertLess(0, len(kernels.part()))
        self.assertLess(len(kernels.part()), kernels.rows)
        self.assertEqual(len(kernels["dur"]), kernels.rows)  # columns are whole: rows refer to each other by number
        self.assertEqual(len(kdiag.load(STORM)["samples"].part()), 0)


if __name__ == "__main__":
    unittest.main()
