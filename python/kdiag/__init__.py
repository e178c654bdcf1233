# SPDX-License-Identifier: Apache-2.0
"""Diagnoses GPU and accelerator performance traces by rules.

    import kdiag
    report = kdiag.diagnose("trace.json")
    for finding in report.findings:
        print(finding.rule, finding.severity, finding.title)

The package is a thin layer over libkdiag's C interface: `load` reads traces into `Facts`, or `Builder` makes them of
rows; `load_rules` reads `Rules`; `diagnose` judges and gives a `Report`, `compare` does so of two runs. Facts and rules
are immutable and may be shared between threads. Calls release the interpreter's lock, `CancelToken` stops them, and an
interrupt (Ctrl-C) does.
"""

from . import fleet
from ._abi import Row
from ._adapters import Adapter, Head, Map, Reader, load_map
from ._builder import Builder
from ._errors import (
    Cancelled, DeadlineExceeded, Diagnostic, Error, InputError, Label, LimitExceeded, RulesError, Stopped,
)
from ._facts import Facts, load
from ._frames import from_frames
from ._functions import Function
from ._library import CancelToken, version
from ._plan import Plan
from ._project import Policy, Project, find_project, load_project
from ._quantities import (
    did_you_mean, format_count, format_duration, format_factor, format_number, format_share, format_value,
)
from ._report import Finding, Recommendation, Report, compare, diagnose
from ._rows import Rows, RunInfo
from ._rules import Completion, LuaLimits, Rule, Rules, load_rules
from ._tables import Column, Table
from ._timeline import Timeline
from ._tools import (
    RuleTests, catalogue, export, file_kind, format_rules, formats, rule_schema, run_rule_tests, skeleton,
)

__all__ = [
    "Adapter",
    "Builder",
    "CancelToken",
    "Cancelled",
    "Column",
    "Completion",
    "DeadlineExceeded",
    "Diagnostic",
    "Error",
    "Facts",
    "Finding",
    "Function",
    "Head",
    "InputError",
    "Label",
    "LimitExceeded",
    "LuaLimits",
    "Map",
    "Plan",
    "Policy",
    "Project",
    "Reader",
    "Recommendation",
    "Report",
    "Row",
    "Rows",
    "Rule",
    "RuleTests",
    "Rules",
    "RulesError",
    "RunInfo",
    "Stopped",
    "Table",
    "Timeline",
    "catalogue",
    "compare",
    "diagnose",
    "did_you_mean",
    "export",
    "file_kind",
    "find_project",
    "fleet",
    "format_count",
    "format_duration",
    "format_factor",
    "format_number",
    "format_rules",
    "format_share",
    "format_value",
    "formats",
    "from_frames",
    "load",
    "load_map",
    "load_project",
    "load_rules",
    "rule_schema",
    "run_rule_tests",
    "skeleton",
    "version",
]
__version__ = version()
