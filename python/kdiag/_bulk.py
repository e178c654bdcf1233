# SPDX-License-Identifier: Apache-2.0
"""Columns of many rows as the library takes them: memory and a type, without a step for each row."""

from __future__ import annotations

import ctypes
import math
from array import array
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ._abi import ABSENT_INDEX, ABSENT_INTEGER, ColumnValuesStruct, Row, String
from ._tables import Column, catalogue

_INTEGER, _SMALL, _REAL, _BOOLEAN, _STRING, _REFERENCE = range(6)
BY_KEY = ("runs", "ranks", "devices", "streams", "threads", "frames")
"""Tables whose rows are found by key."""
_EXACT_REAL = 2**53  # from here on a double does not tell neighbouring whole numbers apart


class Columns:
    """Columns of one table, as an array of structs, and how many rows they have."""

    def __init__(self, table: str, values: Mapping[str, Any]) -> None:
        known = {column.name: column for column in catalogue.columns.get(table, ())}
        structs: List[ColumnValuesStruct] = []
        self.kept: List[Any] = []
        self.count = 1
        length_of: Dict[str, int] = {}
        for name, given in values.items():
            if given is None:
                continue
            struct = ColumnValuesStruct()
            struct.column = str(name).encode("utf-8", "replace")
            column = known.get(name)
            what = f"{table}.{name}"
            if column is None:  # the library says that there is none, whatever its values are
                _integers(struct, what, [None], self.kept)
            elif is_one(what, given):
                _fill(struct, column, what, [given], self.kept)
            else:
                length_of[what] = len(given)
                _fill(struct, column, what, given, self.kept)
            structs.append(struct)
        if not structs:
            raise ValueError(f"kdiag: no column of {table} has a value; add() makes a row without any")
        if length_of:
            self.count = max(length_of.values())
            for what, length in length_of.items():
                if length != self.count:
                    longest = max(length_of, key=lambda one: length_of[one])
                    raise ValueError(f"kdiag: {what} has {length} values, and {longest} has {self.count}")
        self.structs = (ColumnValuesStruct * len(structs))(*structs)


def is_one(what: str, value: Any) -> bool:
    """Whether a value is that of all rows."""
    if isinstance(value, (str, bytes, bool, int, float, Row)) or getattr(value, "ndim", 1) == 0:
        return True
    if getattr(value, "ndim", 1) != 1 or (hasattr(value, "__iter__") and not hasattr(value, "__len__")):
        raise ValueError(f"kdiag: {what} is to be one value, a list, or an array of one dimension")
    return not hasattr(value, "__len__")


def _fill(struct: ColumnValuesStruct, column: Column, what: str, values: Any, kept: List[Any]) -> None:
    fill = {"integer": _integers, "small integer": _integers, "real": _reals, "boolean": _booleans, "string": _texts}
    if hasattr(values, "__len__") and not hasattr(values, "dtype") and not isinstance(values, (list, tuple)):
        values = _of_buffer(values)
    if column.type == "reference":
        _rows(struct, column, what, values, kept)
    else:
        fill[column.type](struct, what, values, kept)


def _of_buffer(values: Any) -> Any:
    """Numbers that lie in memory as an array of the standard library; anything else as a list."""
    try:
        memory = memoryview(values)
    except TypeError:
        return list(values)
    if memory.format not in ("q", "l", "i", "d", "I"):
        return memory.tolist()
    return array(memory.format, memory.tobytes())


def _point(struct: ColumnValuesStruct, type: int, memory: Any, count: int, kept: List[Any]) -> None:
    """Lets a struct point at values: an array, bytes, or an array of NumPy, which lives as long as `kept`."""
    struct.type, struct.count = type, count
    struct.data = _address(memory, kept)


def _address(memory: Any, kept: List[Any]) -> int:
    kept.append(memory)
    if isinstance(memory, array):
        return memory.buffer_info()[0]
    if isinstance(memory, bytes):
        return ctypes.cast(ctypes.c_char_p(memory), ctypes.c_void_p).value or 0
    address: int = memory.ctypes.data
    return address


def _mark(struct: ColumnValuesStruct, missing: Any, kept: List[Any]) -> None:
    """Marks the values that are absent; missing: an array of NumPy of truths."""
    if missing is not None and missing.any():
        struct.valid = _address((~missing).astype("uint8"), kept)


def _is_missing(value: Any) -> bool:
    """None, NaN, NaT and NA: what is equal to nothing, and NA not even to False."""
    if value is None:
        return True
    different = value != value
    return bool(different) if isinstance(different, bool) or hasattr(different, "dtype") else True


