# SPDX-License-Identifier: Apache-2.0
"""Diagnosing, and what a report says."""

from __future__ import annotations

import json
import os
from ctypes import byref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Union

from ._abi import CompareOptionsStruct, DiagnoseOptionsStruct, LoadOptionsStruct, TextOptionsStruct, lib
from ._errors import Stopped
from ._facts import Facts, LoadOptions, facts_of, handle_of, load_options
from ._library import CancelToken, Context, Handle, Log, Shared, name_of, text_of, whole
from ._notebook import report_fragment
from ._plan import Plan
from ._rules import Rules, RulesLike, rules_of
from ._timeline import Timeline, timeline_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._project import Policy
    from ._sources import Inputs


@dataclass(frozen=True)
class Recommendation:
    """What to do about a finding, what that risks, and how to see that it worked."""

    text: str
    where: str
    risk: str
    verify: str
    url: str


@dataclass(frozen=True)
class Finding:
    """Something that costs time. Times are ns, shares 0..1; None is what cannot be stated, never zero."""

    run: str
    rank: int
    rule: str
    title: str
    severity: str
    message: str
    subject: Dict[str, str]
    impact_ns: Optional[int]
    impact_low_ns: Optional[int]
    impact_share: Optional[float]
    gain: Optional[Dict[str, Any]]
    confidence: float
    location: Optional[Dict[str, Any]]
    fingerprint: str
    waived: Optional[Dict[str, str]]
    """Why, by whom and until when a waiver accepts it; None: none does."""
    known: Optional[bool]
    """Whether the report with known findings has it; None: there is none. What grew beyond it is not known."""
    evidence: Dict[str, Any] = field(repr=False)
    recommendations: List[Recommendation] = field(repr=False)
    symptoms: List["Finding"] = field(repr=False)
    raw: Dict[str, Any] = field(repr=False, compare=False)
    """The finding as the JSON report has it: docs/report.md."""


def _finding(data: Dict[str, Any]) -> Finding:
    def advice(entry: Dict[str, Any]) -> Recommendation:
        return Recommendation(*(entry.get(key) or "" for key in ("text", "where", "risk", "verify", "url")))

    return Finding(
        run=data["run"],
        rank=data["rank"],
        rule=data["rule"],
        title=data["title"],
        severity=data["severity"],
        message=data["message"],
        subject=data["subject"],
        impact_ns=data["impact_ns"],
        impact_low_ns=data["impact_low_ns"],
        impact_share=data["impact_share"],
        gain=data["gain"],
        confidence=data["confidence"]["value"],
        location=data["location"],
        fingerprint=data["fingerprint"],
        waived=data.get("waived"),
        known=data.get("known"),
        evidence=data["evidence"],
        recommendations=[advice(entry) for entry in data["recommendations"]],
        symptoms=[_finding(symptom) for symptom in data["symptoms"]],
        raw=data,
    )


