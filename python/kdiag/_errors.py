# SPDX-License-Identifier: Apache-2.0
"""What can go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from ._report import Report


@dataclass(frozen=True)
class Label:
    """A place that a diagnostic marks, and what is said there; may be empty. Places are as in `Diagnostic`."""

    text: str
    source: str
    line: Optional[int]
    column: Optional[int]
    offset: Optional[int]
    length: Optional[int]


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, where, and what to do about it; ids are explained in docs/errors.md.

    Lines and columns count from 1, in characters; offset and length are bytes of the source. None: there is no place.
    context: the rule or test that it belongs to; may be empty. labels: all places with what is said there ("first here",
    "did you mean ..."); the first one is that of the diagnostic.
    """

    id: str
    level: str
    title: str
    help: str
    source: str
    line: Optional[int]
    column: Optional[int]
    note: str = ""
    offset: Optional[int] = None
    length: Optional[int] = None
    context: str = ""
    labels: Tuple[Label, ...] = ()


class Error(Exception):
    """What kdiag could not do: the text names places and gives advice, `diagnostics` has the same by parts.

    Example::

        try:
            kdiag.load_rules("mine.yaml")
        except kdiag.Error as error:
            for diagnostic in error.diagnostics:
                print(diagnostic.source, diagnostic.line, diagnostic.title)
    """

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics: List[Diagnostic] = list(diagnostics)


class InputError(Error):
    """No input could be read."""


class RulesError(Error):
    """Rules, an expression or the id of a rule have mistakes."""


class Stopped(Error):
    """A call ended early: `Cancelled` or `DeadlineExceeded`."""

    report: Optional["Report"] = None
    """What `diagnose` and `compare` judged so far, where `keep_partial` asks for it and there is something."""


class Cancelled(Stopped):
    """The host asked to stop: `CancelToken`."""


class DeadlineExceeded(Stopped):
    """The time that was given was over."""


class LimitExceeded(Error):
    """An input brought more than its limit."""
