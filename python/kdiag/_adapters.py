# SPDX-License-Identifier: Apache-2.0
"""Formats of the host: adapters in Python, and mappings of custom formats."""

from __future__ import annotations

import ctypes
import io
import os
from ctypes import byref, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any, Callable, Iterable, List, Optional, Union

from ._abi import READ_ROWS, SNIFF_HEAD, AdapterStruct, RunInfoStruct, lib
from ._library import CancelToken, Context, Failure, Handle, Shared, callback, check, name_of, whole
from ._rows import Rows, RunInfo
from ._rules import PathLike


class _ReadFailed(OSError):
    """The library could not read on; it knows why."""


class _Input(io.RawIOBase):
    def __init__(self, pointer: int) -> None:
        self.pointer = c_void_p(pointer)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.pointer:
            raise ValueError("kdiag: the input can be read while its adapter reads only")
        memory = (ctypes.c_char * len(buffer)).from_buffer(buffer)
        got = int(lib.kdiag_reader_read(self.pointer, memory, len(buffer)))
        if got < 0:
            raise _ReadFailed("kdiag: the input cannot be read on")
        return got


class Head(bytes):
    """The first bytes of an input, up to 1 MiB, with containers unwrapped. Keys and tables are told while the callback runs
    that it was given to: `sniff`, or `read` as `Reader.head`."""

    _pointer: Optional[int] = None
    complete: bool = False
    """Whether the input ends within the bytes."""
    json: str = ""
    """"{" or "[" when the first character says JSON."""

    @classmethod
    def _of(cls, pointer: int) -> "Head":
        size = c_size_t()
        data = lib.kdiag_head_bytes(pointer, byref(size))
        head = cls(ctypes.string_at(data, size.value))
        head._pointer = pointer
        head.complete = bool(lib.kdiag_head_complete(pointer))
        head.json = lib.kdiag_head_json(pointer).decode().strip("\0")
        return head

    def has_key(self, key: str) -> bool:
        """Whether the first JSON object has a top-level key within the bytes."""
        return bool(lib.kdiag_head_has_key(self._open(), name_of(key)))

    def has_table(self, table: str) -> bool:
        """Whether an SQLite database has a table."""
        return bool(lib.kdiag_head_has_table(self._open(), name_of(table)))

    def _open(self) -> int:
        if self._pointer is None:
            raise ValueError("kdiag: the head of an input can be asked while its adapter looks at it only")
        return self._pointer

    def _close(self) -> None:
        self._pointer = None


class Reader(io.BufferedReader):
    """The unwrapped bytes of an input, as a binary file, while an adapter reads it. Lines: `for line in reader`."""

    def __init__(self, pointer: int) -> None:
        self._input = _Input(pointer)
        super().__init__(self._input)

    @property
    def cancelled(self) -> bool:
        """Whether the host asked to stop, or a limit is exceeded: return as soon as possible."""
        return bool(lib.kdiag_reader_cancelled(self._input.pointer))

    @property
    def input_name(self) -> str:
        """How messages call the input."""
        return os.fsdecode(lib.kdiag_reader_name(self._open()))

    @property
    def file(self) -> str:
        """The path of a file that holds exactly the bytes: of every SQLite database, for `sqlite3.connect`; else empty."""
        return os.fsdecode(lib.kdiag_reader_file(self._open()))

    @property
    def head(self) -> Head:
        """The first bytes, as `sniff` saw them; to be asked while the adapter reads only."""
        if self._head is None:
            self._head = Head._of(lib.kdiag_reader_head(self._open()))
        return self._head

    def skip(self, detail: str = "") -> None:
        """Counts a record that could not be read, as a note of the input."""
        lib.kdiag_reader_skip(self._open(), name_of(detail))

    def note(self, id: str, detail: str = "", count: int = 1) -> None:
        """Counts an oddity as a note of the input: `reader.note("K640", "stack samples")`. id: one of docs/notes.md."""
        counted = whole(count, 0, 2**64 - 1)
        check(lib.kdiag_reader_note(self._open(), name_of(id), name_of(detail), counted), f"there is no note {id!r}")

    def count_events(self, events: int) -> None:
        """Counts records read: `events` of `Facts.inputs`."""
        lib.kdiag_reader_count_events(self._open(), whole(events, 0, 2**64 - 1))

    def run(self, info: RunInfo) -> None:
        """Says what run the next rows are of, in place of what `read` returns. A second call begins another run of the
        same input: rows of the first are rows no more."""
        struct = RunInfoStruct()
        texts = info._fill(struct)
        check(lib.kdiag_reader_run(self._open(), byref(struct)), f"the library does not take {info!r}")
        del texts  # copied

    _head: Optional[Head] = None

    def _open(self) -> c_void_p:
        if not self._input.pointer:
            raise ValueError("kdiag: the input can be asked while its adapter reads only")
        return self._input.pointer

    def _close(self) -> None:
        self._input.pointer = c_void_p()
        if self._head is not None:
            self._head._close()


