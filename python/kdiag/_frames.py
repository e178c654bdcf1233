# SPDX-License-Identifier: Apache-2.0
"""Facts of data frames, all rows of a table at once."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Sequence

from ._facts import Facts, load
from ._rows import RunInfo
from ._tables import catalogue

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._facts import LoadOptions

_CLOCKS = {"none": "none", "unix_ns": "unix", "local_ns": "local", "device": "device"}
_ROWS_OF_LINE = 1000
_FIRST = ("runs", "ranks", "devices", "streams", "threads", "frames", "steps", "ops", "api")  # others refer to them
_EXACT_REAL = 2**53  # from here on a double does not tell neighbouring whole numbers apart


def from_frames(
    frames: "Mapping[str, Any]",
    info: RunInfo = RunInfo(),
    **load_options: "Unpack[LoadOptions]",
) -> Facts:
    """The facts of one run, from its tables: data frames of pandas, or anything else that maps names of columns to values.

    Columns are those of the catalogue (`kdiag.catalogue()`), in base units (ns, bytes, Hz, W, ratios 0..1); what is None,
    NaN or NA is not known. A reference (`device`, `launch`, ...) holds the number of the row in its table, from 0, as
    `Table.to_pandas` gives it. A frame without rows states that its table was recorded. Raises KeyError for unknown
    tables and columns, ValueError for times that are no whole numbers, or were none for a while: a column of floats
    holds no nanoseconds since 1970. load_options: as for `load`. Example::

        facts = kdiag.from_frames({"devices": devices, "kernels": kernels}, kdiag.RunInfo(clock="device"))
        print(kdiag.diagnose(facts))
    """
    lines: List[Dict[str, Any]] = [{"schema": "kdiag.facts/1", "writer": "kdiag of Python"}, {"run": _run(info)}]
    for table in _in_order(frames):
        lines += _table_lines(table, frames[table])
    content = "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines).encode()
    load_options.setdefault("name", "frames")
    return load(content, **load_options)


def _run(info: RunInfo) -> Dict[str, Any]:
    if info.clock not in _CLOCKS:
        raise ValueError(f"kdiag: there is no clock {info.clock!r}; there are {', '.join(_CLOCKS)}")
    run: Dict[str, Any] = {"label": info.label or None, "producer": info.producer or None, "clock": _CLOCKS[info.clock]}
    stated = {"rank": info.rank, "world_size": info.world_size or None, "host": info.host or None,
              "telemetry": info.telemetry or None}
    run.update({key: value for key, value in stated.items() if value is not None})
    return run


def _in_order(frames: "Mapping[str, Any]") -> Iterable[str]:
    unknown = [name for name in frames if name not in catalogue.tables]
    if unknown:
        raise KeyError(f"there is no table {unknown[0]!r}; there are {', '.join(catalogue.tables)}")
    return [name for name in dict.fromkeys((*_FIRST, *catalogue.tables)) if name in frames]


def _table_lines(table: str, frame: Any) -> Iterable[Dict[str, Any]]:
    types = {column.name: column.type for column in catalogue.columns[table]}
    names = [str(name) for name in frame]
    for name in names:
        if name not in types:
            raise KeyError(f"{table} has no column {name!r}; it has {', '.join(types)}")
    columns = [_values(f"{table}.{name}", types[name], frame[name]) for name in names]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise ValueError(f"kdiag: columns of {table} differ in length: {sorted(lengths)}")
    rows = list(zip(*columns))
    for begin in range(0, max(len(rows), 1), _ROWS_OF_LINE):
        yield {"table": table, "columns": names, "rows": rows[begin:begin + _ROWS_OF_LINE]}


def _values(what: str, kind: str, values: Any) -> Sequence[Any]:
    """The values as JSON has them: None where nothing is known."""
    stored = getattr(getattr(values, "dtype", None), "kind", "O")
    if hasattr(values, "isna") and values.isna().any():  # of a series: in bulk
        values = values.astype(object).where(~values.isna(), None)
    plain: Sequence[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    if stored not in ("i", "u", "b"):  # a NaN is what no value is equal to
        plain = [None if value is None or value != value else value for value in plain]
    if kind == "string":
        return [None if value is None else str(value) for value in plain]
    if kind == "boolean":
        return [None if value is None else bool(value) for value in plain]
    if kind == "real":
        return [None if value is None or not math.isfinite(value) else float(value) for value in plain]
    if stored in ("i", "u"):
        return plain
    return [None if value is None else _whole(what, value) for value in plain]


def _whole(what: str, value: Any) -> int:
    try:
        number = int(value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"kdiag: {what} holds {value!r}, which is no exact whole number") from None
    if number != value or (isinstance(value, float) and abs(value) > _EXACT_REAL):
        raise ValueError(f"kdiag: {what} holds {value!r}, which is no exact whole number")
    return number
