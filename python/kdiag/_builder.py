# SPDX-License-Identifier: Apache-2.0
"""Facts of a host that has no trace."""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Optional

from ._abi import RunInfoStruct, lib
from ._facts import Facts, ScopeOptions, load_options
from ._library import CancelToken, Context, name_of
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
        self._open()
        unknown = set(scope) - set(ScopeOptions.__annotations__)
        if unknown:
            raise TypeError(f"build() has no option {', '.join(sorted(unknown))}")
        context = Context(timeout=timeout, cancel=cancel)
        options = load_options(context, scope)
        self._close()
        return Facts(context.make(lib.kdiag_facts_free, lib.kdiag_builder_build, self._builder, byref(options)))
