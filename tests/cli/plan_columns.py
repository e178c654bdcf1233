# SPDX-License-Identifier: Apache-2.0
"""Takes columns and tables away from a rich recording: the plan asks for exactly what went, and settles what was lost.

plan_columns.py KDIAG TRACE WHAT=ASKED[,ASKED] ...

WHAT is a column or a table of what the trace states, ASKED the facts that the plan then asks for beside those that it asks
for anyway. Every rule that could tell before is to be settled by what is asked for; `WHAT=` alone: nothing brings it back,
and the rules stay open. What the plan asks for is in the whole recording, where all of these rules could tell."""
import json
import subprocess
import sys


def plan(kdiag, lines):
    """What is asked for, which rules that settles, and which stay open."""
    with open("cut.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    out = subprocess.run([kdiag, "plan", "cut.jsonl", "--format", "json", "--quiet"], check=True, capture_output=True).stdout
    asked, settled, open_rules = set(), set(), set()
    for one in json.loads(out)["plans"]:
        open_rules |= {rule["rule"] for rule in one["open"]}
        for recording in one["recordings"]:
            asked |= set(recording["facts"])
            settled |= set(recording["settles"])
    return asked, settled, open_rules


def without(line, what):
    table, _, column = what.partition(".")
    if line.get("table") != table or (column and column not in line["columns"]):
        return line
    if not column:
        return None
    place = line["columns"].index(column)
    return {**line, "columns": line["columns"][:place] + line["columns"][place + 1:],
            "rows": [row[:place] + row[place + 1:] for row in line["rows"]]}


def main(kdiag, trace, *cases):
    subprocess.run([kdiag, "facts", trace, "--export", "whole.jsonl", "--quiet"], check=True)
    with open("whole.jsonl", encoding="utf-8") as file:
        whole = [json.loads(line) for line in file]
    asked_before, *rules = plan(kdiag, whole)
    open_before = set().union(*rules)
    wrong = 0
    for case in cases:
        what, _, wanted = case.partition("=")
        asked, settled, left_open = plan(kdiag, [cut for cut in (without(line, what) for line in whole) if cut])
        asked, settled, left_open = asked - asked_before, settled - open_before, left_open - open_before
        good = asked == set(filter(None, wanted.split(","))) and (settled and not left_open if wanted else left_open and not settled)
        if not good:
            wrong += 1
            print(f"without {what}: asks for {sorted(asked)}, which settles {sorted(settled)}; open: {sorted(left_open)}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
