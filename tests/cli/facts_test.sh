#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag facts: rows for spreadsheets and databases. Usage: facts_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
storm=$examples/traces/item_storm.json

# --- Rows of one table ----------------------------------------------------------------------------------------------

run facts "$storm" kernels --format csv; code_is 0 'CSV'; err_empty 'CSV'
kernels=$("$kdiag" query 'count(kernels)' "$storm")
python3 - "$kernels" <<'PY' || fail 'CSV: a row for each kernel, with keys and labels'
import csv, sys
rows = list(csv.DictReader(open("out")))
assert len(rows) == int(sys.argv[1].replace(",", "")) > 0
assert [int(row["key"]) for row in rows] == list(range(len(rows)))
assert all(row["device_label"].startswith("GPU ") and row["launch_label"] for row in rows)
PY
run facts "$storm" kernels --format jsonl --output kernels.jsonl; code_is 0 'JSON lines'; out_empty 'JSON lines'
python3 -c 'import json; assert all(json.loads(line)["dur"] > 0 for line in open("kernels.jsonl"))' || fail 'each line is JSON'
echo >kernels; run facts "$storm" kernels --format csv; code_is 0 'a file of the name of a table'; out_has 'key,run,name' 'a file of the name of a table'
rm kernels
run facts kernels "$storm" --format csv; code_is 0 'the table first'; out_has 'key,run,name' 'the table first'

run facts "$storm" --format csv; code_is 2 'CSV of no table'; err_has 'facts trace.json kernels --format csv' 'CSV of no table'
run facts "$storm" kernel --format csv; code_is 2 'a mistyped table'; err_has "did you mean 'kernels'?" 'a mistyped table'
run facts "$storm" samples --format csv; code_is 2 'a table that is not there'; err_has "do not record the table 'samples'" 'a table that is not there'
out_empty 'a table that is not there'
run facts "$storm" kernels; code_is 2 'rows as text'; err_has 'kdiag query kernels' 'rows as text'
run facts "$storm" kernels --steps 12..13 --format csv; code_is 0 'a part of a table'; err_empty 'a part of a table'
python3 - "$("$kdiag" query 'count(kernels)' "$storm" --steps 12..13)" <<'PY' || fail 'a part of a table: the rows that query counts, with keys of the whole'
import csv, sys
rows = list(csv.DictReader(open("out")))
assert len(rows) == int(sys.argv[1]) > 0
assert {row["step_label"] for row in rows} == {"step 12", "step 13"}, {row["step_label"] for row in rows}
assert int(rows[0]["key"]) > 0
PY
run facts "$storm" kernels --steps 70..80 --format csv; code_is 2 'no such part'; err_has 'step' 'no such part'
run facts "$storm" --format sqlite --export -; code_is 2 'two exports'

# --- All tables as a database ---------------------------------------------------------------------------------------

run facts "$storm" --format sqlite --output facts.db; code_is 0 'a database'; out_empty 'a database'; err_empty 'a database'
python3 - "$kernels" <<'PY' || fail 'a database: kernels join their launches'
import sqlite3, sys
db = sqlite3.connect("file:facts.db?mode=ro", uri=True)
count = int(sys.argv[1].replace(",", ""))
assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
assert db.execute("PRAGMA foreign_key_check").fetchall() == []
joined = db.execute("""SELECT count(*), min(k.start - a.start), sum(a.name <> k.launch_label)
                       FROM kernels k JOIN api a ON a.key = k.launch""").fetchone()
assert joined[0] == count and joined[1] >= 0 and joined[2] == 0, joined
plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM kernels WHERE launch = 3").fetchall()
assert "kernels_launch" in plan[0][-1], plan
unit = db.execute("""SELECT unit, meaning FROM columns WHERE "table" = 'kernels' AND "column" = 'dur'""").fetchone()
assert unit == ("ns", "Duration."), unit
rows = db.execute("""SELECT "table", "rows" FROM tables""").fetchall()
assert rows and all(db.execute(f'SELECT count(*) FROM "{name}"').fetchone() == (n,) for name, n in rows)
assert db.execute("SELECT tensor_util FROM kernels LIMIT 1").fetchone() == (None,)
PY
run facts "$storm" --steps 12..13 --format sqlite --output part.db; code_is 0 'a database of a part'; err_empty 'a database of a part'
python3 - <<'PY' || fail 'a database of a part: its rows join those that belong to it'
import sqlite3
whole, part = (sqlite3.connect(f"file:{name}?mode=ro", uri=True) for name in ("facts.db", "part.db"))
for table, in part.execute("""SELECT "table" FROM tables"""):
    rows, fewer = (set(db.execute(f'SELECT "key" FROM "{table}"')) for db in (whole, part))
    assert fewer <= rows, table
assert part.execute("SELECT count(DISTINCT step) FROM kernels").fetchone() == (2,)
joined = "SELECT count(*) FROM kernels k JOIN api a ON a.key = k.launch"
assert part.execute(joined).fetchone() == part.execute("SELECT count(*) FROM kernels").fetchone()
assert part.execute("PRAGMA foreign_key_check").fetchall() == []
PY
"$kdiag" facts "$storm" --format sqlite >piped.db 2>err; code=$?; code_is 0 'a piped database'
cmp -s piped.db facts.db || fail 'a piped database is the same'
"$kdiag" facts "$storm" --format sqlite 2>err | head -c 10 >/dev/null; code=${PIPESTATUS[0]}; code_is 0 'a reader that had enough'; err_empty 'a reader that had enough'
mkdir temporary
TMPDIR=$work/temporary run facts "$storm" --format sqlite --output facts.db; [ -z "$(ls temporary)" ] || fail 'a temporary file is left'
echo before >kept.db
TMPDIR=/nowhere/there; export TMPDIR
mkdir -p full; (ulimit -f 8; TMPDIR=$work/full "$kdiag" facts "$storm" --format sqlite --output kept.db >out 2>err); code=$?
code_is 2 'no room for a database'; err_has 'TMPDIR' 'no room for a database'; [ "$(cat kept.db)" = before ] || fail 'the file of before stays'
[ -z "$(ls full)" ] || fail 'no room: a temporary file is left'
unset TMPDIR
if [ -e /dev/full ]; then
  run facts "$storm" kernels --format csv --output /dev/full; code_is 2 'a full disk'; err_has 'No space left' 'a full disk'
fi
finish
