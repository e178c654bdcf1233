# SPDX-License-Identifier: Apache-2.0
"""Facts: what traces say, as tables of columns."""

from __future__ import annotations

import ctypes
import html
import json
import operator
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, TypedDict, Union, overload

from ._abi import InputInfoStruct, LoadOptionsStruct, NoteStruct, QueryOptionsStruct, lib
from ._adapters import Adapter, Maps, maps_of
from ._library import CancelToken, Context, Handle, Log, Progress, Shared, bytes_of, name_of, text_of, whole
from ._rules import RulesLike, rules_of
from ._sources import input_structs
from ._tables import Table, catalogue

if TYPE_CHECKING:
    from typing_extensions import Literal, Unpack

    from ._sources import Inputs

_STEPS, _FROM, _TO, _RANK, _DEVICE = 1, 2, 4, 8, 16


class ScopeOptions(TypedDict, total=False):
    """The part of each run that is judged: options of `load` and `Builder.build`."""

    steps: Optional[Tuple[int, int]]
    from_ns: Optional[int]
    to_ns: Optional[int]
    within: Optional[str]
    rank: Optional[int]
    device: Optional[int]


class LoadOptions(ScopeOptions, total=False):
    """What `diagnose` and `compare` hand on to `load`."""

    name: str
    max_rows: int
    max_bytes: int
    max_unpacked: int
    maps: Maps
    adapters: Iterable[Adapter]
    progress: Optional[Progress]


