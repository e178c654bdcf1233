# SPDX-License-Identifier: Apache-2.0
"""Facts: what traces say, as tables of columns."""

from __future__ import annotations

import ctypes
import html
import json
import os
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from ._library import (
    ABSENT_INDEX,
    ColumnDataStruct,
    ColumnStruct,
    Context,
    Handle,
    InputInfoStruct,
    InputStruct,
    LoadOptionsStruct,
    NoteStruct,
    TableStruct,
    lib,
    text_of,
)
from ._rules import Rules

if TYPE_CHECKING:
    import numpy
    import pandas

Input = Union[str, bytes, "os.PathLike[str]"]
_INTEGER, _SMALL, _REAL, _BOOLEAN, _STRING, _REFERENCE = range(6)
_C_TYPES = {_INTEGER: ctypes.c_int64, _SMALL: ctypes.c_int32, _REAL: ctypes.c_double}
_PATH, _MEMORY = range(2)
_STEPS, _RANK, _DEVICE = 1, 8, 16


class _Catalogue:
    """The numbers of tables and columns, read from the library once."""

    def __init__(self) -> None:
        self.tables: Dict[str, Tuple[int, Dict[str, int]]] = {}
        for number in range(lib.kdiag_table_count()):
            table = TableStruct()
            lib.kdiag_table(number, byref(table))
            columns = {}
            for place in range(table.columns):
                column = ColumnStruct()
                lib.kdiag_column(number, place, byref(column))
                columns[str(column.name)] = place
            self.tables[str(table.name)] = (number, columns)


_catalogue = _Catalogue()


