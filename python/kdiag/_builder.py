# SPDX-License-Identifier: Apache-2.0
"""Facts of a host that has no trace."""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Callable, Optional

from ._abi import RunInfoStruct, lib
from ._facts import Facts, ScopeOptions, load_options
from ._library import CancelToken, Context, name_of, whole
from ._rows import Rows, RunInfo

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Builder(Rows):
    """Builds the facts of one run from rows, for a host that has them without a trace.

    name: how reports call the input. Example::

        builder = kdiag.Builder("my profiler", kdiag.RunInfo(clock="device"))
        for name, start, duration in launches:
            builder.add("kernels", name=name, start=start, dur=duration, device=builder.device(0))
        print(kdiag.diagnose(builder.build()))
    """

    def __init__(self, name: str = "host", info: RunInfo = RunInfo()) -> None:
        super().__init__()
        struct = RunInfoStruct()
        info._fill(struct)
        self._builder = Context().make(lib.kdiag_builder_free, lib.kdiag_builder_new, name_of(name), byref(struct))
        self._rows = c_void_p(lib.kdiag_builder_rows(self._builder))

    def build(
        self,
        *,
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
        **scope: "Unpack[ScopeOptions]",
    ) -> Facts:
        """Makes facts of the rows; then none can be added any more. scope: the part of the run, as for `load`.

        Raises InputError with all mistakes in the rows, DeadlineExceeded, Cancelled. Example: `builder.build(rank=0)`
        """
        return self._make(lib.kdiag_builder_build, timeout, cancel, scope, last=True)

    def snapshot(
        self,
        *,
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
        **scope: "Unpack[ScopeOptions]",
    ) -> Facts:
        """Facts of the rows so far, which stay: for a host that goes on adding, with `drop_before`.

        Raises what `build` does; the mistakes are forgotten then, and the values that were wrong stay left out. Example::

            builder.drop_before(now - window)
            report = kdiag.diagnose(builder.snapshot(), rules)
        """
        return self._make(lib.kdiag_builder_snapshot, timeout, cancel, scope, last=False)

    def drop_before(self, time: int) -> int:
        """Drops the rows that end before an instant, in ns, so that a window of time can roll on; how many were dropped.

        What has no instant stays: rows by key (devices, ...), totals and texts. Rows that were added before are others
        afterwards, except rows by key. Example: `builder.drop_before(time.time_ns() - 3600 * 10**9)`
        """
        self._open()
        return int(lib.kdiag_builder_drop_before(self._builder, whole(time)))

    def _make(
        self,
        function: Callable[..., int],
        timeout: Optional[float],
        cancel: Optional[CancelToken],
        scope: "ScopeOptions",
        last: bool,
    ) -> Facts:
        self._open()
        unknown = set(scope) - set(ScopeOptions.__annotations__)
        if unknown:
            what = "build" if last else "snapshot"
            raise TypeError(f"{what}() has no option {', '.join(sorted(unknown))}")
        context = Context(timeout=timeout, cancel=cancel)
        options = load_options(context, scope)
        if last:
            self._close()
        return Facts(context.make(lib.kdiag_facts_free, function, self._builder, byref(options)))
