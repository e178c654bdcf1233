# SPDX-License-Identifier: Apache-2.0
"""Diagnoses GPU and accelerator performance traces by rules.

    import kdiag
    report = kdiag.diagnose("trace.json")
    for finding in report.findings:
        print(finding.rule, finding.severity, finding.title)

The package is a thin layer over libkdiag's C interface: `load` reads traces into `Facts`, `load_rules` reads `Rules`,
`diagnose` judges and gives a `Report`, `compare` does so of two runs. Facts and rules are immutable and may be shared between threads; calls release
the interpreter's lock.
"""

from ._facts import Facts, Table, load
from ._library import (
    Cancelled,
    DeadlineExceeded,
    Diagnostic,
    Error,
    InputError,
    LimitExceeded,
    RulesError,
    version,
)
from ._report import Finding, Recommendation, Report, compare, diagnose
from ._rules import Rule, Rules, load_rules

__all__ = [
    "Cancelled",
    "DeadlineExceeded",
    "Diagnostic",
    "Error",
    "Facts",
    "Finding",
    "InputError",
    "LimitExceeded",
    "Recommendation",
    "Report",
    "Rule",
    "Rules",
    "RulesError",
    "Table",
    "compare",
    "diagnose",
    "load",
    "load_rules",
    "version",
]
__version__ = version()
