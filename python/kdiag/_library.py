# SPDX-License-Identifier: Apache-2.0
"""Calls of the library: handles, contexts, cancelling, and exceptions of callbacks."""

from __future__ import annotations

import _thread
import contextvars
import ctypes
import math
import operator
import os
import threading
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NoReturn, Optional, Set, Tuple, TypeVar, Union

from ._abi import ABSENT_INTEGER, LOG, PROGRESS, DiagnosticStruct, LabelStruct, LoadLimitsStruct, lib
from ._errors import Cancelled, DeadlineExceeded, Diagnostic, Error, InputError, Label, LimitExceeded, RulesError

if TYPE_CHECKING:
    from ._functions import Functions

_Same = TypeVar("_Same", bound="Shared")
Progress = Callable[[str, int, Optional[int]], object]
Log = Callable[[str, str, str], object]
_OK, _ARGUMENT, _MEMORY, _INPUT, _RULES, _NOT_FOUND, _CANCELLED, _DEADLINE, _LIMIT = range(9)
_LEVELS = ("error", "warning", "note")
_ERRORS = {
    _INPUT: InputError, _RULES: RulesError, _NOT_FOUND: RulesError, _CANCELLED: Cancelled,
    _DEADLINE: DeadlineExceeded, _LIMIT: LimitExceeded,
}


def version() -> str:
    """The version of the library that runs: "0.1.0"."""
    return str(lib.kdiag_version().decode())


class Handle:
    """Owns a handle of the library."""

    functions: Optional["Functions"] = None
    """The functions of the host that rules call: they live as long as the rules."""

    def __init__(self, free: Callable[[c_void_p], None]) -> None:
        self.pointer = c_void_p()
        self._free = free

    @property
    def _as_parameter_(self) -> c_void_p:  # so that ctypes takes a handle, and who holds the arguments holds it
        return self.pointer

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer = c_void_p()


class Shared:
    """What cannot change: a copy is the thing itself. It holds memory of the library, of which facts alone can be pickled."""

    def __copy__(self: _Same) -> _Same:
        return self

    def __deepcopy__(self: _Same, memo: object) -> _Same:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"kdiag: {type(self).__name__} cannot be pickled: give another process the paths instead")