def _numbers(values: Any) -> "Optional[Tuple[Any, Any]]":
    """An array of NumPy of numbers, and one of which are missing; nothing where they are objects."""
    kind = getattr(values.dtype, "kind", "O")
    if kind not in "iufbmM":
        return None
    missing = None
    if hasattr(values, "isna"):  # of pandas
        missing = values.isna()
        missing = missing.to_numpy() if hasattr(missing, "to_numpy") else missing
        own = {"i": "int64", "u": "uint64", "f": "float64", "b": "bool"}.get(kind)
        if own and not hasattr(values.dtype, "newbyteorder"):  # not as NumPy stores it
            values = values.to_numpy(dtype=own, na_value=math.nan if kind == "f" else 0)
        else:
            values = values.to_numpy()
    if kind in "mM":  # instants and spans; NaT is what stands for an absent one
        values = values.astype("datetime64[ns]" if kind == "M" else "timedelta64[ns]").view("int64")
    elif kind == "f":
        missing = values != values
    return values, missing


def _whole_numbers(what: str, values: Any) -> "Optional[Tuple[Any, Any]]":
    """The same of numbers without fractions, which others are refused for."""
    found = _numbers(values)
    if found is None:
        return None
    numbers, missing = found
    if numbers.dtype.kind == "f":
        known = numbers[~missing]
        wrong = (known != known.round()) | (abs(known) > _EXACT_REAL)
        if wrong.any():
            _refuse(what, float(known[wrong.argmax()]), int((~missing).nonzero()[0][wrong.argmax()]))
        numbers = numbers.astype("float64")
        numbers[missing] = 0
    elif numbers.dtype == "uint64" and len(numbers) and int(numbers.max()) >= 2**63:
        _refuse(what, int(numbers.max()), int(numbers.argmax()))
    return _contiguous(numbers, "int32" if numbers.dtype == "int32" else "int64"), missing


def _contiguous(values: Any, dtype: str) -> Any:
    return values.astype(dtype, order="C", copy=not values.flags.c_contiguous)


def _plain(values: Any) -> Any:
    return values.tolist() if hasattr(values, "dtype") else values


def _integers(struct: ColumnValuesStruct, what: str, values: Any, kept: List[Any]) -> None:
    found = _whole_numbers(what, values) if hasattr(values, "dtype") else None
    if found is None:
        numbers = _whole_list(what, _plain(values))
        return _point(struct, _INTEGER, numbers, len(numbers), kept)
    numbers, missing = found
    _point(struct, _SMALL if numbers.dtype == "int32" else _INTEGER, numbers, len(numbers), kept)
    _mark(struct, missing, kept)


def _refuse(what: str, value: Any, row: int) -> None:
    raise ValueError(f"kdiag: {what} holds {value!r} in row {row}, which is no exact whole number")


def _whole_list(what: str, values: Sequence[Any]) -> Any:
    if isinstance(values, array) and values.typecode in "ql" and values.itemsize == 8:
        return values
    try:
        return array("q", values)
    except (TypeError, OverflowError):
        return array("q", [ABSENT_INTEGER if _is_missing(value) else _whole(what, value, row)
                           for row, value in enumerate(values)])


def _whole(what: str, value: Any, row: int) -> int:
    try:
        number = int(value)
    except (OverflowError, TypeError, ValueError):
        number = None
    exact = number is not None and number == value and not (isinstance(value, float) and abs(value) > _EXACT_REAL)
    if number is None or not exact or not -(2**63) < number < 2**63:
        _refuse(what, value, row)
    return number or 0


def _reals(struct: ColumnValuesStruct, what: str, values: Any, kept: List[Any]) -> None:
    found = _numbers(values) if hasattr(values, "dtype") else None
    if found is not None:
        numbers, missing = _contiguous(found[0], "float64"), found[1]
        _point(struct, _REAL, numbers, len(numbers), kept)
        return _mark(struct, missing, kept)
    plain = _plain(values)
    try:
        reals = plain if isinstance(plain, array) and plain.typecode == "d" else array("d", plain)
    except (TypeError, OverflowError):
        reals = array("d", [math.nan if _is_missing(value) else _real(what, value, row) for row, value in enumerate(plain)])
    _point(struct, _REAL, reals, len(reals), kept)


def _real(what: str, value: Any, row: int) -> float:
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (OverflowError, TypeError, ValueError):
        pass
    raise ValueError(f"kdiag: {what} holds {repr(value)[:40]} in row {row}, which is no number")


