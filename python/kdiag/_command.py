# SPDX-License-Identifier: Apache-2.0
"""Where the command kdiag is that was installed with this package."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import shutil
from typing import Iterator, Optional

MISSING = "kdiag: the command kdiag is not installed: neither with this package nor in a folder of PATH"


def _installed() -> Iterator[pathlib.Path]:
    """Where the command of a wheel can be: where its list of files says, and below the folder of `pip install --target`."""
    try:
        files = importlib.metadata.files("kdiag") or ()
    except importlib.metadata.PackageNotFoundError:
        files = ()
    for file in files:
        if file.parts[-2:] == ("bin", "kdiag"):
            yield pathlib.Path(str(file.locate()))
    yield pathlib.Path(__file__).parent.parent / "bin" / "kdiag"


def command() -> Optional[str]:
    """That of the same wheel, or else the first one of PATH."""
    return next((str(path) for path in _installed() if os.access(path, os.X_OK)), None) or shutil.which("kdiag")
