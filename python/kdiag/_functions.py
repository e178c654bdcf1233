# SPDX-License-Identifier: Apache-2.0
"""Functions of the host for the expressions of rules and queries."""

from __future__ import annotations

import ctypes
import threading
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any, Callable, Dict, Sequence, Set, Union

from ._abi import EVALUATE, FunctionStruct, String
from ._library import Failure, callback, name_array, name_of

_NUMBER, _BOOLEAN, _TEXT = range(3)


@dataclass(frozen=True)
class Function:
    """A function of the host that expressions call like a built-in one: `load_rules(functions=...)`.

    Types of parameters and of the result are number, ratio, time, bytes, frequency, bandwidth, power, temperature,
    bool, string; numbers are in base units (ns, bytes, Hz, B/s, W, degC, 0..1). None is an unknown value. The function
    must be pure and is called from threads of the library. What it raises, the call raises that asked for it; others that
    judge by the same rules go on. Without a name it has that of `call`. Example::

        def hourly_price(device):
            \"\"\"Euros for an hour of a device.\"\"\"
            return {"NVIDIA H100 80GB HBM3": 3.0}.get(device)

        price = kdiag.Function(hourly_price, parameters=["string"], result="number")
        rules = kdiag.load_rules("cost.yaml", functions=[price])
    """

    call: Callable[..., Union[float, bool, str, None]]
    parameters: Sequence[str]
    result: str
    name: str = ""
    doc: str = ""


class Calls(Set[Failure]):
    """The calls that may need functions now. What a function raises is kept in the one that it is asked for."""

    def keep(self, error: BaseException) -> None:
        running = tuple(self)
        for failure in running:
            if len(running) == 1 or failure.is_calling():  # of several none is stopped that does not say that it asks
                failure.keep(error)


class Functions:
    """The functions of rules as structs of C."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.calls = Calls()
        self._structs = [self._struct(function) for function in functions]
        self.pointers = (c_void_p * len(functions))(*(ctypes.addressof(struct) for struct in self._structs))

    def _struct(self, function: Function) -> FunctionStruct:
        struct = FunctionStruct()
        doc = function.doc or (function.call.__doc__ or "").strip().partition("\n")[0]
        struct.name = name_of(function.name or function.call.__name__)
        struct.parameters = name_array(function.parameters)
        struct.parameter_count = len(function.parameters)
        struct.result = name_of(function.result)
        struct.doc = name_of(doc) if doc else None
        struct.call = callback(EVALUATE, self.calls, 0, _evaluation(function))
        return struct


def _evaluation(function: Function) -> Callable[..., int]:
    texts: Dict[int, Any] = {}  # the last text of each thread, which C may read until the next call

    def evaluate(values: Any, count: int, result: Any) -> int:
        found = function.call(*(_value(values[index]) for index in range(count)))
        if found is None:
            return 0
        out = result[0]
        if function.result == "string":
            if not isinstance(found, str):
                raise TypeError(f"{function.call.__name__} gave {found!r}, and a string is stated")
            encoded = found.encode()
            buffer = texts[threading.get_ident()] = ctypes.create_string_buffer(encoded)
            out.type, out.text = _TEXT, String(ctypes.addressof(buffer), len(encoded))
        elif function.result == "bool":
            out.type, out.boolean = _BOOLEAN, int(bool(found))
        else:
            out.type, out.number = _NUMBER, float(found)
        return 1

    return evaluate


def _value(value: Any) -> Union[float, bool, str]:
    if value.type == _NUMBER:
        return float(value.number)
    return bool(value.boolean) if value.type == _BOOLEAN else str(value.text)
