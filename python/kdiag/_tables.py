# SPDX-License-Identifier: Apache-2.0
"""Tables of facts, and what they can have."""

from __future__ import annotations

import ctypes
import html
from ctypes import byref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Tuple

from ._abi import ABSENT_INDEX, ColumnDataStruct, ColumnInfoStruct, TableInfoStruct, lib
from ._library import Context
from ._optional import needed

if TYPE_CHECKING:
    import numpy
    import pandas

    from ._facts import Facts

_INTEGER, _SMALL, _REAL, _BOOLEAN, _STRING, _REFERENCE = range(6)
_TYPES = ("integer", "small integer", "real", "boolean", "string", "reference")
_C_TYPES = {_INTEGER: ctypes.c_int64, _SMALL: ctypes.c_int32, _REAL: ctypes.c_double}


@dataclass(frozen=True)
class Column:
    """What a column holds: `facts["kernels"].columns["dur"].unit`.

    type: integer, small integer, real, boolean, string, reference. unit: ns, bytes, Hz, B/s, W, degC, ratio, 1; empty
    for what is no number. target: the table whose rows a reference names. provider: who supplied it; empty when nobody
    did.
    """

    name: str
    type: str
    unit: str
    doc: str
    target: str
    provider: str = ""


class Catalogue:
    """The numbers of tables and columns, read from the library once."""

    def __init__(self) -> None:
        self.tables: Dict[str, Tuple[int, Dict[str, int]]] = {}
        self.docs: Dict[str, str] = {}
        self.columns: Dict[str, List[Column]] = {}
        for number in range(lib.kdiag_table_count()):
            table = TableInfoStruct()
            lib.kdiag_table(number, byref(table))
            columns: List[Column] = []
            for place in range(table.columns):
                column = ColumnInfoStruct()
                lib.kdiag_column(number, place, byref(column))
                columns.append(Column(str(column.name), _TYPES[column.type], str(column.unit), str(column.doc),
                                      str(column.target)))
            name = str(table.name)
            self.tables[name] = (number, {column.name: place for place, column in enumerate(columns)})
            self.docs[name], self.columns[name] = str(table.doc), columns


catalogue = Catalogue()


