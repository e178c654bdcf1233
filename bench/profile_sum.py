#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of judging `kdiag --profile` lists by rule and by expression: profile_sum.py KDIAG TRACE...

The rest is what belongs to no rule, such as going from one to the next. Each trace is judged five times, with the
built-in packs and one thread; the median counts. Exit code 1 when less than 95 % is listed of a trace on which judging
takes 10 ms and more: below that the clock is too coarse (judgement).
"""

import json
import statistics
import subprocess
import sys

LEAST, LONG_ENOUGH = 0.95, 0.01


def listed_share(kdiag, trace):
    """The share of the time of judging that is listed, and that time in seconds."""
    made = subprocess.run([kdiag, "--no-config", "--quiet", "--threads", "1", "--profile", "--format", "json", trace],
                          stdout=subprocess.PIPE, check=False)
    timings = json.loads(made.stdout)["timings"]
    listed = sum(entry["seconds"] for key in ("by_rule", "by_expression") for entry in timings[key])
    return listed / timings["evaluate"], timings["evaluate"]


def main(kdiag, traces):
    low = 0
    for trace in traces:
        runs = [listed_share(kdiag, trace) for _ in range(5)]
        share, seconds = (statistics.median(values) for values in zip(*runs))
        low += share < LEAST and seconds >= LONG_ENOUGH
        print(f"{share:7.1%} of {seconds * 1000:8.1f} ms  {trace}")
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
