# SPDX-License-Identifier: Apache-2.0
"""Project files, waivers and known findings: python3 test_project.py, as test_kdiag.py."""

import os
import pathlib
import tempfile
import unittest

import kdiag

STORM = os.path.join(os.environ["KDIAG_EXAMPLES"], "traces", "item_storm.json")
PROJECT = """kdiag_project: 1
select: [host, kernel.fp32-matmul]
params: {kernel.fp32-matmul: {share: 90%}}
fail_on: high
waivers:
- {rule: host.sync-stall, reason: on purpose, owner: us, until: 2026-12-31}
"""


def of_rule(report, rule):
    return next((finding for finding in report.findings if finding.rule == rule), None)


class Project(unittest.TestCase):
    def test_what_it_says(self):
        project = kdiag.load_project(text=PROJECT)
        self.assertEqual((project.file, project.fail_on, project.known, project.strict), ("kdiag.yaml", "high", None, None))
        self.assertEqual((project.rules, project.maps, project.baseline, project.fail_above), ([], [], [], []))
        self.assertIn("kdiag.yaml", repr(project))
        with self.assertRaisesRegex(kdiag.RulesError, "did you mean 'select'"):
            kdiag.load_project(text="kdiag_project: 1\nselct: []\n")
        for wrong in ({}, {"path": "a", "text": "b"}):
            with self.assertRaises(TypeError):
                kdiag.load_project(**wrong)

    def test_it_is_found_upwards(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "kdiag.yaml").write_text(PROJECT + "baseline: good.json\n", encoding="utf-8")
            inner = pathlib.Path(folder) / "a" / "b"
            inner.mkdir(parents=True)
            found = kdiag.find_project(inner)
            self.assertEqual(found.baseline, [os.path.join(folder, "good.json")])
        self.assertIsNone(kdiag.find_project("/"))

    def test_rules_of_a_project(self):
        project = kdiag.load_project(text=PROJECT)
        report = kdiag.diagnose(STORM, kdiag.load_rules(project=project, inputs=[STORM], facts=kdiag.load(STORM)))
        self.assertIsNotNone(of_rule(report, "host.sync-stall"))
        self.assertIsNone(of_rule(report, "kernel.fp32-matmul"))

    def test_select_and_ignore(self):
        report = kdiag.diagnose(STORM, kdiag.load_rules(select=["host"], ignore=["host.sync-stall"]))
        self.assertIsNone(of_rule(report, "host.sync-stall"))
        with self.assertRaises(kdiag.RulesError):
            kdiag.load_rules(select=["hsot"])


class Policy(unittest.TestCase):
    def test_waivers(self):
        project = kdiag.load_project(text=PROJECT)
        waived = of_rule(kdiag.diagnose(STORM, policy=kdiag.Policy(project, today="2026-11-26")), "host.sync-stall").waived
        self.assertEqual((waived["reason"], waived["owner"], waived["until"]), ("on purpose", "us", "2026-12-31"))
        self.assertIsNone(of_rule(kdiag.diagnose(STORM, policy=kdiag.Policy(project, today="2027-01-01")),
                                  "host.sync-stall").waived)
        with self.assertRaises(ValueError):
            kdiag.diagnose(STORM, policy=kdiag.Policy(today="tomorrow"))

    def test_known_findings(self):
        first = kdiag.diagnose(STORM)
        self.assertIsNone(first.findings[0].known)
        with tempfile.TemporaryDirectory() as folder:
            before = pathlib.Path(folder) / "before.json"
            before.write_text(first.json, encoding="utf-8")
            policy = kdiag.Policy(known=before)
            self.assertTrue(all(finding.known for finding in kdiag.diagnose(STORM, policy=policy).findings))
            self.assertTrue(of_rule(kdiag.compare(STORM, STORM, policy=policy), "host.sync-stall").known)
            before.write_text(first.json.replace('"critical"', '"low"').replace('"impact_share"', '"was"'), encoding="utf-8")
            grown = of_rule(kdiag.diagnose(STORM, policy=policy), "host.sync-stall")
            self.assertEqual((grown.known, grown.raw["known_severity"]), (False, "low"))
            before.write_text("{}", encoding="utf-8")
            with self.assertRaises(kdiag.Error):
                kdiag.diagnose(STORM, policy=policy)


if __name__ == "__main__":
    unittest.main()