class Table(Mapping[str, Any]):
    """A table of facts: a mapping of the columns that have values to NumPy arrays.

    Numbers are views of the library's memory: not copied, read-only, in base units (ns, bytes, Hz, W, ratios 0..1).
    Absent values are `Table.absent` of the column's type, NaN in columns of reals; `column(name, masked=True)` gives a
    masked array instead. Texts are arrays of str, None where absent.

    Example: `kdiag.load("trace.json")["kernels"]["dur"].max()`
    """

    def __init__(self, facts: "Facts", run: int, name: str) -> None:
        if name not in catalogue.tables:
            raise KeyError(f"there is no table {name!r}; there are {', '.join(catalogue.tables)}")
        self._facts, self._run, self.name = facts, facts._run(run), name
        self._number, self._places = catalogue.tables[name]
        rows = lib.kdiag_facts_rows(facts._handle, self._run, self._number)
        self.recorded = rows >= 0
        """Whether the input records the table: a recorded table without rows is empty, not absent."""
        self.rows = max(rows, 0)
        self.doc = catalogue.docs[name]
        """What a row of the table is."""

    def __getitem__(self, name: str) -> "numpy.ndarray[Any, Any]":
        return self.column(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, place in self._places.items() if self._data(place).data)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def columns(self) -> Dict[str, Column]:
        """The columns that the table can have, with units and who supplied them.

        Example: `{name for name, column in facts["kernels"].columns.items() if column.provider}`
        """
        return {column.name: replace(column, provider=str(self._data(place).provider))
                for place, column in enumerate(catalogue.columns[self.name])}

    def column(self, name: str, *, masked: bool = False) -> "numpy.ndarray[Any, Any]":
        """The values of a column, one per row. Raises KeyError when no row has one."""
        needed("numpy", "Table.column")
        import numpy

        data = self._recorded(name)
        if data.type == _STRING:
            return self._texts(self._array(data, ctypes.c_uint32))
        values = self._array(data, _C_TYPES.get(data.type, ctypes.c_uint32))
        if data.type == _BOOLEAN and not (values == ABSENT_INDEX).any():
            return values.astype(bool)
        if not masked:
            return values
        absent = numpy.isnan(values) if data.type == _REAL else values == self.absent(values.dtype)
        masked_array: Any = numpy.ma.masked_array  # its types are not stated
        array: "numpy.ndarray[Any, Any]" = masked_array(values, mask=absent)
        return array

    def codes(self, name: str) -> "numpy.ndarray[Any, Any]":
        """A column of texts as the library keeps it: equal numbers are equal texts (`Facts.text`).

        Example: `numpy.bincount(facts["kernels"].codes("name"))`
        """
        data = self._recorded(name)
        if data.type != _STRING:
            raise TypeError(f"{self.name}.{name} holds no texts")
        return self._array(data, ctypes.c_uint32)

    @staticmethod
    def absent(dtype: Any) -> int:
        """What stands for an absent value in arrays of whole numbers: never zero."""
        import numpy

        limits = numpy.iinfo(dtype)
        return int(limits.min if limits.min < 0 else limits.max)

    def part(self) -> "numpy.ndarray[Any, Any]":
        """The numbers of the rows in the part of the run that was chosen when the facts were loaded (`steps`, `from_ns`,
        `within`, `rank`, ...), ascending; all rows where none was.

        Example: `kernels = kdiag.load("trace.json", steps=(5, 8))["kernels"]; kernels["dur"][kernels.part()].sum()`
        """
        needed("numpy", "Table.part")
        import numpy

        count = ctypes.c_size_t()
        rows = numpy.empty(self.rows, dtype=numpy.uint32)
        Context().call(lib.kdiag_facts_part, self._facts._handle, self._run, self._number,
                       rows.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)), self.rows, byref(count))
        return rows[:count.value]

    def to_pandas(self, *, part: bool = False) -> "pandas.DataFrame":
        """The table as a data frame, with absent values as such. Needs pandas. `from_frames` takes it back.

        part: the rows of `Table.part` alone. The index is the number of the row, which is what other tables hold of it:
        `kernels.join(calls["name"], on="launch", rsuffix="_of_call")`.
        """
        needed("numpy", "Table.to_pandas")
        pandas = needed("pandas", "Table.to_pandas")

        frame = {}
        for name in self:
            values = self.column(name, masked=self._data(self._places[name]).type not in (_STRING, _BOOLEAN))
            if hasattr(values, "mask") and values.mask.any():
                series = pandas.Series(values.data)
                frame[name] = series.where(~values.mask, pandas.NA).astype("Int64") if series.dtype.kind in "iu" \
                    else series
            else:
                frame[name] = pandas.Series(getattr(values, "data", values) if hasattr(values, "mask") else values)
        whole = pandas.DataFrame(frame)
        return whole.loc[self.part()] if part else whole

    def _recorded(self, name: str) -> ColumnDataStruct:
        if name not in self._places:
            raise KeyError(f"{self.name} has no column {name!r}; it has {', '.join(self._places)}")
        data = self._data(self._places[name])
        if not data.data:
            raise KeyError(f"{self.name}.{name} is not recorded")
        return data

    def _data(self, place: int) -> ColumnDataStruct:
        data = ColumnDataStruct()
        lib.kdiag_facts_column(self._facts._handle, self._run, self._number, place, byref(data))
        return data

    def _array(self, data: ColumnDataStruct, ctype: Any) -> "numpy.ndarray[Any, Any]":
        import numpy

        memory = (ctype * data.rows).from_address(data.data)
        memory.facts = self._facts  # lives as long as the array, which keeps its memory
        array = numpy.frombuffer(memory, dtype=ctype)
        array.flags.writeable = False
        return array

    def _texts(self, codes: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
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
