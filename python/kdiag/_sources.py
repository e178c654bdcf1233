# SPDX-License-Identifier: Apache-2.0
"""Where traces come from: paths, memory, open files, callbacks."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Mapping, Optional, Tuple, Union

from ._abi import READ, InputStruct
from ._library import Failure, callback, name_of

if TYPE_CHECKING:
    from typing import Protocol

    class Readable(Protocol):
        def read(self, size: int, /) -> Optional[bytes]: ...

    Source = Union[bytes, bytearray, memoryview, int, Readable, Callable[[int], bytes]]
    Input = Union[str, "os.PathLike[str]", Source]
    Inputs = Union[Input, Iterable[Input], Mapping[str, Source]]

_PATH, _MEMORY, _DESCRIPTOR, _CALLBACK = range(4)


def input_structs(inputs: "Inputs", name: str, failure: Failure, kept: List[Any]) -> Any:
    """Inputs as C takes them; `kept` gets what must live as long as the call."""
    given = _list(inputs, name)
    structs = (InputStruct * len(given))()
    for struct, (called, item) in zip(structs, given):
        struct.size = ctypes.sizeof(InputStruct)
        struct.name = name_of(called)
        _fill(struct, item, failure, kept)
    return structs


def _list(inputs: "Inputs", name: str) -> List[Tuple[Union[str, "os.PathLike[str]"], Any]]:
    """The inputs with their names: what has none of its own is called `name`, and `name (2)` when it is the second."""
    if hasattr(inputs, "columns") and hasattr(inputs, "dtypes"):
        raise TypeError("kdiag: a data frame is no trace: kdiag.from_frames makes facts of the frames of tables")
    if isinstance(inputs, Mapping):
        for called, item in inputs.items():
            if isinstance(item, (str, os.PathLike)):
                raise TypeError(f"kdiag: {called!r} is given the name of a file, which has that name already")
        return list(inputs.items())
    items: List[Any] = [inputs] if _is_one(inputs) else list(inputs)  # type: ignore[arg-type]
    out: List[Tuple[Union[str, "os.PathLike[str]"], Any]] = []
    for number, item in enumerate(items, 1):
        own = item if isinstance(item, (str, os.PathLike)) else getattr(item, "name", None)
        if not isinstance(own, (str, os.PathLike)):
            own = name if number == 1 else f"{name} ({number})"
        out.append((own, item))
    return out


def _is_one(inputs: Any) -> bool:
    return isinstance(inputs, (str, os.PathLike, int)) or _reading(inputs) is not None or _is_buffer(inputs)


def _is_buffer(item: Any) -> bool:
    try:
        memoryview(item).release()
    except TypeError:
        return False
    return True


def _reading(item: Any) -> Optional[Callable[[int], Any]]:
    read = item if callable(item) else getattr(item, "read", None)
    return None if _is_buffer(item) or not callable(read) else read  # a mapped file has both


def _fill(struct: InputStruct, item: Any, failure: Failure, kept: List[Any]) -> None:
    if isinstance(item, (str, os.PathLike)):
        struct.kind = _PATH
    elif isinstance(item, bool):
        raise TypeError("kdiag: a trace cannot be of type bool")
    elif isinstance(item, int):
        struct.kind, struct.descriptor = _DESCRIPTOR, item
    elif _is_buffer(item):
        memory = _memory(item)
        kept.append(memory)
        struct.kind, struct.byte_count = _MEMORY, len(memory)
        struct.bytes = memory if isinstance(memory, bytes) else ctypes.addressof(memory)
    else:
        read = _reading(item)
        if read is None:
            raise TypeError(f"kdiag: a trace cannot be of type {type(item).__name__}")
        struct.kind, struct.read = _CALLBACK, callback(READ, failure, -1, _filling(read))
        kept.append(struct)


def _memory(item: Any) -> Any:
    """Bytes where they are; those of a read-only view, which ctypes does not give the place of, are copied."""
    if isinstance(item, bytes):
        return item
    view = memoryview(item)
    if view.readonly or not view.contiguous:
        return view.tobytes()
    return (ctypes.c_char * view.nbytes).from_buffer(view.cast("B"))


def _filling(read: Callable[[int], Any]) -> Callable[..., int]:
    def fill(place: int, size: int) -> int:
        got = read(size)
        if not isinstance(got, (bytes, bytearray, memoryview)):
            raise TypeError(f"kdiag: a trace gave {type(got).__name__} and not bytes: open files in binary mode")
        piece = bytes(got)
        if len(piece) > size:
            raise ValueError(f"kdiag: a trace gave {len(piece)} bytes, and {size} were asked for")
        ctypes.memmove(place, piece, len(piece))
        return len(piece)

    return fill
