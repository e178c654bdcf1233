#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a wheel of the Python package with the library and the command inside; two calls make the same bytes.

wheel.py VERSION ARCHITECTURE METADATA LIBRARY COMMAND FOLDER, and its path is printed. Its tag says the oldest C library
that it runs with: the latest version of a symbol that the library asks for.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def oldest_libc(library: str) -> tuple[int, ...]:
    """The version of glibc that a library needs; it must not need a C++ library."""
    dump = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout
    others = set(re.findall(r"NEEDED +(\S+)", dump)) - {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}
    others -= {name for name in others if name.startswith("ld-linux")}
    if others:
        sys.exit(f"{library} needs {', '.join(sorted(others))}, which a wheel must not")
    versions = re.findall(r"GLIBC_([0-9.]+)$", dump, re.M)
    return max(tuple(map(int, version.split("."))) for version in versions)


def main() -> None:
    version, architecture, metadata, library, command, folder = sys.argv[1:]
    tag = "py3-none-manylinux_{}_{}_{}".format(*oldest_libc(library)[:2], architecture)
    info = f"kdiag-{version}.dist-info"
    members = {f"kdiag/{path.name}": path.read_bytes() for path in (ROOT / "python" / "kdiag").glob("*.py*") if path.is_file()}
    members["kdiag/libkdiag.so.0"] = pathlib.Path(library).read_bytes()
    members[f"kdiag-{version}.data/scripts/kdiag"] = pathlib.Path(command).read_bytes()
    members[f"{info}/METADATA"] = pathlib.Path(metadata).read_bytes()
    members[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    members[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: kdiag\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = [f"{info}/RECORD,,\n"]
    for name, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    members[f"{info}/RECORD"] = "".join(sorted(record)).encode()
    path = pathlib.Path(folder, f"kdiag-{version}-{tag}.whl")
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in sorted(members.items()):
            member = zipfile.ZipInfo(name)  # of 1980
            member.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(member, data, compresslevel=9)
    print(path)


main()
