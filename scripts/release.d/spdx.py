#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what is inside of what scripts/release made, with versions and licences, as SPDX 2.3 on its standard output:
spdx.py VERSION SECONDS ROOT..., where SECONDS dates the list and the roots are the Debians whose packages were used.

Licences are given as the texts that Debian has of them: its short names are not those of SPDX, and a package has several.
"""

import gzip
import json
import pathlib
import re
import sys
import time

# Packages of Debian with code that is linked, and what is taken of them.
INSIDE = {
    "libc6-dev": "the C library, in the command", "libstdc++-12-dev": "the C++ library", "libgcc-12-dev": "the compiler's library",
    "libgcc-10-dev": "the unwinder, in wheels", "libyaml-cpp-dev": "yaml-cpp", "libre2-dev": "RE2", "libisal-dev": "ISA-L",
    "libzstd-dev": "Zstandard", "liblzma-dev": "XZ", "libsqlite3-dev": "SQLite", "libarchive-dev": "libarchive",
    "liblua5.4-dev": "Lua", "zlib1g-dev": "zlib", "libbz2-dev": "bzip2", "nettle-dev": "Nettle",
    "libedit-dev": "libedit, in the command", "libbsd-dev": "libbsd, in the command", "libmd-dev": "libmd, in the command",
    "libncurses-dev": "libtinfo, in the command", "tao-pegtl-dev": "PEGTL, headers", "librange-v3-dev": "range-v3, headers",
    "libprotozero-dev": "protozero, headers", "libboost1.74-dev": "Boost.Math, headers",
    "libcli11-dev": "CLI11, headers, in the command", "nlohmann-json3-dev": "JSON for Modern C++, headers, in the command",
}


def documents(package: str, roots: list[str]) -> pathlib.Path:
    for root in roots:
        folder = pathlib.Path(root, "usr/share/doc", package)
        if (folder / "copyright").exists():
            return folder
    sys.exit(f"none of {', '.join(roots)} has the licence of {package}")


def version_of(folder: pathlib.Path) -> str:
    changes = next(folder / name for name in ("changelog.Debian.gz", "changelog.gz") if (folder / name).exists())
    found = re.search(r"\(([^)]+)\)", gzip.decompress(changes.read_bytes()).decode("utf-8", "replace"))
    assert found, changes
    return found[1]


def main() -> None:
    version, seconds, roots = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    made = {
        "name": "kdiag", "SPDXID": "SPDXRef-kdiag", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
    }
    packages, licences = [made], []
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-kdiag"}]
    for package, what in INSIDE.items():
        folder = documents(package, roots)
        name, licence = re.sub(r"[^A-Za-z0-9.]", "-", package), (folder / "copyright").read_text("utf-8", "replace")
        short = sorted(set(re.findall(r"^License: *(\S.*?)\s*$", licence, re.M)))
        packages.append({
            "name": package, "SPDXID": f"SPDXRef-{name}", "versionInfo": version_of(folder), "summary": what,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": f"LicenseRef-{name}", "copyrightText": "NOASSERTION",
            "licenseComments": "Debian's names of the licences of its parts: " + (", ".join(short) or "none; see the text"),
        })
        licences.append({"licenseId": f"LicenseRef-{name}", "name": f"Debian's copyright file of {package}", "extractedText": licence})
        relations.append({"spdxElementId": "SPDXRef-kdiag", "relationshipType": "STATIC_LINK", "relatedSpdxElement": f"SPDXRef-{name}"})
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"kdiag-{version}",
        "documentNamespace": f"urn:kdiag:spdx:{version}:{seconds}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "creators": ["Tool: kdiag scripts/release"]},
        "packages": packages, "relationships": relations, "hasExtractedLicensingInfos": licences,
    }, sys.stdout, indent=1)
    print()


main()
