# SPDX-License-Identifier: Apache-2.0
"""What helps to write rules, and facts files: python3 test_tools.py, as test_kdiag.py."""

import gzip
import io
import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

import kdiag

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
RULES = os.path.join(EXAMPLES, "rules")
LOSS_READS = os.path.join(RULES, "loss_reads.yaml")


class Rules(unittest.TestCase):
    def test_tests_of_rules(self):
        self.assertEqual(kdiag.run_rule_tests(RULES).failed, 0)
        tests = kdiag.run_rule_tests([LOSS_READS], format="json")
        self.assertIsInstance(json.loads(tests.output), dict)
        junit = kdiag.run_rule_tests(LOSS_READS, format="junit").output
        self.assertTrue(xml.etree.ElementTree.fromstring(junit).tag.startswith("testsuite"))
        with self.assertRaises(ValueError):
            kdiag.run_rule_tests(LOSS_READS, format="sarif")
        with self.assertRaises(kdiag.Error):
            kdiag.run_rule_tests("no/such/file.yaml")

    def test_options_of_tests(self):
        self.assertIn("0 passed", kdiag.run_rule_tests(LOSS_READS, filter="nothing is called so").output)
        with self.assertRaises(kdiag.Error):
            kdiag.run_rule_tests(LOSS_READS, pattern="(")
        self.assertGreater(len(kdiag.run_rule_tests(LOSS_READS, verbose=True).output),
                           len(kdiag.run_rule_tests(LOSS_READS).output))
        covered = json.loads(kdiag.run_rule_tests(LOSS_READS, coverage=True, builtin=False, format="json").output)
        self.assertIn("coverage", covered)
        rules = kdiag.load_rules(LOSS_READS, builtin=False)
        self.assertEqual(kdiag.run_rule_tests(rules).failed, 0)
        for wrong in (3, b"rules.yaml", [b"rules.yaml"], kdiag.load(STORM)):
            with self.assertRaises(TypeError):
                kdiag.run_rule_tests(wrong)

    def test_sources_and_tags_of_rules(self):
        rules = kdiag.load_rules(LOSS_READS)
        rule = next(rule for rule in rules if rule.file == LOSS_READS)
        self.assertTrue(rules.source(rule.id).lstrip().startswith(f"- rule: {rule.id}"))
        self.assertIn(f"{rule.id}.md", rules.index())
        tagged = kdiag.load_rules(builtin=False, text="kdiag: 1\nrules:\n- {rule: a.b, title: t, tags: [one, two],"
                                                      " when: count(kernels) > 0}\n")
        self.assertEqual([rule.tags for rule in tagged], [("one", "two")])
        self.assertIsInstance(rules.style, list)
        with self.assertRaises(kdiag.RulesError):
            rules.source("no.such-rule")

    def test_kinds_of_files(self):
        self.assertEqual(kdiag.file_kind(LOSS_READS), "rules")
        self.assertEqual(kdiag.file_kind("no/such/file"), "rules")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "tests.yaml")
            path.write_text("kdiag_test: 1\n", encoding="utf-8")
            self.assertEqual(kdiag.file_kind(path), "tests")

    def test_tools_end_with_their_time(self):
        token = kdiag.CancelToken()
        token.cancel()
        for work in (lambda **stop: kdiag.format_rules("kdiag: 1\nrules: []\n", **stop),
                     lambda **stop: kdiag.load_map(text="kdiag_map: 1\n", **stop)):
            with self.assertRaises(kdiag.Cancelled):
                work(cancel=token)
        rule = "- {rule: a.r%d, title: t, when: count(kernels) > %d}\n"
        many = "kdiag: 1\nrules:\n" + "".join(rule % (number, number) for number in range(5000))
        with self.assertRaises(kdiag.DeadlineExceeded):
            kdiag.format_rules(many, timeout=0.001)

    def test_tests_that_do_not_hold_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write("kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  for_each: run\n  when: count(kernels) > 5\n"
                           "  impact: run.wall\n  tests:\n  - name: one kernel\n    facts:\n"
                           "      kernels: [{start: 0ns, dur: 1ns}]\n    expect: fired\n")
            self.assertEqual(kdiag.run_rule_tests(path).failed, 1)

    def test_a_skeleton_is_a_rule_file(self):
        text = kdiag.skeleton("mine.slow-copies")
        self.assertIn("mine.slow-copies", text)
        self.assertIn("mine.slow-copies", [rule.id for rule in kdiag.load_rules(text=text)])
        with self.assertRaises(kdiag.Error):
            kdiag.skeleton("Not An Id")

    def test_blanks_are_put_right(self):
        with open(LOSS_READS, encoding="utf-8") as file:
            text = file.read()
        right = kdiag.format_rules(text)
        self.assertEqual(kdiag.format_rules(right.replace("\n", "   \n"), name="mine.yaml"), right)
        with self.assertRaises(kdiag.RulesError) as caught:
            kdiag.format_rules("kdiag: [", name="mine.yaml")
        self.assertEqual(caught.exception.diagnostics[0].source, "mine.yaml")

    def test_pages_and_help(self):
        rules = kdiag.load_rules()
        self.assertIn("# ", rules.page("host.sync-stall"))
        self.assertIn("Sum of x", rules.help("sum"))
        self.assertIn("count(kernels)", rules.help())
        with self.assertRaises(kdiag.RulesError):
            rules.page("no.rule")

    def test_words_that_fit(self):
        rules = kdiag.load_rules()
        found = rules.complete("sum(kern")
        self.assertEqual(found.start, 4)
        self.assertIn("kernels", found.words)
        self.assertEqual(rules.complete('"üü" == sum(kern, dur)', 16), kdiag.Completion(12, found.words))

    def test_a_test_cut_out_of_facts(self):
        facts = kdiag.load(STORM)
        cut = facts.cut_test("host.sync-stall")
        self.assertIn("expect", cut)
        self.assertEqual(facts.cut_test("host.sync-stall", kdiag.load_rules()), cut)
        with self.assertRaises(kdiag.RulesError):
            facts.cut_test("no.rule")
        self.assertIn("baseline", facts.cut_test("host.sync-stall", baseline=facts))
        token = kdiag.CancelToken()
        token.cancel()
        with self.assertRaises(kdiag.Cancelled):
            facts.cut_test("host.sync-stall", timeout=60, cancel=token)