class CancelToken:
    """Stops calls from another thread or a signal handler: they raise `Cancelled`.

    A token may be given to any number of calls; further ones are stopped, too, until it is reset. Example::

        token = kdiag.CancelToken()
        threading.Timer(10, token.cancel).start()
        kdiag.diagnose("trace.json", cancel=token)
    """

    def __init__(self) -> None:
        self._cancelled = False
        self._contexts: Set[Handle] = set()  # of the calls that run; no lock, as a signal handler could not wait for it

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Stops the calls that have the token, now and later."""
        self._cancelled = True
        for context in tuple(self._contexts):
            lib.kdiag_context_cancel(context)

    def reset(self) -> None:
        """Lets further calls run again."""
        self._cancelled = False

    def _enter(self, context: Handle) -> None:
        self._contexts.add(context)
        if self._cancelled:  # looked at after the context is there, as `cancel` sets it before it looks for contexts
            lib.kdiag_context_cancel(context)

    def _leave(self, context: Handle) -> None:
        self._contexts.discard(context)


class Failure:
    """The first exception of the callbacks of a call: it stops the call, and is raised when that has ended."""

    def __init__(self, context: Handle) -> None:
        self._context = context
        self.error: Optional[BaseException] = None

    def is_calling(self) -> bool:
        """Whether the function of the host that runs in this thread is asked for the call."""
        return bool(lib.kdiag_context_is_calling(self._context))

    def keep(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        lib.kdiag_context_cancel(self._context)


def callback(kind: Any, failure: Any, otherwise: Optional[int], function: Callable[..., Optional[int]]) -> Any:
    """What C calls: `function` without the pointer `user`. What it raises is kept; C gets `otherwise` then."""

    def call(user: Optional[int], *arguments: Any) -> Optional[int]:
        try:
            return function(*arguments)
        except BaseException as error:
            failure.keep(error)
            return otherwise

    return kind(call)


class Context:
    """A context for one call: its options, and what went wrong in it."""

    def __init__(
        self,
        threads: int = 0,
        timeout: Optional[float] = None,
        max_rows: int = 0,
        max_bytes: int = 0,
        max_unpacked: int = 0,
        *,
        cancel: Optional[CancelToken] = None,
        progress: Optional[Progress] = None,
        log: Optional[Log] = None,
    ) -> None:
        self._handle = Handle(lib.kdiag_context_free)
        if lib.kdiag_context_new(byref(self._handle.pointer)) != _OK:
            raise MemoryError("kdiag: out of memory")
        self.failure = Failure(self._handle)
        self.kept: List[Any] = []  # what the library points to during the call
        self.timeout, self.cancel = timeout, cancel
        lib.kdiag_context_set_threads(self._handle, whole(threads, 0, 2**32 - 1))
        limits = LoadLimitsStruct()
        limits.rows, limits.bytes = whole(max_rows, 0, 2**64 - 1), whole(max_bytes, 0, 2**64 - 1)
        limits.unpacked = whole(max_unpacked, 0, 2**64 - 1)
        if lib.kdiag_context_set_load_limits(self._handle, byref(limits)) != _OK:
            raise MemoryError("kdiag: out of memory")
        if timeout is not None:
            lib.kdiag_context_set_deadline(self._handle, _milliseconds(timeout))
        if progress is not None:
            self._set_progress(progress)
        if log is not None:
            self._set_log(log)

    def _set_progress(self, progress: Progress) -> None:
        def show(name: bytes, done: int, total: int) -> None:
            progress(name.decode("utf-8", "replace"), done, total or None)

        thunk = callback(PROGRESS, self.failure, None, show)
        self.kept.append(thunk)
        lib.kdiag_context_set_progress(self._handle, thunk, None)

    def _set_log(self, log: Log) -> None:
        def tell(level: int, id: bytes, text: bytes) -> None:
            log(_LEVELS[level], id.decode(), text.decode("utf-8", "replace").rstrip("\n"))

        thunk = callback(LOG, self.failure, None, tell)
        self.kept.append(thunk)
        lib.kdiag_context_set_log(self._handle, thunk, None)

    def make(self, free: Callable[[c_void_p], None], function: Callable[..., int], *arguments: Any) -> Handle:
        """Calls a function that makes a handle."""
        made = Handle(free)
        self.kept.append(made)  # so that it is freed even after a call that nobody waited for
        self.call(function, *arguments, byref(made.pointer))
        self.kept.clear()
        return made

    def text(self, function: Callable[..., int], *arguments: Any) -> str:
        """Calls a function that makes a text."""
        return text_of(self.make(lib.kdiag_text_free, function, *arguments), lib.kdiag_text_data)

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function, and raises what went wrong in it or in its callbacks."""
        used = [argument.functions for argument in arguments if isinstance(argument, Handle) and argument.functions]
        for functions in used:
            functions.calls.add(self.failure)
        if self.cancel is not None:
            self.cancel._enter(self._handle)
        try:
            status = self._run(function, arguments)
        finally:
            if self.cancel is not None:
                self.cancel._leave(self._handle)
            for functions in used:
                functions.calls.discard(self.failure)
        error, self.failure.error = self.failure.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback has this frame: without a cycle, it goes when it is handled
        if status != _OK:
            self._fail(status)

    def _run(self, function: Callable[..., int], arguments: Any) -> int:
        """Calls the function; in the main thread of Python so that signals are handled meanwhile.

        These are only handled between two instructions of the main thread: it waits for another thread, which calls.
        """
        if threading.current_thread() is not threading.main_thread():
            return function(self._handle, *arguments)
        result: List[int] = []
        ended = threading.Lock()
        ended.acquire()
        variables = contextvars.copy_context()

        def work() -> None:
            try:
                result.append(variables.run(function, self._handle, *arguments))
            except BaseException as error:  # ctypes refuses an argument
                self.failure.keep(error)
            finally:
                ended.release()

        try:
            _thread.start_new_thread(work, ())
        except RuntimeError:  # there are no threads any more
            return function(self._handle, *arguments)
        try:
            _wait(ended)
        except BaseException:  # KeyboardInterrupt, or what another handler raises
            lib.kdiag_context_cancel(self._handle)
            # A callback may wait for ever: a second interrupt leaves at once. The thread holds what it works on.
            _wait(ended)
            self.failure.error = None
            raise
        return result[0] if result else -1

    def _fail(self, status: int) -> None:
        text = lib.kdiag_last_error(self._handle).decode("utf-8", "replace")
        if status == _MEMORY:
            raise MemoryError(f"kdiag: {text}")
        if status == _ARGUMENT:
            raise ValueError(f"kdiag: {text}")
        raise _ERRORS.get(status, Error)(text.rstrip("\n"), self.diagnostics())

    def diagnostics(self) -> List[Diagnostic]:
        """Errors of the call, or the warnings of rules that it loaded."""
        found = []
        for index in range(lib.kdiag_diagnostic_count(self._handle)):
            info = DiagnosticStruct()
            check(lib.kdiag_diagnostic_get(self._handle, index, byref(info)), "there is no such diagnostic")
            found.append(Diagnostic(
                id=str(info.id), level=_LEVELS[info.level], title=str(info.title), help=str(info.help),
                note=str(info.note), context=str(info.context), labels=self._labels(index, info.labels), **_place(info)))
        return found

    def _labels(self, diagnostic: int, count: int) -> Tuple[Label, ...]:
        found = []
        for index in range(count):
            info = LabelStruct()
            check(lib.kdiag_diagnostic_label(self._handle, diagnostic, index, byref(info)), "there is no such label")
            found.append(Label(text=str(info.text), **_place(info)))
        return tuple(found)