class Facts(Shared):
    """What traces say, immutable. Made by `load` and by `Builder`. Iterating gives the names of the tables of run 0."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def run_count(self) -> int:
        """Runs are executions of the workload; each is judged on its own."""
        return int(lib.kdiag_facts_run_count(self._handle))

    @property
    def inputs(self) -> List[Dict[str, Any]]:
        """The inputs that were read, with their notes."""
        found = []
        for index in range(lib.kdiag_facts_input_count(self._handle)):
            info = InputInfoStruct()
            lib.kdiag_facts_input(self._handle, index, byref(info))
            notes = []
            for number in range(info.notes):
                note = NoteStruct()
                lib.kdiag_facts_note(self._handle, index, number, byref(note))
                notes.append({"id": str(note.id), "severity": str(note.severity), "text": str(note.text),
                              "count": note.count})
            found.append({"path": str(info.path), "adapter": str(info.adapter), "producer": str(info.producer),
                          "role": str(info.role), "events": info.events, "notes": notes})
        return found

    def tables(self, run: int = 0) -> List[str]:
        """The names of the tables that the run records."""
        return [name for name in catalogue.tables if Table(self, run, name).recorded]

    def table(self, name: str, run: int = 0) -> Table:
        """A table of a run: "kernels", "ops", "samples", ..."""
        return Table(self, run, name)

    def __getitem__(self, name: str) -> Table:
        return Table(self, 0, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables())

    def __contains__(self, name: object) -> bool:
        return name in self.tables()

    def text(self, code: int, run: int = 0) -> str:
        """The text of a code of a column of texts; empty for an absent one."""
        return str(lib.kdiag_facts_string(self._handle, self._run(run), whole(code, 0, 2**32 - 1)))

    def _run(self, number: int) -> int:
        """The number of a run, if there is such a run."""
        run = operator.index(number)
        if not 0 <= run < self.run_count:
            raise IndexError(f"kdiag: there is no run {run}; there are {self.run_count}, counted from 0")
        return run

    @property
    def data(self) -> Dict[str, Any]:
        """Every table and column with what the facts have of it, as `kdiag facts --format json` gives it."""
        data: Dict[str, Any] = json.loads(Context().text(lib.kdiag_facts_json, self._handle))
        return data

    def describe(self) -> str:
        """Every table and column with what the facts have of it, for people. Example: `print(facts.describe())`"""
        return Context().text(lib.kdiag_facts_text, self._handle)

    @overload
    def query(self, expression: str, rules: RulesLike = None, *, baseline: "Union[Facts, Inputs, None]" = None,
              timeout: Optional[float] = None, cancel: Optional[CancelToken] = None,
              format: "Literal['data']" = "data") -> Any: ...

    @overload
    def query(self, expression: str, rules: RulesLike = None, *, baseline: "Union[Facts, Inputs, None]" = None,
              timeout: Optional[float] = None, cancel: Optional[CancelToken] = None,
              format: "Literal['text', 'csv']", width: int = 0, max_rows: int = 0) -> str: ...

    def query(
        self,
        expression: str,
        rules: RulesLike = None,
        *,
        baseline: "Union[Facts, Inputs, None]" = None,
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
        format: str = "data",
        width: int = 0,
        max_rows: int = 0,
    ) -> Any:
        """Answers an expression of the rule language: `facts.query("sum(kernels, dur)")["value"]`.

        The answer is that of `kdiag query --format json`: a dict, for several runs a list of them; with format "text"
        or "csv" a text. baseline: what `baseline()`, `delta()` and `change()` compare with, as for `diagnose`. rules:
        whose defines and functions may be used, or paths of rule files. width, max_rows: of tables as text; 0: all.
        Raises RulesError, DeadlineExceeded, Cancelled.
        """
        forms = {"data": (2, lib.kdiag_answer_json), "text": (1, lib.kdiag_answer_text),
                 "csv": (4, lib.kdiag_answer_csv)}
        if format not in forms:
            raise ValueError(f"kdiag: there is no format {format!r}; there are {', '.join(forms)}")
        options = QueryOptionsStruct()
        options.texts, text_in = forms[format]
        options.width, options.max_rows = whole(width, 0), whole(max_rows, 0)
        used = None if rules is None else rules_of(rules, timeout=timeout, cancel=cancel)._handle
        compared_with = facts_of(baseline, timeout=timeout, cancel=cancel)
        answer = Context(timeout=timeout, cancel=cancel).make(
            lib.kdiag_answer_free, lib.kdiag_query_with, self._handle, handle_of(compared_with), used,
            name_of(expression), byref(options))
        text = text_of(answer, text_in)
        return json.loads(text) if format == "data" else text

    def explain(
        self,
        rule: str,
        rules: RulesLike = None,
        *,
        baseline: "Union[Facts, Inputs, None]" = None,
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
    ) -> str:
        """Why a rule fires or not: the tree of values behind its outcome. rules, baseline: as for `diagnose`.

        Example: `print(facts.explain("host.sync-stall"))`
        """
        judged_by = rules_of(rules, timeout=timeout, cancel=cancel)
        compared_with = facts_of(baseline, timeout=timeout, cancel=cancel)
        return Context(timeout=timeout, cancel=cancel).text(
            lib.kdiag_explain, self._handle, handle_of(compared_with), judged_by._handle, name_of(rule))

    def cut_test(
        self,
        rule: str,
        rules: RulesLike = None,
        *,
        baseline: "Union[Facts, Inputs, None]" = None,
        timeout: Optional[float] = None,
        cancel: Optional[CancelToken] = None,
    ) -> str:
        """A test for a rule, cut out of the facts, as YAML for its `tests`. rules, baseline: as for `diagnose`; of a
        baseline the test then has a part, too.

        Example: `print(facts.cut_test("host.sync-stall"))`
        """
        judged_by = rules_of(rules, timeout=timeout, cancel=cancel)
        compared_with = facts_of(baseline, timeout=timeout, cancel=cancel)
        return Context(timeout=timeout, cancel=cancel).text(
            lib.kdiag_rules_cut_test_with, self._handle, handle_of(compared_with), judged_by._handle, name_of(rule))

    def to_bytes(self) -> bytes:
        """The facts with all that was derived, for another process with the same kdiag; `pickle` does so, too.

        For other programs and versions there are facts files (`export`). Example: `pool.map(judge, [facts.to_bytes()])`
        """
        held = Context().make(lib.kdiag_text_free, lib.kdiag_facts_to_bytes, self._handle)
        return bytes_of(held, lib.kdiag_text_data)

    @staticmethod
    def from_bytes(data: "Union[bytes, bytearray, memoryview]") -> "Facts":
        """The facts that `to_bytes` wrote; nothing is derived anew.

        Take them, as what is pickled, from where you would take a program from. Raises InputError for bytes that are
        damaged, or of another version of kdiag. Example: `kdiag.Facts.from_bytes(facts.to_bytes())`
        """
        given = bytes(data)
        return Facts(Context().make(lib.kdiag_facts_free, lib.kdiag_facts_from_bytes, given, len(given)))

    def __reduce__(self) -> "Tuple[Callable[[bytes], Facts], Tuple[bytes]]":  # type: ignore[override]
        return Facts.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"<kdiag.Facts of {', '.join(entry['path'] for entry in self.inputs)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{self.table(name).rows}</td></tr>" for name in self.tables())
        return f"<table><tr><th>table</th><th>rows</th></tr>{rows}</table>"


def handle_of(facts: Optional[Facts]) -> Optional[Handle]:
    """The handle of facts that may be missing."""
    return None if facts is None else facts._handle


def facts_of(facts: "Union[Facts, Inputs, None]", **options: Any) -> Optional[Facts]:
    """Facts, or those of what `load` takes."""
    return facts if facts is None or isinstance(facts, Facts) else load(facts, **options)


def load(
    inputs: "Inputs",
    *,
    name: str = "trace",
    steps: Optional[Tuple[int, int]] = None,
    from_ns: Optional[int] = None,
    to_ns: Optional[int] = None,
    within: Optional[str] = None,
    rank: Optional[int] = None,
    device: Optional[int] = None,
    maps: Maps = (),
    adapters: Iterable[Adapter] = (),
    threads: int = 0,
    timeout: Optional[float] = None,
    max_rows: int = 0,
    max_bytes: int = 0,
    max_unpacked: int = 0,
    cancel: Optional[CancelToken] = None,
    progress: Optional[Progress] = None,
    log: Optional[Log] = None,
) -> Facts:
    """Loads one trace or several that belong together: `kdiag.load(["rank0.json", "rank1.json"])`.

    inputs: paths of files, folders and archives; bytes, bytearrays and other buffers; binary files and functions
    `read(size)`, empty bytes at the end; numbers of open files, which stay open. A dict gives names to what has none:
    `kdiag.load({"rank0.json": first, "rank1.json": second})`. name: how reports call an input without a name.

    steps, from_ns and to_ns (since the first instant of the run), within (ranges of an annotation), rank, device: the
    part of each run that is judged. maps, adapters: custom formats; maps also as paths, and one alone without a list.
    timeout: seconds, for each map and for the inputs. max_rows, max_bytes, max_unpacked: what all inputs may
    bring together: rows of facts, bytes of memory for them, bytes that come out of compressed files and archives.

    progress: called with the name of an input, bytes read and their total (None: unknown), about ten times a second.
    log: called with level, id and text of what was odd. Callbacks are called from threads of the library; what they
    raise stops loading and is raised. Raises InputError, DeadlineExceeded, LimitExceeded, Cancelled.
    """
    context = Context(threads, timeout, max_rows, max_bytes, max_unpacked, cancel=cancel, progress=progress, log=log)
    structs = input_structs(inputs, name, context.failure, context.kept)
    scope = ScopeOptions(steps=steps, from_ns=from_ns, to_ns=to_ns, within=within, rank=rank, device=device)
    options = load_options(context, scope, maps, tuple(adapters))
    return Facts(context.make(lib.kdiag_facts_free, lib.kdiag_facts_load_inputs, structs, len(structs), byref(options)))


def load_options(
    context: Context, scope: ScopeOptions, maps: Maps = (), adapters: Sequence[Adapter] = ()
) -> LoadOptionsStruct:
    """The options as C takes them; the context keeps what they point to."""
    options = LoadOptionsStruct()

    def choose(part: int, member: str, value: Optional[int]) -> None:
        if value is not None:
            options.scope |= part
            setattr(options, member, whole(value))

    steps = scope.get("steps")
    if steps is not None:
        choose(_STEPS, "first_step", steps[0])
        choose(_STEPS, "last_step", steps[1])
    choose(_FROM, "from_ns", scope.get("from_ns"))
    choose(_TO, "to_ns", scope.get("to_ns"))
    choose(_RANK, "rank", scope.get("rank"))
    choose(_DEVICE, "device", scope.get("device"))
    within = scope.get("within")
    if within is not None:
        options.within = name_of(within)
    used = maps_of(maps, timeout=context.timeout, cancel=context.cancel)
    options.maps, options.map_count = (c_void_p * len(used))(*(one._handle.pointer.value for one in used)), len(used)
    structs = [adapter._struct(context.failure, context.kept) for adapter in adapters]
    options.adapters = (c_void_p * len(structs))(*(ctypes.addressof(struct) for struct in structs))
    options.adapter_count = len(structs)
    context.kept += [options, structs, used]
    return options