@dataclass(frozen=True)
class Adapter:
    """A format of the host: `load(..., adapters=[...])`.

    id: how reports call the format. sniff: how sure the first bytes are this format, 0 no .. 100 certain; they are a
    `Head`, which knows keys of JSON and tables of databases. read: reads all of the input into rows; it may say what the
    run is of. Both may be called from several threads at a time. What they raise, `load` raises, but for what `read` raises
    once `Reader.cancelled` is true. Example::

        def read_acme(reader, rows):
            for line in reader:
                name, start, duration = line.decode().split(",")
                rows.add("kernels", name=name, start=int(start), dur=int(duration), device=rows.device(0))
            return kdiag.RunInfo(producer="Acme", clock="device")

        acme = kdiag.Adapter("acme", lambda head: 95 if head.startswith(b"#acme") else 0, read_acme)
        facts = kdiag.load("trace.acme", adapters=[acme])
    """

    id: str
    sniff: Callable[[Head], int]
    read: Callable[[Reader, Rows], Optional[RunInfo]]

    def _struct(self, failure: Failure, kept: List[Any]) -> AdapterStruct:
        """The adapter for one call: `kept` gets what must live as long."""

        def sniff(pointer: int) -> int:
            head = Head._of(pointer)
            try:
                return max(0, min(100, int(self.sniff(head))))
            finally:
                head._close()

        def read(pointer: int, rows_pointer: int, info: Any) -> int:
            reader, rows = Reader(pointer), Rows()
            rows._rows = c_void_p(rows_pointer)
            try:
                about = self.read(reader, rows)
            except _ReadFailed:
                return 1  # the library says why
            except Exception:
                if lib.kdiag_reader_cancelled(pointer):
                    return 1  # what it had to read was cut off, and the library says why
                raise
            finally:
                reader._close()
                rows._close()
            if about is not None:
                kept.append(about._fill(info[0]))  # read when this has returned
            return 0

        struct = AdapterStruct()
        struct.id = name_of(self.id)
        struct.sniff_head = callback(SNIFF_HEAD, failure, 0, sniff)
        struct.read = callback(READ_ROWS, failure, 1, read)
        return struct


class Map(Shared):
    """A checked mapping of a custom format, immutable. Made by `load_map`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle


Maps = Union[Map, PathLike, Iterable[Union[Map, PathLike]]]


def maps_of(maps: Maps, **options: Any) -> List[Map]:
    """One mapping or several as a list: those that are paths are loaded."""
    several = (maps,) if isinstance(maps, (str, os.PathLike, Map)) else maps
    return [given if isinstance(given, Map) else load_map(given, **options) for given in several]


def load_map(
    path: Optional[PathLike] = None,
    *,
    text: Optional[str] = None,
    name: str = "text",
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> Map:
    """Loads a mapping of CSV or JSON lines of any tool (docs/custom-formats.md): a file, or its text.

    name: how messages call a text. Raises RulesError with the place of every mistake. Example::

        facts = kdiag.load("monitor.jsonl", maps=[kdiag.load_map("monitor.yaml")])
    """
    if (path is None) == (text is None):
        raise TypeError("a path or a text is needed, and not both")
    context = Context(timeout=timeout, cancel=cancel)
    if path is not None:
        return Map(context.make(lib.kdiag_map_free, lib.kdiag_map_load_path, name_of(path)))
    content = (text or "").encode()
    return Map(context.make(lib.kdiag_map_free, lib.kdiag_map_load, name_of(name), content, len(content)))
