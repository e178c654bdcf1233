# SPDX-License-Identifier: Apache-2.0
"""`python -m kdiag trace.json`: the command kdiag, as if it were called by its name.

It becomes the command that was installed with this package: that of the same wheel, or else the first one of PATH.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from ._command import MISSING, command


def main() -> NoReturn:
    program = command()
    if program is None:
        print(MISSING, file=sys.stderr)
        sys.exit(127)  # as a shell says it: 1 would be a finding
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python; a command that writes to `head` ends of the first
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(program, ["kdiag", *sys.argv[1:]])


if __name__ == "__main__":
    main()
