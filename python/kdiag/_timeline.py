# SPDX-License-Identifier: Apache-2.0
"""A picture of a part of a run: what devices and host threads did, and what findings say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from ._notebook import text
from ._optional import needed
from ._quantities import format_duration

if TYPE_CHECKING:
    from ._facts import Facts
    from ._report import Finding, Report

_COLUMNS = 600  # what a lane is divided into; each is drawn by how much of it something ran
_LEVELS = 4  # of opacity
_LABEL, _LANE, _GAP = 260, 16, 3
_MOST_LANES = 24
_MOST_NAMES = 15  # that the legend explains; what else is coloured says its name under the pointer
_PALETTE = ("#2e86c1", "#28b463", "#8e44ad", "#d68910", "#cb4335", "#17a589", "#7d6608", "#5d6d7e")

_FINDING = "#c0392b"

_Spans = Tuple[Any, Any]  # arrays of starts and ends in ns
_Lane = Tuple[str, str, Dict[str, _Spans]]  # its label, its colour (empty: one for each name), its spans by name


class Timeline:
    """A part of a run as a picture, which notebooks show. Made by `Report.timeline`."""

    def __init__(self, lanes: "List[_Lane]", begin: int, end: int) -> None:
        self.begin_ns, self.end_ns = begin, end
        """What is drawn, on the clock of the facts."""
        self.svg: str = _draw(lanes, begin, end)
        """The picture, without a script or anything to be loaded."""

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div>"

    def __repr__(self) -> str:
        return f"<kdiag.Timeline of {format_duration(self.end_ns - self.begin_ns)}>"


def timeline_of(
    report: "Report", facts: "Facts", run: Optional[int], from_ns: Optional[int], to_ns: Optional[int],
    finding: "Union[int, Finding, None]",
) -> Timeline:
    """What `Report.timeline` says."""
    needed("numpy", "Report.timeline")
    found = report.findings[finding] if isinstance(finding, int) else finding
    if found is not None:
        place = [one["id"] for one in report.runs].index(found.run)
        if run not in (None, place):
            raise ValueError(f"kdiag: the finding is of run {place}, not of run {run}")
        run = place
    run = run or 0
    start, end = _window(facts, run)
    if found is not None:
        if from_ns is not None or to_ns is not None:
            raise TypeError("kdiag: a finding says which part is meant: no from_ns and to_ns beside it")
        first, last = _first_interval(found)
        around = (last - first) // 2
        start, end = first - around, last + around
    else:
        start, end = start + (from_ns or 0), end if to_ns is None else start + to_ns
    if end <= start:
        raise ValueError("kdiag: the part of the run ends before it begins")
    lanes = [lane for lane in _lanes(report, facts, run) if any(len(spans[0]) for spans in lane[2].values())]
    return Timeline(lanes[:_MOST_LANES], start, end)


def _window(facts: "Facts", run: int) -> Tuple[int, int]:
    runs = facts.table("runs", run)
    if "start" not in runs or "wall" not in runs:
        raise ValueError("kdiag: the run has no timeline")
    start = int(runs["start"][0])
    return start, start + int(runs["wall"][0])


def _shown_intervals(finding: "Finding") -> Tuple[List[List[int]], int]:
    """Those of the impact, else of the rows that it is computed from, and how many there are."""
    raw = finding.raw
    name = "intervals" if raw["intervals"] else "evidence_intervals"
    return raw.get(name, []), raw.get(name + "_total", 0)


def _first_interval(finding: "Finding") -> Tuple[int, int]:
    intervals, _ = _shown_intervals(finding)
    if not intervals:
        raise ValueError(f"kdiag: {finding.rule} has no intervals to show")
    first, last = intervals[0]
    return int(first), int(last)


def _lanes(report: "Report", facts: "Facts", run: int) -> "Iterator[_Lane]":
    """What is shown, from the top: findings, steps, devices, host threads."""
    import numpy

    run_id = report.runs[run]["id"] if run < len(report.runs) else ""
    for found in [one for one in report.findings if one.run == run_id and _shown_intervals(one)[0]][:5]:
        intervals, total = _shown_intervals(found)
        edges = numpy.array(intervals, dtype=numpy.int64)
        of_all = f" (first {len(edges)} of {total})" if total > len(edges) else ""
        yield found.rule + of_all, _FINDING, {found.title: (edges[:, 0], edges[:, 1])}
    yield from _table_lanes(facts, run, "steps", None, "#95a5a6", "steps")
    yield from _table_lanes(facts, run, "kernels", "stream", "class", "")
    yield from _table_lanes(facts, run, "copies", "device", "kind", "copies of ")
    yield from _table_lanes(facts, run, "idle", "device", "blame", "idle ")
    yield from _table_lanes(facts, run, "ops", "thread", "#2e86c1", "operators of ")
    yield from _table_lanes(facts, run, "api", "thread", "#5d6d7e", "calls of ")


def _table_lanes(
    facts: "Facts", run: int, name: str, lane_by: Optional[str], color: str, label: str
) -> "Iterator[_Lane]":
    """The busiest rows of a table by what a column refers to, at most eight lanes of it. color: or the column by whose
    texts they are coloured."""
    import numpy

    table = facts.table(name, run)
    if not table.rows or "start" not in table or "dur" not in table:
        return
    starts, lengths = table["start"], table["dur"]
    known = (starts != table.absent(starts.dtype)) & (lengths != table.absent(lengths.dtype))
    lanes = table[lane_by] if lane_by is not None and lane_by in table else numpy.zeros(table.rows, dtype=numpy.uint32)
    colors = table.codes(color) if color in table else None
    fixed = color if color.startswith("#") else ""
    numbers = numpy.unique(lanes[known])
    busy = {int(number): int(lengths[known & (lanes == number)].sum()) for number in numbers[:64]}
    for number in sorted(sorted(busy, key=lambda one: -busy[one])[:8]):
        of_lane = known & (lanes == number)
        by_color: Dict[str, _Spans] = {}
        for code in (numpy.unique(colors[of_lane]) if colors is not None else (None,)):
            rows = of_lane if colors is None else of_lane & (colors == code)
            what = name if code is None else facts.text(int(code), run) or "not known"
            by_color[what] = (starts[rows], starts[rows] + lengths[rows])
        yield _lane_name(facts, run, table, lane_by, number, label), fixed, by_color


def _lane_name(facts: "Facts", run: int, table: Any, lane_by: Optional[str], number: int, label: str) -> str:
    if lane_by is None:
        return label
    target = facts.table(table.columns[lane_by].target, run)
    if number >= target.rows:
        return label + "no " + lane_by
    if target.name == "threads" and "name" in target and target["name"][number]:
        return label + str(target["name"][number])
    return f"{label}{lane_by} {int(target['id'][number]) if 'id' in target else number}"


def _covered(spans: _Spans, edges: Any) -> Any:
    """How much of the time between each two edges lies in the union of some spans, 0..1."""
    numpy: Any = needed("numpy", "Report.timeline")
    starts, ends = (numpy.asarray(side, dtype=numpy.int64) for side in spans)
    if not len(starts):
        return numpy.zeros(len(edges) - 1)
    order = numpy.argsort(starts, kind="stable")
    starts, reached = starts[order], numpy.maximum.accumulate(ends[order])
    new = numpy.concatenate(([True], starts[1:] > reached[:-1]))
    first = starts[new]
    last = reached[numpy.concatenate((numpy.nonzero(new)[0][1:] - 1, [len(starts) - 1]))]
    before = numpy.concatenate(([0], numpy.cumsum(last - first)))
    at = numpy.searchsorted(first, edges, side="right")
    inside = numpy.minimum(last[at - 1], edges) - first[at - 1]
    up_to = numpy.where(at > 0, before[numpy.maximum(at - 1, 0)] + numpy.maximum(inside, 0), 0)
    return numpy.diff(up_to) / numpy.diff(edges)


def _draw(lanes: "List[_Lane]", begin: int, end: int) -> str:
    import numpy

    columns = min(_COLUMNS, end - begin)
    edges = begin + (end - begin) * numpy.arange(columns + 1, dtype=numpy.int64) // columns
    width = _COLUMNS / columns
    names: Dict[str, str] = {}
    parts, top = [], 0
    for label, fixed, by_color in lanes:
        parts.append(f"<text x='0' y='{top + _LANE - 4}'>{text(label, 40)}</text>")
        for what, spans in by_color.items():
            color = fixed or names.setdefault(what, _PALETTE[len(names) % len(_PALETTE)])
            levels = numpy.ceil(_covered(spans, edges) * _LEVELS).astype(int)
            for level in range(1, _LEVELS + 1):
                path = _path(levels == level, width, top)
                if path:
                    parts.append(f"<path d='{path}' fill='{color}' fill-opacity='{level / _LEVELS:g}'>"
                                 f"<title>{text(what)}</title></path>")
        top += _LANE + _GAP
    caption = f"{format_duration(end - begin)}, {format_duration(max(1, (end - begin) // columns))} a column"
    parts.append(f"<text x='{_LABEL}' y='{top + _LANE - 4}'>{text(caption)}: the paler, the less of it something ran</text>")
    top += _LANE
    for place, (what, color) in enumerate(list(names.items())[:_MOST_NAMES]):
        left, top = _LABEL + place % 3 * _COLUMNS // 3, top + (_LANE if place % 3 == 0 else 0)
        parts.append(f"<rect x='{left}' y='{top - 10}' width='10' height='10' fill='{color}'/>"
                     f"<text x='{left + 14}' y='{top - 1}'>{text(what, 28)}</text>")
    height = top + _GAP
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_LABEL + _COLUMNS} {height}' role='img' "
            f"style='max-width:100%;font:11px sans-serif' fill='currentColor'>"
            f"<title>{text(caption)}</title>{''.join(parts)}</svg>")


def _path(drawn: Any, width: float, top: int) -> str:
    """Boxes of the columns that are drawn, neighbours as one."""
    import numpy

    turns = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], drawn.astype(numpy.int8), [0]))))
    return "".join(f"M{_LABEL + first * width:g} {top}h{(last - first) * width:g}v{_LANE}h-{(last - first) * width:g}z"
                   for first, last in zip(turns[::2], turns[1::2]))