def _place(info: Union[DiagnosticStruct, LabelStruct]) -> Dict[str, Any]:
    """Where it lies."""
    place = {name: getattr(info, name) for name in ("line", "column", "offset", "length")}
    if info.line == ABSENT_INTEGER:
        place = dict.fromkeys(place)
    return {"source": str(info.source), **place}


def check(status: int, refused: str) -> None:
    """Raises what a status means of a function that has no context to say more; refused: what is wrong with an argument."""
    if status == _MEMORY:
        raise MemoryError("kdiag: out of memory")
    if status == _ARGUMENT:
        raise ValueError(f"kdiag: {refused}")
    if status != _OK:
        raise Error(f"kdiag: {refused}: {lib.kdiag_status_text(status).decode()}")


def _milliseconds(timeout: float) -> int:
    """A limit of time as C takes it: negative when it is over already, as 0 would be none."""
    if not 0 <= timeout < math.inf:  # not a number neither
        raise ValueError(f"kdiag: a timeout is a number of seconds, not {timeout!r}; None: without limit")
    return min(max(1, int(timeout * 1000)), 2**62) if timeout > 0 else -1


def _wait(ended: threading.Lock) -> None:
    """Waits for a lock, and handles signals: also one that came just before the wait, and so does not end it."""
    while not ended.acquire(timeout=0.1):
        pass


def text_of(handle: Handle, function: Callable[..., Optional[int]]) -> str:
    """A text that a handle holds."""
    return bytes_of(handle, function).decode("utf-8", "replace")


def bytes_of(handle: Handle, function: Callable[..., Optional[int]]) -> bytes:
    """The bytes that a handle holds."""
    size = c_size_t()
    data = function(handle, byref(size))
    if data is None:
        raise MemoryError("kdiag: out of memory")
    return ctypes.string_at(data, size.value)


def name_of(text: Union[str, "os.PathLike[str]"]) -> bytes:
    """A name or path as C takes it: it ends at a NUL, so none may be inside."""
    name = os.fsencode(text)
    if b"\0" in name:
        raise ValueError(f"kdiag: {text!r} holds a NUL character, behind which a path or name would be cut off")
    return name


def name_array(names: Iterable[str]) -> Any:
    """Names as an array of C strings."""
    encoded = [name_of(name) for name in names]
    return (c_char_p * len(encoded))(*encoded)


def whole(value: int, low: int = ABSENT_INTEGER + 1, high: int = 2**63 - 1) -> int:
    """A whole number that fits: ctypes would cut it off."""
    number = operator.index(value)
    if not low <= number <= high:
        raise OverflowError(f"kdiag: {number} is not within {low} and {high}")
    return number
