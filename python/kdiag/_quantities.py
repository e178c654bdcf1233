# SPDX-License-Identifier: Apache-2.0
"""Quantities as reports show them, the same on every machine and locale."""

from __future__ import annotations

from typing import Iterable, Optional

from ._library import Context, name_array, name_of, whole
from ._abi import lib


def format_value(value: float, unit: str = "1") -> str:
    """A value in base units: `kdiag.format_value(4192, "ns")` is "4.19 us". unit: ns, bytes, Hz, B/s, W, degC, ratio, 1."""
    return Context().text(lib.kdiag_value_format, float(value), name_of(unit))


def format_duration(ns: int, high_ns: Optional[int] = None) -> str:
    """A duration, or a range of them: `kdiag.format_duration(9_240_000)` is "9.24 ms"."""
    if high_ns is None:
        return Context().text(lib.kdiag_duration_format, whole(ns))
    return Context().text(lib.kdiag_duration_range_format, whole(ns), whole(high_ns))


def format_share(share: float, high: Optional[float] = None) -> str:
    """A share of 0 to 1, or a range of them: `kdiag.format_share(0.72)` is "72 %"."""
    if high is None:
        return Context().text(lib.kdiag_share_format, float(share))
    return Context().text(lib.kdiag_share_range_format, float(share), float(high))


def format_count(count: int) -> str:
    """A whole number: `kdiag.format_count(11791)` is "11,791"."""
    return Context().text(lib.kdiag_count_format, whole(count))


def format_number(number: float) -> str:
    """A plain number: `kdiag.format_number(0.75123)` is "0.7512"."""
    return Context().text(lib.kdiag_number_format, float(number))


def format_factor(factor: float) -> str:
    """A factor: `kdiag.format_factor(3.6)` is "3.6x"."""
    return Context().text(lib.kdiag_factor_format, float(factor))


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """"did you mean 'kernels'?" when a misspelt word is close to one of the names, else empty."""
    known = list(names)
    return Context().text(lib.kdiag_did_you_mean, name_of(word), name_array(known), len(known))