class Table(Mapping[str, Any]):
    """A table of facts: a mapping of the columns that have values to NumPy arrays.

    Numbers are views of the library's memory: not copied, read-only, in base units (ns, bytes, Hz, W, ratios 0..1).
    Absent values are `Table.absent` of the column's type, NaN in columns of reals; `column(name, masked=True)` gives a
    masked array instead. Texts are arrays of str, None where absent.
    """

    def __init__(self, facts: "Facts", run: int, name: str) -> None:
        if name not in _catalogue.tables:
            raise KeyError(f"there is no table {name!r}; there are {', '.join(_catalogue.tables)}")
        self._facts, self._run, self.name = facts, run, name
        self._number, self._places = _catalogue.tables[name]
        rows = lib.kdiag_facts_rows(facts._handle.pointer, run, self._number)
        self.recorded = rows >= 0
        """Whether the input records the table: a recorded table without rows is empty, not absent."""
        self.rows = max(rows, 0)

    def __getitem__(self, name: str) -> "numpy.ndarray":
        return self.column(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, place in self._places.items() if self._data(place).data)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def column(self, name: str, *, masked: bool = False) -> "numpy.ndarray":
        """The values of a column, one per row. Raises KeyError when no row has one."""
        import numpy

        if name not in self._places:
            raise KeyError(f"{self.name} has no column {name!r}; it has {', '.join(self._places)}")
        data = self._data(self._places[name])
        if not data.data:
            raise KeyError(f"{self.name}.{name} is not recorded")
        if data.type == _STRING:
            return self._texts(self._array(data, ctypes.c_uint32))
        values = self._array(data, _C_TYPES.get(data.type, ctypes.c_uint32))
        if data.type == _BOOLEAN and not (values == ABSENT_INDEX).any():
            return values.astype(bool)
        if not masked:
            return values
        absent = numpy.isnan(values) if data.type == _REAL else values == self.absent(values.dtype)
        return numpy.ma.masked_array(values, mask=absent)

    def codes(self, name: str) -> "numpy.ndarray":
        """A column of texts as the library keeps it: equal numbers are equal texts (`Facts.text`)."""
        return self._array(self._data(self._places[name]), ctypes.c_uint32)

    @staticmethod
    def absent(dtype: Any) -> int:
        """What stands for an absent value in arrays of whole numbers: never zero."""
        import numpy

        limits = numpy.iinfo(dtype)
        return limits.min if limits.min < 0 else limits.max

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a data frame, with absent values as such. Needs pandas."""
        import pandas

        frame = {}
        for name in self:
            values = self.column(name, masked=self._data(self._places[name]).type not in (_STRING, _BOOLEAN))
            if hasattr(values, "mask") and values.mask.any():
                series = pandas.Series(values.data)
                frame[name] = series.where(~values.mask, pandas.NA).astype("Int64") if series.dtype.kind in "iu" \
                    else series
            else:
                frame[name] = pandas.Series(getattr(values, "data", values) if hasattr(values, "mask") else values)
        return pandas.DataFrame(frame)

    def _data(self, place: int) -> ColumnDataStruct:
        data = ColumnDataStruct()
        lib.kdiag_facts_column(self._facts._handle.pointer, self._run, self._number, place, byref(data))
        return data

    def _array(self, data: ColumnDataStruct, ctype: Any) -> "numpy.ndarray":
        import numpy

        memory = (ctype * data.rows).from_address(data.data)
        memory.facts = self._facts  # lives as long as the array, which keeps its memory
        array = numpy.frombuffer(memory, dtype=ctype)
        array.flags.writeable = False
        return array

    def _texts(self, codes: "numpy.ndarray") -> "numpy.ndarray":
        import numpy

        known, places = numpy.unique(codes, return_inverse=True)
        texts = numpy.empty(len(known), dtype=object)
        for index, code in enumerate(known):
            texts[index] = None if code == ABSENT_INDEX else self._facts.text(int(code), self._run)
        return texts[places]

    def __repr__(self) -> str:
        state = f"{self.rows} rows, columns {', '.join(self)}" if self.recorded else "not recorded"
        return f"<kdiag.Table {self.name}: {state}>"

    def _repr_html_(self) -> str:
        names = list(self)
        columns = [self.column(name, masked=True)[:10] for name in names]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(column[row]))}</td>" for column in columns) + "</tr>"
            for row in range(min(self.rows, 10)))
        return f"<p>{html.escape(self.name)}: {self.rows} rows</p><table><tr>{head}</tr>{body}</table>"


class Facts:
    """What traces say, immutable. Made by `load`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def run_count(self) -> int:
        """Runs are executions of the workload; each is judged on its own."""
        return lib.kdiag_facts_run_count(self._handle.pointer)

    @property
    def inputs(self) -> List[Dict[str, Any]]:
        """The inputs that were read, with their notes."""
        found = []
        for index in range(lib.kdiag_facts_input_count(self._handle.pointer)):
            info = InputInfoStruct()
            lib.kdiag_facts_input(self._handle.pointer, index, byref(info))
            notes = []
            for number in range(info.notes):
                note = NoteStruct()
                lib.kdiag_facts_note(self._handle.pointer, index, number, byref(note))
                notes.append({"id": str(note.id), "severity": str(note.severity), "text": str(note.text),
                              "count": note.count})
            found.append({"path": str(info.path), "adapter": str(info.adapter), "producer": str(info.producer),
                          "events": info.events, "notes": notes})
        return found

    def tables(self, run: int = 0) -> List[str]:
        """The names of the tables that the run records."""
        return [name for name in _catalogue.tables if Table(self, run, name).recorded]

    def table(self, name: str, run: int = 0) -> Table:
        """A table of a run: "kernels", "ops", "samples", ..."""
        return Table(self, run, name)

    def __getitem__(self, name: str) -> Table:
        return Table(self, 0, name)

    def text(self, code: int, run: int = 0) -> str:
        """The text of a code of a column of texts."""
        return str(lib.kdiag_facts_string(self._handle.pointer, run, code))

    def query(
        self,
        expression: str,
        rules: Optional[Rules] = None,
        *,
        baseline: Optional["Facts"] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Answers an expression of the rule language: `facts.query("sum(kernels, dur)")["value"]`.

        The answer is that of `kdiag query --format json`: a dict, for several runs a list of them. baseline: what
        `baseline()`, `delta()` and `change()` compare with.
        """
        pointer = None if rules is None else rules._handle.pointer
        answer = Context(timeout=timeout).make(
            lib.kdiag_answer_free, lib.kdiag_query, self._handle.pointer, pointer_of(baseline), pointer,
            expression.encode())
        return json.loads(text_of(answer, lib.kdiag_answer_json))

    def explain(self, rule: str, rules: Rules, *, baseline: Optional["Facts"] = None) -> str:
        """Why a rule fires or not: the tree of values behind its outcome."""
        return Context().text(lib.kdiag_explain, self._handle.pointer, pointer_of(baseline), rules._handle.pointer,
                              rule.encode())

    def __repr__(self) -> str:
        return f"<kdiag.Facts of {', '.join(entry['path'] for entry in self.inputs)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{self.table(name).rows}</td></tr>" for name in self.tables())
        return f"<table><tr><th>table</th><th>rows</th></tr>{rows}</table>"


def pointer_of(facts: Optional[Facts]) -> Optional[ctypes.c_void_p]:
    """The handle of facts that may be missing."""
    return None if facts is None else facts._handle.pointer


def load(
    inputs: Union[Input, Iterable[Input]],
    *,
    name: str = "trace",
    steps: Optional[Tuple[int, int]] = None,
    within: Optional[str] = None,
    rank: Optional[int] = None,
    device: Optional[int] = None,
    threads: int = 0,
    timeout: Optional[float] = None,
    max_rows: int = 0,
    max_bytes: int = 0,
) -> Facts:
    """Loads one trace or several that belong together: paths of files, folders and archives, or bytes.

    name: how reports call an input of bytes. steps, within, rank, device: the part of each run that is judged.
    timeout: seconds. max_rows, max_bytes: what one input may bring. Raises InputError, DeadlineExceeded, LimitExceeded.
    """
    given = [inputs] if isinstance(inputs, (str, bytes, os.PathLike)) else list(inputs)
    structs = (InputStruct * len(given))()
    kept = []  # the buffers that the structs point to
    for struct, item in zip(structs, given):
        struct.size = ctypes.sizeof(InputStruct)
        if isinstance(item, bytes):
            buffer = ctypes.c_char_p(item)
            kept.append(buffer)
            struct.kind, struct.name = _MEMORY, os.fsencode(name)
            struct.bytes, struct.byte_count = ctypes.cast(buffer, ctypes.c_void_p), len(item)
        else:
            struct.kind, struct.name = _PATH, os.fsencode(item)
    options = LoadOptionsStruct()
    if steps is not None:
        options.scope |= _STEPS
        options.first_step, options.last_step = steps
    if rank is not None:
        options.scope |= _RANK
        options.rank = rank
    if device is not None:
        options.scope |= _DEVICE
        options.device = device
    if within is not None:
        options.within = within.encode()
    context = Context(threads, timeout, max_rows, max_bytes)
    return Facts(context.make(lib.kdiag_facts_free, lib.kdiag_facts_load_inputs, structs, len(given), byref(options)))
