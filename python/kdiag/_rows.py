# SPDX-License-Identifier: Apache-2.0
"""Rows of facts, for hosts that have them without a trace and for formats of the host."""

from __future__ import annotations

from array import array
from ctypes import byref, c_uint32, c_void_p
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._abi import Row, RunInfoStruct, lib
from ._bulk import BY_KEY, Columns
from ._library import check, name_of, whole

Value = Union[int, float, bool, str, Row, None]
_CLOCKS: Dict[str, int] = {"none": 0, "unix_ns": 1, "local_ns": 2, "device": 3}


@dataclass(frozen=True)
class RunInfo:
    """What a run is of. clock: what times count from, one of none, unix_ns, local_ns, device. telemetry: only samples,
    which join another input's run. world_size: how many ranks there are; 0: not known.

    Example: `kdiag.RunInfo(producer="my profiler", clock="unix_ns", rank=3, world_size=8)`
    """

    label: str = ""
    producer: str = ""
    host: str = ""
    clock: str = "none"
    rank: Optional[int] = None
    world_size: int = 0
    telemetry: bool = False

    def _fill(self, struct: RunInfoStruct) -> List[bytes]:
        """Gives what the struct points to."""
        if self.clock not in _CLOCKS:
            raise ValueError(f"kdiag: there is no clock {self.clock!r}; there are {', '.join(_CLOCKS)}")
        texts = [name_of(text) for text in (self.label, self.producer, self.host)]
        struct.label, struct.producer, struct.host = texts
        struct.clock, struct.telemetry = _CLOCKS[self.clock], int(self.telemetry)
        struct.world_size, struct.has_world_size = whole(self.world_size), int(self.world_size > 0)
        if self.rank is not None:
            struct.has_rank, struct.rank = 1, whole(self.rank)
        return texts


class Rows:
    """Rows by names of tables and columns, in base units (ns, bytes, Hz, B/s, W, degC, ratios 0..1).

    Mistakes in names and types leave a value out; what takes the rows reports them all at once. Used by one thread at a
    time. `Builder` has an example.
    """

    def __init__(self) -> None:
        self._rows = c_void_p()

    def add(self, table: str, /, **values: Value) -> Row:
        """Appends a row to "kernels", "samples", ... with the values, and gives the row for columns that refer to it.

        Example: `rows.add("kernels", name="gemm", start=0, dur=1000, device=rows.device(0))`
        """
        row: Row = lib.kdiag_rows_add(self._open(), name_of(table))
        self.set(row, **values)
        return row

    def set(self, row: Row, /, **values: Value) -> None:
        """Sets values of a row; None leaves one absent. Example: `rows.set(rows.device(0), name="NVIDIA H100")`"""
        rows = self._open()
        for column, value in values.items():
            name = name_of(column)
            if value is None:
                continue
            if hasattr(value, "item"):
                value = value.item()  # a scalar of NumPy
            if isinstance(value, Row):
                lib.kdiag_rows_set_row(rows, row, name, value)
            elif isinstance(value, bool):
                lib.kdiag_rows_set_boolean(rows, row, name, int(value))
            elif isinstance(value, int):
                lib.kdiag_rows_set_integer(rows, row, name, whole(value))
            elif isinstance(value, float):
                lib.kdiag_rows_set_real(rows, row, name, value)
            elif isinstance(value, str):
                text = value.encode("utf-8", "replace")
                lib.kdiag_rows_set_text(rows, row, name, text, len(text))
            else:
                raise TypeError(f"kdiag: {column} cannot be of type {type(value).__name__}")

    def add_columns(self, table: str, columns: Mapping[str, Any] = {}, /, **values: Any) -> Sequence[int]:
        """Appends many rows at once, by columns: a value for each row, or one that all rows have.

        Values are arrays of NumPy, series of pandas, arrays and memory views of Python, or lists: whole columns are handed
        over, which is a hundred times as fast as `add`. None, NaN, NaT and NA are absent. References are rows of these
        rows, or their numbers. Rows that are found by key are asked for by the columns of their key ("id", of streams
        "device", of threads "process", of frames all). Gives the number of each row in its table (2**32 - 1: none).

        Raises ValueError where columns differ in length, and for fractions, and floats from 2**53 on, in columns of whole
        numbers. Example::

            rows.add_columns("samples", time=times, value=clocks, series="sm_clock", device=rows.device(0))
        """
        rows, name = self._open(), name_of(table)
        given = Columns(table, {**columns, **values})
        before = self.count(table)
        made = (c_uint32 * given.count)() if table in BY_KEY else None
        check(lib.kdiag_rows_add_columns(rows, name, given.count, given.structs, len(given.structs), made),
              f"the columns of {table} were refused")
        return range(before, self.count(table)) if made is None else array("I", bytes(made))

    def declare(self, table: str) -> None:
        """States that a table is recorded, though it may have no rows. Example: `rows.declare("copies")`"""
        lib.kdiag_rows_declare(self._open(), name_of(table))

    def rank(self, id: int) -> Row:
        """The row of a rank. Example: `rows.add("ops", name="step", rank=rows.rank(0))`"""
        row: Row = lib.kdiag_rows_rank(self._open(), whole(id))
        return row

    def run(self) -> Row:
        """The one row of the run. Example: `rows.set(rows.run(), producer="mine")`"""
        row: Row = lib.kdiag_rows_run(self._open())
        return row

    def device(self, id: int, *, rank: Optional[Row] = None) -> Row:
        """The row of a device, of a rank or of the run's own. Example: `rows.set(rows.device(0), name="NVIDIA H100")`"""
        rows, number = self._open(), whole(id)
        row: Row = lib.kdiag_rows_device(rows, number) if rank is None else lib.kdiag_rows_device_of(rows, rank, number)
        return row

    def stream(self, device: Row, id: int) -> Row:
        """The row of a stream of a device. Example: `rows.stream(rows.device(0), 7)`"""
        row: Row = lib.kdiag_rows_stream(self._open(), device, whole(id))
        return row

    def thread(self, process: int, id: int, *, rank: Optional[Row] = None) -> Row:
        """The row of a thread of a process, of a rank or of the run's own.

        Example: `rows.thread(os.getpid(), threading.get_native_id())`
        """
        rows, key = self._open(), (whole(process), whole(id))
        row: Row = lib.kdiag_rows_thread(rows, *key) if rank is None else lib.kdiag_rows_thread_of(rows, rank, *key)
        return row

    def frame(
        self, file: str, line: int = 0, function: str = "", how: str = "line", *, parent: Optional[Row] = None
    ) -> Row:
        """The row of a source position. line 0: not known; how: line, function, range or module; parent: its caller's.

        Example: `rows.add("ops", name="step", frame=rows.frame("train.py", 42, "step"))`
        """
        row: Row = lib.kdiag_rows_frame(self._open(), name_of(file), whole(line), name_of(function), name_of(how),
                                        None if parent is None else byref(parent))
        return row

    def count(self, table: str) -> int:
        """How many rows a table has so far. Example: `rows.count("kernels")`"""
        return int(lib.kdiag_rows_count(self._open(), name_of(table)))

    def shift_times(self, ns: int) -> None:
        """Adds to every instant so far, for inputs that state the origin of their times behind the events.

        Example: `rows.shift_times(1_700_000_000_000_000_000)`
        """
        lib.kdiag_rows_shift_times(self._open(), whole(ns))

    def _open(self) -> c_void_p:
        if not self._rows:
            raise ValueError("kdiag: the rows are complete: no more can be added")
        return self._rows

    def _close(self) -> None:
        self._rows = c_void_p()
