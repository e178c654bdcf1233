# SPDX-License-Identifier: Apache-2.0
"""Whether a file is OpenMetrics, by the strict parser of Prometheus' client for Python; skipped (77) where there is none.

    openmetrics.py FILE FAMILY...       which must be in it
"""

import sys

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    families = {family.name: family for family in text_string_to_metric_families(file.read())}
missing = set(sys.argv[2:]) - set(families)
if missing:
    sys.exit(f"{sys.argv[1]} lacks {', '.join(sorted(missing))}")