class Documents(unittest.TestCase):
    def test_what_there_is(self):
        self.assertIn("$schema", kdiag.rule_schema())
        self.assertIn("kernels", kdiag.catalogue())
        self.assertIn("Kineto", kdiag.formats())


class FactsFiles(unittest.TestCase):
    def test_a_facts_file_is_an_input(self):
        file = io.BytesIO()
        kdiag.export(STORM, file)
        again = kdiag.load(file.getvalue(), name="facts.json")
        self.assertEqual(again.inputs[0]["adapter"], "kdiag-facts")
        total = "sum(kernels, dur)"
        self.assertEqual(again.query(total)["value"], kdiag.load(STORM).query(total)["value"])
        packed = io.BytesIO()
        with gzip.open(packed, "wb") as zipped:
            kdiag.export([STORM], zipped)
        self.assertEqual(gzip.decompress(packed.getvalue()), file.getvalue())

    def test_files_that_write_in_parts(self):
        class Parts:
            content = b""

            def write(self, data):
                self.content += data[:1000]
                return min(len(data), 1000)

        parts, file = Parts(), io.BytesIO()
        kdiag.export(STORM, parts)
        kdiag.export(STORM, file)
        self.assertEqual(parts.content, file.getvalue())

    def test_formats_of_the_host_and_limits(self):
        def read(reader, rows):
            rows.add("kernels", start=0, dur=40, device=rows.device(0))

        acme, file = kdiag.Adapter("acme", lambda head: 95 if head.startswith(b"#acme") else 0, read), io.BytesIO()
        path = os.path.join(EXAMPLES, "traces", "short.acme")
        with self.assertRaises(kdiag.InputError):
            kdiag.export(path, io.BytesIO())
        kdiag.export(path, file, adapters=[acme])
        self.assertEqual(kdiag.load(file.getvalue()).query("sum(kernels, dur)")["value"], 40)
        log, mapped = os.path.join(EXAMPLES, "traces", "trainer_log.csv"), io.BytesIO()
        kdiag.export(log, mapped, maps=[kdiag.load_map(os.path.join(EXAMPLES, "maps", "trainer_log.yaml"))])
        self.assertIn(b"trainer", mapped.getvalue())
        with self.assertRaises(kdiag.LimitExceeded):
            kdiag.export(STORM, io.BytesIO(), max_rows=3)

    def test_what_cannot_be_read(self):
        with self.assertRaises(kdiag.InputError):
            kdiag.export("no/such/file", io.BytesIO())


if __name__ == "__main__":
    unittest.main()
