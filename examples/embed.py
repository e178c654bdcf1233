# SPDX-License-Identifier: Apache-2.0
"""Embeds kdiag in Python: judges a trace by the built-in rules and walks the findings: embed.py TRACE"""

import sys

import kdiag

if len(sys.argv) != 2:
    sys.exit("usage: embed.py TRACE")
try:
    report = kdiag.diagnose(sys.argv[1])
except kdiag.Error as error:
    sys.exit(str(error))
for finding in report.findings:
    print(f"{finding.rule} ({finding.severity}): {finding.title}")
    if finding.impact_ns is not None:
        print(f"  explains {finding.impact_ns / 1e6:g} ms")
    for advice in finding.recommendations:
        print(f"  do: {advice.text}")