def _booleans(struct: ColumnValuesStruct, what: str, values: Any, kept: List[Any]) -> None:
    found = _numbers(values) if hasattr(values, "dtype") else None
    if found is not None:
        truths, missing = _contiguous(found[0], "bool"), found[1]
        _point(struct, _BOOLEAN, truths, len(truths), kept)
        return _mark(struct, missing, kept)
    plain = _plain(values)
    known = bytes([not _is_missing(value) for value in plain])
    _point(struct, _BOOLEAN, bytes([there and bool(value) for there, value in zip(known, plain)]), len(known), kept)
    if 0 in known:
        struct.valid = _address(known, kept)


def _texts(struct: ColumnValuesStruct, what: str, values: Any, kept: List[Any]) -> None:
    if hasattr(values, "cat"):  # of pandas, with its texts apart
        places, texts = values.cat.codes.to_numpy(), list(values.cat.categories)
    elif hasattr(values, "factorize"):
        places, found = values.factorize()
        texts = list(found)
    else:
        return _texts_of_list(struct, what, values.tolist() if hasattr(values, "tolist") else values, kept)
    _point(struct, _STRING, _contiguous(places, "uint32"), len(places), kept)  # -1, of none, is ABSENT_INDEX
    _set_texts(struct, what, texts, kept)


def _texts_of_list(struct: ColumnValuesStruct, what: str, values: Sequence[Any], kept: List[Any]) -> None:
    place: Dict[Any, int] = {}
    texts: List[Any] = []
    for value in dict.fromkeys(values):
        place[value] = ABSENT_INDEX if _is_missing(value) else len(texts)
        if place[value] != ABSENT_INDEX:
            texts.append(value)
    _point(struct, _STRING, array("I", map(place.__getitem__, values)), len(values), kept)
    _set_texts(struct, what, texts, kept)


def _set_texts(struct: ColumnValuesStruct, what: str, texts: Sequence[Any], kept: List[Any]) -> None:
    for text in texts:
        if isinstance(text, (bytes, bytearray)):
            raise TypeError(f"kdiag: {what} holds bytes, {bytes(text)!r}; decode them")
    encoded = [str(text).encode("utf-8", "replace") for text in texts]
    strings = (String * len(encoded))(*(String(_address(text, kept), len(text)) for text in encoded))
    kept.append(strings)
    struct.texts, struct.text_count = ctypes.addressof(strings) if encoded else None, len(encoded)


def _rows(struct: ColumnValuesStruct, column: Column, what: str, values: Any, kept: List[Any]) -> None:
    found = _whole_numbers(what, values) if hasattr(values, "dtype") else None
    if found is not None:
        numbers, missing = found
        wrong = (numbers < 0) | (numbers > ABSENT_INDEX)
        if wrong.any():
            _refuse_row(what, numbers[wrong.argmax()], int(wrong.argmax()))
        _point(struct, _REFERENCE, _contiguous(numbers, "uint32"), len(numbers), kept)
        return _mark(struct, missing, kept)
    plain = _plain(values)
    try:
        indexes = array("I", plain)
    except (TypeError, OverflowError):
        indexes = array("I", [_row(column, what, value, row) for row, value in enumerate(plain)])
    _point(struct, _REFERENCE, indexes, len(indexes), kept)


def _row(column: Column, what: str, value: Any, row: int) -> int:
    if isinstance(value, Row):
        if value.index != ABSENT_INDEX and value.table != catalogue.tables[column.target][0]:
            raise ValueError(f"kdiag: {what} refers to {column.target}, and row {row} has a row of another table")
        return int(value.index)
    if _is_missing(value):
        return ABSENT_INDEX
    number = _whole(what, value, row)
    if not 0 <= number <= ABSENT_INDEX:
        _refuse_row(what, value, row)
    return number


def _refuse_row(what: str, value: Any, row: int) -> None:
    raise ValueError(f"kdiag: {what} holds {value} in row {row}, which is no number of a row")


def depths(what: str, parents: Any) -> List[int]:
    """How many rows of its frame stand above each row. Raises ValueError for circles, and rows that are not there."""
    above = [None if _is_missing(parent) else int(parent) for parent in _plain(parents)]
    found: List[Optional[int]] = [None] * len(above)
    for row in range(len(above)):
        way = [row]
        while found[way[-1]] is None and (parent := above[way[-1]]) is not None:
            if not 0 <= parent < len(above) or len(way) > len(above):
                raise ValueError(f"kdiag: {what} leads from row {row} to no row, or in a circle")
            way.append(parent)
        depth = found[way[-1]] or 0
        for below, member in enumerate(reversed(way)):
            found[member] = depth + below
    return [depth or 0 for depth in found]


def rows_through(rows: Sequence[int], numbers: Any) -> List[Optional[int]]:
    """Numbers of rows in a frame as those in the table that its rows became."""
    return [None if _is_missing(number) else rows[int(number)] if 0 <= number < len(rows) else number
            for number in _plain(numbers)]
