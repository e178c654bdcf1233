# SPDX-License-Identifier: Apache-2.0
"""Many ranks judged as one job, on a cluster of Dask: docs/fleet.md.

    import kdiag
    made = kdiag.fleet.summarize("tcp://scheduler:8786", "job/", into="summaries/")
    print(made.failed, *made.messages)
    print(kdiag.fleet.judge("summaries/").text())

Each worker needs this package and the command kdiag, which runs as a process of its own: a trace that takes all memory
ends that process, and not the worker.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import re
import subprocess
import tempfile
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from ._command import MISSING, command
from ._errors import Error, InputError
from ._facts import Facts, load
from ._optional import needed
from ._report import Report, diagnose
from ._rules import PathLike, load_rules, path_list

if TYPE_CHECKING:
    from typing import Callable, Protocol

    class Future(Protocol):
        def result(self) -> Any: ...

    class Client(Protocol):
        """What is needed of a `distributed.Client`."""

        def map(self, func: Callable[..., Any], *iterables: Sequence[Any], **options: Any) -> Sequence[Any]: ...


@dataclass(frozen=True)
class Made:
    """How many summaries were made, were there already, and failed; what the command said of traces, and of tasks that
    did not end. Example: `assert kdiag.fleet.summarize(client, "job/", into="summaries/").failed == 0`
    """

    made: int
    kept: int
    failed: int
    messages: Tuple[str, ...] = ()


@dataclass(frozen=True)
class _Task:
    source: str
    into: str
    part: str = ""  # "3/64" of the recordings in a folder

    def __str__(self) -> str:
        source = _without_query(self.source) if _is_url(self.source) else self.source
        return f"{source} (part {self.part})" if self.part else source


def summarize(
    client: "Union[Client, str]",
    paths: Union[PathLike, Iterable[PathLike]],
    into: PathLike,
    *,
    retries: int = 3,
    chunks: int = 100,
) -> Made:
    """Summarises each rank's trace on the workers of a cluster, into a folder that they share.

    client: a `distributed.Client`, or the address of a scheduler. paths: traces and folders of them, as `kdiag summarize`
    takes them, and URLs that fsspec opens: of files, also with `*`, `?` and `[0-9]`, and of folders of files; over HTTP
    only of files, with `*`. Where `into` is a URL, no local folders. A summary that is whole, and no older than its trace,
    is kept, so that the call can be made again after anything that ended it. At a URL a summary that is there is whole,
    and counts as new where the file system tells no times. retries: how often a task is tried again whose process was
    killed or whose file system failed; those of dead workers go to others. chunks: into how many tasks a folder is shared
    out at most. A trace that cannot be read raises nothing: `Made` counts it. Raises ValueError where two traces would
    have one summary, InputError where there is no trace, ImportError where a package is missing. Example::

        made = kdiag.fleet.summarize(client, ["s3://traces/job7/rank*.json.gz"], into="s3://traces/job7-summaries")
    """
    tasks = _tasks(_listed(_expanded(paths)), _located(os.fspath(into)), chunks)
    if isinstance(client, str):
        distributed = needed("distributed", "kdiag.fleet.summarize")
        with distributed.Client(client) as connected:
            return _gather(connected, tasks, retries)
    return _gather(client, tasks, retries)


def merge(summaries: Union[PathLike, Iterable[PathLike]]) -> Facts:
    """The facts of a fleet: of summaries, and of folders of them, also as URLs. A summary of the same bytes as another
    counts once, and the order does not matter. Raises what `load` does, and InputError where there is no summary.

    Example: `kdiag.fleet.merge("summaries/").query("count(all.ranks)")`
    """
    contents: Dict[str, bytes] = {}
    seen = set()
    for path in sorted(set(_summaries(summaries)), key=_by_number):
        content = _read(path)
        digest = hashlib.sha256(content).digest()
        if digest not in seen:
            seen.add(digest)
            contents[path] = content
    if not contents:
        raise InputError("kdiag: there are no summaries: no file whose name ends in .kds")
    return load(contents)


def judge(summaries: Union[PathLike, Iterable[PathLike]]) -> Report:
    """The report of `kdiag fleet`: summaries as `merge` takes them, judged by the rules of the pack `fleet`.

    Example: `print(kdiag.fleet.judge("summaries/").text())`
    """
    return diagnose(merge(summaries), load_rules(select=["fleet.*"], incubating=True))


def _tasks(paths: List[str], into: str, chunks: int) -> List[_Task]:
    """What workers do. Local paths are absolute: a worker may run in another folder than the one who calls."""
    tasks: List[_Task] = []
    names: Dict[str, str] = {}
    paths = list(dict.fromkeys(map(_located, paths)))
    folders = [path for path in paths if not _is_url(path) and os.path.isdir(path)]

    def claim(name: str, source: str) -> None:
        other = names.setdefault(name, source)
        if other != source:
            raise ValueError(f"kdiag: {other} and {source} would have one summary: summarise them one by one, each with a "
                             "folder of its own as `into`")

    for path in folders:
        if _is_url(into):
            raise ValueError(f"kdiag: {path} is a folder: give its traces, where summaries are written to a URL")
        inside = _traces_among(os.listdir(path), path)
        for name in inside:
            claim(name, os.path.join(path, name))
        count = min(chunks, len(inside))
        tasks += [_Task(path, into, f"{part}/{count}") for part in range(count)]
    shared_out = set(names.values())
    for path in paths:
        if path not in folders and path not in shared_out:
            claim(_name(path), path)
            tasks.append(_Task(path, into))
    if not tasks:
        raise InputError("kdiag: there is no trace to summarise: no path was given")
    return tasks


def _traces_among(names: Iterable[str], folder: str) -> List[str]:
    """What of a folder `kdiag summarize` looks at: no hidden names, and no summaries."""
    found = sorted(name for name in names if not name.startswith(".") and not name.endswith(".kds"))
    if not found:
        raise InputError(f"kdiag: there is no trace to summarise in {folder}")
    return found


def _gather(client: "Client", tasks: List[_Task], retries: int) -> Made:
    futures = client.map(_summarize, tasks, pure=False, retries=retries)
    done: List[Made] = []
    for task, future in zip(tasks, futures):
        try:
            done.append(future.result())
        except Exception as error:  # of a task, whatever it is: the others go on
            done.append(Made(0, 0, 1, (f"{task}: {error or type(error).__name__}",)))
    return Made(sum(one.made for one in done), sum(one.kept for one in done), sum(one.failed for one in done),
                tuple(message for one in done for message in one.messages))


def _summarize(task: _Task) -> Made:
    """A task, on a worker."""
    if not _is_url(task.source) and not _is_url(task.into):
        return _run(task.source, task.into, task.part)
    name = _name(task.source)
    target = f"{task.into.rstrip('/')}/{name}.kds"
    if _is_kept(target, task.source):
        return Made(0, 1, 0)
    with tempfile.TemporaryDirectory(prefix="kdiag") as scratch:
        trace = task.source
        if _is_url(trace):
            trace = os.path.join(scratch, name)
            system, inside = _file_system(task.source)
            system.get_file(inside, trace)  # `get` would take the name for a pattern
        if not _is_url(task.into):
            return _run(trace, task.into)
        done = _run(trace, os.path.join(scratch, "summary"))
        if done.made:
            _put(os.path.join(scratch, "summary", name + ".kds"), target)
        return done


def _run(source: str, into: str, part: str = "") -> Made:
    """`kdiag summarize --into`, which keeps what is there and gives files their names when they are whole."""
    program = command()
    if program is None:
        raise Error(MISSING)
    # A worker runs as many tasks at a time as it has threads.
    arguments = [program, "summarize", source, "--into", into, "--threads", "1"] + (["--part", part] if part else [])
    ended = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    told = re.match(r"(\d+) summarised, (\d+) kept(?:, (\d+) failed)?", ended.stdout)
    if told is None:
        raise Error(f"kdiag summarize ended with {ended.returncode}: {ended.stderr.strip()[-1000:]}")
    made, kept, failed = (int(number or 0) for number in told.groups())
    if ended.returncode == 2:
        failed = max(failed, 1)  # what was not found is none of the ranks that are counted
    said = ended.stderr.strip()
    return Made(made, kept, failed, (said,) if said else ())


def _is_url(path: str) -> bool:
    return "://" in path


def _name(path: str) -> str:
    """That of a file, without the query of a URL, which may hold a key."""
    return os.path.basename((_without_query(path) if _is_url(path) else path).rstrip("/"))


def _without_query(url: str) -> str:
    return url.partition("?")[0]


def _without_file(path: str) -> str:
    return path[len("file://"):] if path.startswith("file://") else path


def _located(path: str) -> str:
    local = _without_file(path)
    return local if _is_url(local) else os.path.abspath(local)


def _expanded(paths: Union[PathLike, Iterable[PathLike]]) -> List[str]:
    """The paths without `file://`, and URLs with patterns as what is there."""
    out: List[str] = []
    for path in path_list(paths):
        found = _matching(path) if _is_url(path) else [path]
        if not found:
            raise InputError(f"kdiag: there is nothing at {path}")
        out += found
    return list(dict.fromkeys(out))


def _matching(url: str) -> List[str]:
    """What is there by the name of a URL, which may be a pattern."""
    path = _without_file(url)
    if not _is_pattern(path):
        return [path]
    if _is_url(path):
        system, inside = _file_system(path)
        found = [str(system.unstrip_protocol(one)) for one in system.glob(inside)]
    else:
        found = sorted(glob.glob(path, recursive=True))
    return found or ([path] if _is_there(path) else [])  # a file may be called like a pattern


def _is_pattern(path: str) -> bool:
    """Over HTTP `?` begins a query, and brackets are part of an address."""
    return "*" in _without_query(path) if _is_http(path) else glob.has_magic(path)


def _listed(paths: List[str]) -> List[str]:
    """The paths, with the files in them for folders at URLs."""
    out: List[str] = []
    for path in paths:
        if not _is_folder_at_url(path):
            out.append(path)
            continue
        system, folder = _file_system(path)
        entries = {os.path.basename(one["name"].rstrip("/")): one for one in system.ls(folder, detail=True)
                   if one["name"].strip("/") != folder.strip("/")}  # which some object stores list, too
        for name in _traces_among(entries, path):
            if entries[name]["type"] == "directory":
                raise InputError(f"kdiag: {path} has a folder in it, {name}: give the URLs of the traces")
            out.append(system.unstrip_protocol(entries[name]["name"]))
    return out


def _is_http(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _is_folder_at_url(path: str) -> bool:
    """Not over HTTP, where a folder is a page, and to tell what is one loads it."""
    if not _is_url(path) or _is_http(path):
        return False
    system, inside = _file_system(path)
    return bool(system.isdir(inside))


def _file_system(url: str) -> Tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    system, inside = needed("fsspec", "kdiag.fleet of a URL").core.url_to_fs(url)
    return system, str(inside)


def _is_there(path: str) -> bool:
    if not _is_url(path):
        return os.path.exists(path)
    system, inside = _file_system(path)
    return bool(system.exists(inside))


def _written_at(path: str) -> Optional[float]:
    """When a file was written, in seconds; None where the file system does not tell."""
    if not _is_url(path):
        return os.path.getmtime(path)
    system, inside = _file_system(path)
    try:
        return float(system.modified(inside).timestamp())
    except (AttributeError, KeyError, NotImplementedError):
        return None


def _is_kept(target: str, source: str) -> bool:
    """Whether a whole summary is there that is not known to be older than its trace."""
    if not _is_there(target):
        return False
    made, recorded = _written_at(target), _written_at(source)
    if made is not None and recorded is not None and made < recorded:
        return False
    return _is_url(target) or _is_whole(target)


def _is_whole(summary: str) -> bool:
    try:
        load(summary)
    except Error:
        return False
    return True


def _put(file: str, target: str) -> None:
    """Writes a file under a hidden name of its own first: readers see nothing or all of it."""
    system, inside = _file_system(target)
    folder = os.path.dirname(inside)
    part = f"{folder}/.kdiag-{uuid.uuid4().hex}"
    system.makedirs(folder, exist_ok=True)
    try:
        system.put_file(file, part)
        system.mv(part, inside)
    except BaseException:
        with contextlib.suppress(Exception):  # the first failure is the one to tell of
            system.rm_file(part)
        raise


def _summaries(paths: Union[PathLike, Iterable[PathLike]]) -> List[str]:
    out: List[str] = []
    for path in _expanded(paths):
        if _is_url(path):
            system, inside = _file_system(path)
            found = system.find(inside) if system.isdir(inside) else [inside]
            out += [system.unstrip_protocol(one) for one in found if one.endswith(".kds")]
        elif os.path.isdir(path):
            out += glob.glob(os.path.join(glob.escape(path), "**", "*.kds"), recursive=True)
        else:
            out.append(path)
    return out


def _by_number(path: str) -> List[Tuple[str, int]]:
    """rank2 before rank10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", path)]


def _read(path: str) -> bytes:
    if _is_url(path):
        system, inside = _file_system(path)
        return bytes(system.cat_file(inside))
    with open(path, "rb") as file:
        return file.read()
