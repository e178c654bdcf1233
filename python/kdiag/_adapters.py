# SPDX-License-Identifier: Apache-2.0
"""Formats of the host: adapters in Python, and mappings of custom formats."""

from __future__ import annotations

import ctypes
import io
import os
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Union

from ._abi import READ_ROWS, SNIFF, AdapterStruct, lib
from ._library import Context, Failure, Handle, Shared, callback, name_of
from ._rows import Rows, RunInfo


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


class Reader(io.BufferedReader):
    """The unwrapped bytes of an input, as a binary file, while an adapter reads it. Lines: `for line in reader`."""

    def __init__(self, pointer: int) -> None:
        self._input = _Input(pointer)
        super().__init__(self._input)

    @property
    def cancelled(self) -> bool:
        """Whether the host asked to stop: return as soon as possible."""
        return bool(lib.kdiag_reader_cancelled(self._input.pointer))

    def skip(self, detail: str = "") -> None:
        """Counts a record that could not be read, as a note of the input."""
        lib.kdiag_reader_skip(self._input.pointer, name_of(detail))


@dataclass(frozen=True)
class Adapter:
    """A format of the host: `load(..., adapters=[...])`.

    id: how reports call the format. sniff: how sure the first bytes are this format, 0 no .. 100 certain. read: reads
    all of the input into rows; it may say what the run is of. Both may be called from several threads at a time. What
    they raise, `load` raises. Example::

        def read_acme(reader, rows):
            for line in reader:
                name, start, duration = line.decode().split(",")
                rows.add("kernels", name=name, start=int(start), dur=int(duration), device=rows.device(0))
            return kdiag.RunInfo(producer="Acme", clock="device")

        acme = kdiag.Adapter("acme", lambda head: 95 if head.startswith(b"#acme") else 0, read_acme)
        facts = kdiag.load("trace.acme", adapters=[acme])
    """

    id: str
    sniff: Callable[[bytes], int]
    read: Callable[[Reader, Rows], Optional[RunInfo]]

    def _struct(self, failure: Failure, kept: List[Any]) -> AdapterStruct:
        """The adapter for one call: `kept` gets what must live as long."""

        def sniff(data: int, size: int) -> int:
            return max(0, min(100, int(self.sniff(ctypes.string_at(data, size)))))

        def read(pointer: int, rows_pointer: int, info: Any) -> int:
            reader, rows = Reader(pointer), Rows()
            rows._rows = c_void_p(rows_pointer)
            try:
                about = self.read(reader, rows)
            except _ReadFailed:
                return 1  # the library says why
            finally:
                reader._input.pointer = c_void_p()
                rows._close()
            if about is not None:
                kept.append(about._fill(info[0]))  # read when this has returned
            return 0

        struct = AdapterStruct()
        struct.id = name_of(self.id)
        struct.sniff = callback(SNIFF, failure, 0, sniff)
        struct.read = callback(READ_ROWS, failure, 1, read)
        return struct


class Map(Shared):
    """A checked mapping of a custom format, immutable. Made by `load_map`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle


def load_map(
    path: Union[str, "os.PathLike[str]", None] = None, *, text: Optional[str] = None, name: str = "text"
) -> Map:
    """Loads a mapping of CSV or JSON lines of any tool (docs/custom-formats.md): a file, or its text.

    name: how messages call a text. Raises RulesError with the place of every mistake. Example::

        facts = kdiag.load("monitor.jsonl", maps=[kdiag.load_map("monitor.yaml")])
    """
    if (path is None) == (text is None):
        raise TypeError("a path or a text is needed, and not both")
    if path is not None:
        name = os.fspath(path)
        with open(path, "rb") as file:
            content = file.read()
    else:
        content = (text or "").encode()
    return Map(Context().make(lib.kdiag_map_free, lib.kdiag_map_load, name_of(name), content, len(content)))
