# SPDX-License-Identifier: Apache-2.0
"""Packages that the package can do without."""

from __future__ import annotations

import importlib
from typing import Any

_EXTRAS = {"numpy": "arrays", "pandas": "frames", "distributed": "dask", "fsspec": "urls"}


def needed(package: str, what: str) -> Any:
    """The package, or an ImportError that says what needs it and how to get it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(
            f"kdiag: {what} needs {package}: pip install 'kdiag[{_EXTRAS[package]}]', or python3-{package} of Debian",
            name=package) from error