class Report(Shared):
    """What a diagnosis or a comparison says, immutable. Made by `diagnose` and `compare`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self.json = text_of(handle, lib.kdiag_report_json)
        """The whole report, schema kdiag.report/1."""
        self.data: Dict[str, Any] = json.loads(self.json)
        self.findings: List[Finding] = [_finding(entry) for entry in self.data["findings"]]
        """By run, then rank; symptoms stand below the cause that explains them."""

    @property
    def tally(self) -> Dict[str, int]:
        """How many rules fired, were clear, not applicable, inconclusive or failed."""
        tally: Dict[str, int] = self.data["tally"]
        return tally

    @property
    def comparison(self) -> Optional[Dict[str, Any]]:
        """What `compare` found: verdict, cycle, decomposition, changes, ...; None without."""
        return self.data.get("comparison")

    @property
    def runs(self) -> List[Dict[str, Any]]:
        """The runs that were judged, and those that they were compared with."""
        runs: List[Dict[str, Any]] = self.data["runs"]
        return runs

    def text(self, *, width: int = 100, all: bool = False, color: bool = False, changes: int = 5) -> str:
        """The report for people; `all` shows more than five findings a run.

        changes: longest list of changes and of functions of a comparison, unless `all`.

        Example: `print(report.text(width=120, all=True))`
        """
        options = TextOptionsStruct(int(color), int(all), whole(width, 0), 0, whole(changes, 0))
        return Context().text(lib.kdiag_report_format, self._handle, byref(options))

    def html(self, facts: Optional[Facts] = None, *, baseline: Optional[Facts] = None) -> str:
        """The report as a page for a browser. With the facts that were diagnosed, and those they were compared with, it has
        their timeline and tables.

        Example:
            facts = kdiag.load("trace.json")
            Path("report.html").write_text(kdiag.diagnose(facts).html(facts), encoding="utf-8")
        """
        return Context().text(lib.kdiag_report_html, self._handle, handle_of(facts), handle_of(baseline))

    @property
    def plan(self) -> "Plan":
        """What to record next, where rules could not tell."""
        return Plan(json.loads(Context().text(lib.kdiag_report_plan, self._handle)))

    def timeline(
        self,
        facts: Facts,
        *,
        from_ns: Optional[int] = None,
        to_ns: Optional[int] = None,
        finding: "Union[int, Finding, None]" = None,
        run: Optional[int] = None,
    ) -> Timeline:
        """A picture of a part of a run, for notebooks: findings, steps, devices and host threads. Needs NumPy.

        facts: those that were diagnosed. from_ns, to_ns: since the beginning of the window that was judged; None: all of
        it. finding: one with intervals, or its place in `findings`: its first interval, and as much around it. run: its
        place in `runs`; None: that of the finding, else the first.

        Example: `report.timeline(facts, finding=0)`
        """
        return timeline_of(self, facts, run, from_ns, to_ns, finding)

    @property
    def markdown(self) -> str:
        """The report as Markdown."""
        return text_of(self._handle, lib.kdiag_report_markdown)

    @property
    def sarif(self) -> str:
        """The report as SARIF 2.1.0, for code scanners."""
        return text_of(self._handle, lib.kdiag_report_sarif)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<kdiag.Report: {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        return report_fragment(self.data)


def diagnose(
    trace: "Union[Facts, Inputs]",
    rules: RulesLike = None,
    *,
    baseline: "Union[Facts, Inputs, None]" = None,
    policy: "Optional[Policy]" = None,
    keep_partial: bool = False,
    timings: bool = False,
    threads: int = 0,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    log: Optional[Log] = None,
    **load_options: "Unpack[LoadOptions]",
) -> Report:
    """Judges a trace by rules: `kdiag.diagnose("trace.json").findings`.

    trace: facts, or what `load` takes; load_options are those of `load`, and for what is no facts yet only. rules:
    rules, or paths of rule files that are added to the built-in ones. baseline: a run of the same work when it was
    good. policy: findings that are accepted or known. keep_partial: when judging is stopped, the exception's `report` has what was judged so far. timings: the report's
    `data["timings"]` says what it cost, rule by rule. timeout: seconds, for each loading and for judging. log: as for
    `load` and `load_rules`. Raises what these do.
    """
    loading = _Loading(load_options, threads=threads, timeout=timeout, cancel=cancel, log=log)
    facts, compared_with = loading.facts_of(trace, baseline)
    judged_by = rules_of(rules, threads=threads, timeout=timeout, cancel=cancel, log=log)
    options = DiagnoseOptionsStruct()
    options.keep_partial, options.timings = int(keep_partial), int(timings)
    marks = _policy(policy, judged_by, options, Context(threads, timeout, cancel=cancel))
    return _report(Context(threads, timeout, cancel=cancel), marks, lib.kdiag_diagnose, facts._handle,
                   handle_of(compared_with), judged_by._handle, byref(options))


def compare(
    normal: "Union[Facts, Inputs]",
    abnormal: "Union[Facts, Inputs, None]" = None,
    rules: RulesLike = None,
    *,
    anchor: Optional[str] = None,
    changes: int = 0,
    per: "Optional[tuple[str, float, float]]" = None,
    policy: "Optional[Policy]" = None,
    keep_partial: bool = False,
    timings: bool = False,
    threads: int = 0,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    log: Optional[Log] = None,
    **load_options: "Unpack[LoadOptions]",
) -> Report:
    """Compares two runs and judges the second: `kdiag.compare("before.json", "after.json").comparison["verdict"]`.

    normal, abnormal: facts, or what `load` takes; each holds one run ("FILE#2" is the second run of a file). abnormal:
    None: the first one is the path of an input that holds both. anchor: name of a range that is one cycle in both runs;
    None: found. changes: longest list of changes and functions in the report; 0: 20. per: what a cycle of each run does,
    ("tokens", 4096, 16384): times are for as many then. The rest is as for `diagnose`.
    """
    loading = _Loading(load_options, threads=threads, timeout=timeout, cancel=cancel, log=log)
    before, after = loading.both(normal) if abnormal is None else loading.facts_of(normal, abnormal)
    judged_by = rules_of(rules, threads=threads, timeout=timeout, cancel=cancel, log=log)
    options = CompareOptionsStruct()
    options.changes, options.keep_partial, options.timings = whole(changes, 0), int(keep_partial), int(timings)
    if anchor is not None:
        options.anchor = name_of(anchor)
    if per is not None:
        unit, options.samples_normal, options.samples_abnormal = per
        options.samples = name_of(unit)
    marks = _policy(policy, judged_by, options, Context(threads, timeout, cancel=cancel))
    return _report(Context(threads, timeout, cancel=cancel), marks, lib.kdiag_compare, before._handle, handle_of(after),
                   judged_by._handle, byref(options))


def _policy(policy: "Optional[Policy]", rules: Rules, options: Any, context: Context) -> Optional[Handle]:
    """Gives the options a policy; what is returned holds it."""
    if policy is None:
        return None
    made = policy._make(rules, context)
    options.policy = made.pointer.value
    return made


def _report(context: Context, marks: Optional[Handle], function: Any, *arguments: Any) -> Report:
    """The report that a function makes; what it has of a call that was stopped goes with the exception."""
    made = Handle(lib.kdiag_report_free)
    context.kept.extend((made, marks))
    try:
        context.call(function, *arguments, byref(made.pointer))
    except Stopped as stopped:
        if made.pointer:
            stopped.report = Report(made)
        raise
    context.kept.clear()
    return Report(made)


class _Loading:
    """How what is no facts yet is loaded."""

    def __init__(self, load_options: Mapping[str, Any], **options: Any) -> None:
        self._load_options, self._options = dict(load_options), options
        for name in ("maps", "adapters"):
            if isinstance(load_options.get(name), Iterator):  # both sides need them
                self._load_options[name] = tuple(load_options[name])

    def facts_of(self, first: "Union[Facts, Inputs]", second: "Union[Facts, Inputs, None]") -> Any:
        """The facts of two sides, the second of which may be missing."""
        if self._load_options and (isinstance(first, Facts) or isinstance(second, Facts)):
            raise TypeError(f"kdiag: {', '.join(self._load_options)}: for loading, and facts are loaded: tell `load`")
        options = {**self._options, **self._load_options}
        return facts_of(first, **options), facts_of(second, **options)

    def both(self, path: Any) -> Any:
        """The facts of both sides, of one input."""
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError("kdiag: one input that holds both runs is given by its path; else two are needed")
        given = dict(self._load_options)
        unknown = set(given) - set(LoadOptions.__annotations__)
        if unknown:
            raise TypeError(f"compare() has no option {', '.join(sorted(unknown))}")
        limits = [given.pop(name, 0) for name in ("max_rows", "max_bytes", "max_unpacked")]
        context = Context(self._options["threads"], self._options["timeout"], *limits, cancel=self._options["cancel"],
                          progress=given.pop("progress", None), log=self._options["log"])
        maps, adapters = given.pop("maps", ()), tuple(given.pop("adapters", ()))
        given.pop("name", None)  # a path has a name
        options: LoadOptionsStruct = load_options(context, given, maps, adapters)  # type: ignore[arg-type]
        second = Handle(lib.kdiag_facts_free)
        context.kept.append(second)

        def load_both(context: Any, path: bytes, options: Any, first: Any) -> int:
            return int(lib.kdiag_sides_load_both(context, path, options, first, byref(second.pointer)))

        first = context.make(lib.kdiag_facts_free, load_both, name_of(path), byref(options))
        return Facts(first), Facts(second)
