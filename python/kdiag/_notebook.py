# SPDX-License-Identifier: Apache-2.0
"""Reports, comparisons and plans as fragments of HTML, for notebooks.

A fragment needs nothing but itself, holds no script, and is bounded whatever the trace. Names of traces are text in it:
characters that hide or reorder text are shown as what they are.
"""

from __future__ import annotations

import html
import unicodedata
from typing import Any, Dict, Iterable, List, Optional, Sequence

from ._quantities import format_duration, format_share

_MOST_ROWS = 20
_COLORS = {"critical": "#c0392b", "high": "#d35400", "medium": "#b7950b", "low": "#2e86c1", "info": "#7f8c8d"}


def text(value: Any, most: int = 160) -> str:
    """A value as text of a page: its middle is left out where it is long."""
    shown = str(value)
    if len(shown) > most:
        shown = shown[: most // 2] + "…" + shown[-(most - most // 2 - 1):]
    return html.escape("".join(_visible(character) for character in shown))


def _visible(character: str) -> str:
    if character in "\n\t":
        return " "
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return character


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: Optional[int] = None) -> str:
    """Cells are fragments. total: how many rows there are; those that are not among `rows` are counted."""
    head = "".join(f"<th style='text-align:left'>{name}</th>" for name in heads)
    body = "".join(
        "<tr style='vertical-align:top'>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) + "</tr>"
        for row in rows)
    more = (len(rows) if total is None else total) - len(rows)
    rest = f"<p>{more} more</p>" if more > 0 else ""
    return f"<table><tr>{head}</tr>{body}</table>{rest}"


def report_fragment(data: Dict[str, Any]) -> str:
    """A report as its JSON has it."""
    comparison = data.get("comparison")
    parts = [comparison_fragment(comparison)] if comparison else []
    parts += [f"<p>{line}</p>" for line in _heads(data)]
    findings = data["findings"]
    rows = [_finding_row(finding) for finding in findings[:_MOST_ROWS]]
    if rows:
        parts.append(table(("severity", "finding", "share", "rule"), rows, len(findings)))
    tally = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in data["tally"].items() if count)
    return f"<div>{''.join(parts)}<p>kdiag {text(data['version'])} · rules: {text(tally)}</p></div>"


def _heads(data: Dict[str, Any]) -> Iterable[str]:
    """A line for each of the first runs: how long, and how busy its devices were."""
    runs = [run for run in data["runs"] if run["role"] == "subject"]
    for run in runs[:4]:
        wall = "" if run["wall_ns"] is None else f" · {format_duration(run['wall_ns'])}"
        busy = [_busy(ledger) for ledger in data["ledger"] if ledger["run"] == run["id"]]
        known = [share for share in busy if share is not None]
        shares = f" · devices busy {_range(known)}" if known else ""
        count = sum(1 for finding in data["findings"] if finding["run"] == run["id"])
        yield f"<b>{text(run['label'])}</b>{wall}{text(shares)} · {count} finding{'' if count == 1 else 's'}"
    if len(runs) > 4:
        yield f"{len(runs) - 4} more runs"


def _busy(ledger: Dict[str, Any]) -> Optional[float]:
    """Of a ledger that accounts for time by a timeline."""
    if ledger["basis"] != "timeline" or not ledger["wall_ns"]:
        return None
    idle = sum(line["ns"] for line in ledger["lines"] if line["name"].startswith("idle."))
    return float(1 - idle / ledger["wall_ns"])


def _range(shares: List[float]) -> str:
    low, high = format_share(min(shares)), format_share(max(shares))
    return low if low == high else f"{low} to {high}"


def _finding_row(finding: Dict[str, Any]) -> List[str]:
    severity = finding["severity"]
    color = _COLORS.get(severity, "inherit")
    lines = [f"<p>{text(finding['message'], 600)}</p>"]
    location = finding["location"]
    if location:
        place = location["file"] + (f":{location['line']}" if location["line"] is not None else "")
        lines.append(f"<p>at <code>{text(place)}</code></p>")
    for advice in finding["recommendations"][:3]:
        lines.append(f"<p>→ {text(advice['text'], 400)}</p>")
    symptoms = finding["symptoms"]
    for symptom in symptoms[:5]:
        lines.append(f"<p>└ {text(symptom['title'])} ({text(symptom['rule'])})</p>")
    if len(symptoms) > 5:
        lines.append(f"<p>{len(symptoms) - 5} more symptoms</p>")
    share = finding["impact_share"]
    what = f"<details><summary>{text(finding['title'], 240)}</summary>{''.join(lines)}</details>"
    return [f"<b style='color:{color}'>{text(severity)}</b>", what, "" if share is None else text(format_share(share)),
            text(finding["rule"])]


def comparison_fragment(comparison: Dict[str, Any]) -> str:
    """A comparison as the report's JSON has it: the verdict, the cycles, the parts that changed most."""
    cycle = comparison["cycle"]
    lines = [f"<p><b>{text(comparison['verdict'])}</b>: {text(comparison['reason'], 400)}</p>"]
    if cycle and cycle["normal_ns"] is not None and cycle["abnormal_ns"] is not None:
        lines.append(f"<p>cycle {text(format_duration(cycle['normal_ns']))} → "
                     f"{text(format_duration(cycle['abnormal_ns']))}</p>")
    parts = [part for part in comparison["decomposition"] if part["delta_ns"]]
    parts.sort(key=lambda part: -abs(int(part["delta_ns"])))
    rows = [[text(part["name"]), _duration(part["normal_ns"]), _duration(part["abnormal_ns"]),
             _signed(part["delta_ns"]), text(part["verdict"] or "")] for part in parts[:_MOST_ROWS]]
    if rows:
        lines.append(table(("part", "normal", "abnormal", "change", "verdict"), rows, len(parts)))
    return "".join(lines)


def _duration(ns: Optional[int]) -> str:
    return "" if ns is None else text(format_duration(ns))


def _signed(ns: int) -> str:
    return ("+" if ns > 0 else "−") + text(format_duration(abs(ns)))


def plan_fragment(data: Dict[str, Any]) -> str:
    """A plan as its JSON has it."""
    parts = []
    for plan in data["plans"][:4]:
        parts.append(f"<p><b>{text(', '.join(plan['runs']))}</b></p>")
        rows = [[f"{text(one['how'])}<pre style='text-align:left;white-space:pre-wrap;overflow-wrap:anywhere'>{_command(one['command'])}</pre>",
                 text(one["overhead"], 400), text(", ".join(one["settles"]), 400)]
                for one in plan["recordings"][:_MOST_ROWS]]
        if rows:
            parts.append(table(("record", "cost", "settles"), rows, len(plan["recordings"])))
        if plan["open"]:
            rows = [[text(rule["rule"]), text(rule["reason"], 400)] for rule in plan["open"][:_MOST_ROWS]]
            parts.append("<p>No recording settles these:</p>" + table(("rule", "reason"), rows, len(plan["open"])))
    if not data["plans"]:
        parts.append("<p>Nothing to record: every rule that applies could tell.</p>")
    if len(data["plans"]) > 4:
        parts.append(f"<p>{len(data['plans']) - 4} more plans</p>")
    return f"<div>{''.join(parts)}</div>"


def _command(command: str) -> str:
    """Whole, since people copy it; its lines stay."""
    return "\n".join(text(line, 2000) for line in command.split("\n")[:40])
