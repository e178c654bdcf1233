# SPDX-License-Identifier: Apache-2.0
"""Facts of data frames, all rows of a table at once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence

from ._builder import Builder
from ._bulk import BY_KEY, Columns, depths, is_one, rows_through
from ._facts import Facts
from ._library import CancelToken
from ._rows import RunInfo
from ._tables import catalogue

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._facts import ScopeOptions

_FIRST = ("runs", "ranks", "devices", "streams", "threads", "frames", "steps", "ops", "api")  # others refer to them


def from_frames(
    frames: "Mapping[str, Any]",
    info: RunInfo = RunInfo(),
    *,
    name: str = "frames",
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    **scope: "Unpack[ScopeOptions]",
) -> Facts:
    """The facts of one run, from its tables: data frames of pandas, or anything else that maps names of columns to values.

    Columns are those of the catalogue (`kdiag.catalogue()`), in base units (ns, bytes, Hz, W, ratios 0..1); what is None,
    NaN or NA is not known. A reference (`device`, `launch`, ...) holds the number of the row in its table, from 0, as
    `Table.to_pandas` gives it. A frame without rows states that its table was recorded. Raises KeyError for unknown
    tables and columns, ValueError for parents in a circle, and for times that are no whole numbers, or were none for a while:
    a column of floats holds no nanoseconds since 1970; InputError as `Builder.build`. scope: the part of the run, as for `load`. Example::

        facts = kdiag.from_frames({"devices": devices, "kernels": kernels}, kdiag.RunInfo(clock="device"))
        print(kdiag.diagnose(facts))
    """
    builder = Builder(name, info)
    made: Dict[str, Sequence[int]] = {}
    for table in _in_order(frames):
        made[table] = _add(builder, table, frames[table], made)
    return builder.build(timeout=timeout, cancel=cancel, **scope)


def _in_order(frames: "Mapping[str, Any]") -> Iterable[str]:
    unknown = [name for name in frames if name not in catalogue.tables]
    if unknown:
        raise KeyError(f"there is no table {unknown[0]!r}; there are {', '.join(catalogue.tables)}")
    return [name for name in dict.fromkeys((*_FIRST, *catalogue.tables)) if name in frames]


def _add(builder: Builder, table: str, frame: Any, made: Mapping[str, Sequence[int]]) -> Sequence[int]:
    """Adds the rows of a frame; where each is in its table."""
    target_of = {column.name: column.target for column in catalogue.columns[table]}
    columns: Dict[str, Any] = {}
    parent = ""  # the column that refers to rows of the frame itself
    for name in map(str, frame):
        if name not in target_of:
            raise KeyError(f"{table} has no column {name!r}; it has {', '.join(target_of)}")
        if target_of[name] == table:
            parent = name
        rows = made.get(target_of[name])
        moved = isinstance(rows, array) and rows != array("I", range(len(rows)))  # two rows of one key are one
        columns[name] = rows_through(rows, frame[name]) if rows is not None and moved else frame[name]
    builder.declare(table)
    if parent and table in BY_KEY and not is_one(f"{table}.{parent}", columns[parent]) and columns[parent] is not None:
        return _add_by_depth(builder, table, columns, parent)
    return builder.add_columns(table, columns) if columns else ()


def _add_by_depth(builder: Builder, table: str, columns: Mapping[str, Any], parent: str) -> Sequence[int]:
    """Adds rows that refer to others of their frame behind these: where two of them are one, numbers change."""
    Columns(table, columns)  # says what is wrong with them, by rows of the frame
    depth = depths(f"{table}.{parent}", columns[parent])
    rows_at: Dict[int, List[int]] = {}
    for row, level in enumerate(depth):
        rows_at.setdefault(level, []).append(row)
    plain = {name: [values] * len(depth) if is_one(name, values) else list(values) for name, values in columns.items()}
    made = array("I", bytes(4 * len(depth)))
    for _, rows in sorted(rows_at.items()):
        part = {name: [values[row] for row in rows] for name, values in plain.items()}
        part[parent] = rows_through(made, part[parent])
        for row, number in zip(rows, builder.add_columns(table, part)):
            made[row] = number
    return made
