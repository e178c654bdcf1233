#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A fleet on a real Dask: a scheduler and three workers, 64 ranks, a worker that is killed halfway, a rerun. The report is
# that of the local run, byte for byte. Usage: dask_test.sh KDIAG EXAMPLES LIBRARY; 77 where there is no Dask.
for program in dask-scheduler dask-worker; do
  command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done
library=$(realpath "$3")
. "$(dirname "$0")/../cli/harness.sh"
examples=$2

pids=()
end() {
  ((${#pids[@]})) && kill "${pids[@]}" 2>/dev/null
  wait
  rm -rf "$work"
}
trap end EXIT

export PYTHONPATH=$examples/../python KDIAG_LIBRARY=$library PYTHONDONTWRITEBYTECODE=1
export DASK_DISTRIBUTED__WORKER__DAEMON=False DASK_TEMPORARY_DIRECTORY=$work/dask
# The command of the workers: slow, so that one of them is killed with work in its hands. It says whose process it is.
mkdir bin begun
cat >bin/kdiag <<SH
#!/bin/sh
touch "$work/begun/\$PPID.\$\$"
sleep 0.2
exec "$kdiag" "\$@"
SH
chmod +x bin/kdiag
port=$((20000 + RANDOM % 20000))
dask-scheduler --host 127.0.0.1 --port $port --no-dashboard >scheduler.log 2>&1 &
pids+=($!)
for worker in 0 1 2; do
  PATH=$work/bin:$PATH dask-worker "tcp://127.0.0.1:$port" --name "worker$worker" --nthreads 1 --no-dashboard --no-nanny \
    --local-directory "$work/dask" >"worker$worker.log" 2>&1 &
  pids+=($!)
done

"$examples"/traces/slow_rank.sh job 64 41
run summarize job --into local; code_is 0 'the local run'
run fleet local --output local.txt; code_is 0 'the local run'
grep -q 'Rank 41 works' local.txt || fail 'the local run finds the slow rank'

cat >fleet.py <<PY
import sys
import distributed
import kdiag
with distributed.Client("tcp://127.0.0.1:$port") as client:
    client.wait_for_workers(int(sys.argv[1]), timeout=60)
    made = kdiag.fleet.summarize(client, "job", into="summaries")
print(made.made, "made,", made.kept, "kept,", made.failed, "failed", *made.messages)
with open("report.txt", "w") as file:
    file.write(kdiag.fleet.judge("summaries").text())
PY

# Killed while it runs a command, and once a third of the summaries are there.
/usr/bin/python3 fleet.py 3 >out 2>err & job=$!
for _ in $(seq 600); do
  [ "$(find summaries -name '*.kds' 2>/dev/null | wc -l)" -ge 21 ] && break
  sleep 0.1
done
kill -9 "${pids[2]}"
wait $job; code=$?
code_is 0 'a worker is killed'
[ "$(find begun -name "${pids[2]}.*" | wc -l)" -ge 5 ] || fail 'the worker that is killed had worked'
[ "$(find begun -name "${pids[2]}.*" | wc -l)" -le 40 ] || fail 'the others had worked, too'
grep -Eq '^[0-9]+ made, [0-9]+ kept, 0 failed$' out || fail 'nothing failed'
[ "$(find summaries -type f | wc -l)" = 64 ] || fail 'a summary of each rank, and nothing else'
diff -r local summaries >/dev/null || fail 'the summaries of the local run'
cmp -s local.txt report.txt || fail 'the report of the local run'
run fleet summaries --output again.txt; cmp -s local.txt again.txt || fail 'the report of the command'

# A trace that is cut to nothing, and a rerun once it is back: the rest is kept.
cp job/rank9.jsonl back.jsonl
echo '{"traceEvents": [' >job/rank9.jsonl
rm summaries/rank9.jsonl.kds
/usr/bin/python3 fleet.py 2 >out 2>err; code=$?
code_is 0 'a trace that cannot be read'; out_has '0 made, 63 kept, 1 failed' 'a trace that cannot be read'
out_has 'rank9.jsonl' 'a trace that cannot be read'
grep -q '1 of 64 ranks of the job are not here' report.txt || fail 'a missing rank is said'
mv back.jsonl job/rank9.jsonl
/usr/bin/python3 fleet.py 2 >out 2>err; code=$?
code_is 0 'a rerun'; out_has '1 made, 63 kept, 0 failed' 'a rerun'
cmp -s local.txt report.txt || fail 'the report of the rerun'
finish
