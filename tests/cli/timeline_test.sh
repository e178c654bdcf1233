#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Findings beside the events: --format perfetto, and kdiag annotate. Usage: timeline_test.sh KDIAG EXAMPLES
here=$(realpath "$(dirname "$0")")
. "$here/harness.sh"
trace=$2/traces/item_storm.json

answer() { "$kdiag" query --quiet --format csv "$1" "$2" 2>err; }
same() { # EXPRESSION A B
  [ "$(answer "$1" "$2")" = "$(answer "$1" "$3")" ] && [ -n "$(answer "$1" "$2")" ] || fail "$3: other answers to $1"
}

run --format perfetto --output t.pftrace "$trace"; code_is 0 'a Perfetto trace'; out_empty 'a Perfetto trace'; err_empty 'a Perfetto trace'
for expression in 'count(kernels)' 'sum(kernels, dur)' 'count(copies)' 'sum(copies, dur)' 'count(ops)' 'count(api)' 'min(kernels, start)'; do
  same "$expression" "$trace" t.pftrace
done
run --format perfetto "$trace"; code_is 0 'a Perfetto trace to a pipe'; cmp -s out t.pftrace || fail 'the same bytes to a pipe'
run --format perfetto --threads 1 "$trace"; cmp -s out t.pftrace || fail 'the same bytes by one thread'
run --format perfetto --output none.pftrace table.txt; code_is 2 'no timeline'; err_has 'no timeline' 'no timeline'
[ ! -e none.pftrace ] || fail 'no file without a timeline'
run compare "$trace" "$trace" --format perfetto; code_is 2 'a comparison is no timeline'

# An independent reader: the compiler of Protocol Buffers (protobuf-compiler) with the public numbers of the fields.
checked() { protoc --decode=Trace -I "$here/perfetto" trace.proto <"$1" >decoded 2>err && python3 "$here/perfetto/check.py" <decoded >sums 2>err; }
# A trace that asks for several tracks at one place: kernels of a queue that overlap, calls that reach out of each other, no
# length, names that are markup of whatever reads them; two devices.
python3 - <<'PY'
import json
def event(cat, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 0 if cat == "kernel" else 1, "tid": tid, "ts": ts, "dur": dur, "args": args}
events = [event("cpu_op", "aten::mm", 1, 0, 50), event("cpu_op", "reaches out", 1, 20, 60), event("cpu_op", "empty", 1, 20, 0),
          event("cpu_op", "quote \" } { \n \u202e \u0000", 1, 90, 5)]
for i in range(6):
    events.append(event("cuda_runtime", "cudaLaunchKernel", 1, 2 + 4 * i, 3, correlation=i + 1))
    events.append(event("kernel", f"k{i} <b>", 7, 10 + 5 * i, 0 if i == 3 else 8, device=i % 2, stream=7, correlation=i + 1))
json.dump({"traceEvents": events}, open("odd.json", "w"))
PY
run --format perfetto --output odd.pftrace odd.json; code_is 0 'an odd trace'
if command -v protoc >/dev/null; then
  for name in odd.json:odd.pftrace "$trace:t.pftrace"; do
    checked "${name#*:}" || fail "$(cat err)"
    for what in kernel:kernels call:api op:ops; do
      table=${what#*:}; wanted="kdiag.${what%:*} $(answer "count($table)" "${name%:*}" | tail -1 | cut -d, -f1) $(answer "sum($table, dur)" "${name%:*}" | tail -1 | cut -d, -f1)"
      grep -qxF "$wanted" sums || fail "$name: $wanted is not in $(tr '\n' ';' <sums)"
    done
  done
  grep -q 'host.sync-stall' decoded || fail 'protoc finds the finding'
  # The reader does refuse: a slice that never ends, time that goes back, an unknown number.
  for change in '0,/type: SLICE_END/s//type: INSTANT/' '0,/timestamp: .*/s//timestamp: 9223372036854775807/' '0,/name_iid: .*/s//name_iid: 987654/' '0,/^    name: "/s//    title: "/'; do
    sed "$change" decoded | python3 "$here/perfetto/check.py" >/dev/null 2>&1 && fail "the reader refuses $change"
  done
elif [ -n "${CI:-}" ]; then
  fail 'protoc is not there: scripts/setup test installs it'
else
  echo 'protoc is not there: the trace was read by kdiag alone'
fi

# Annotated: all bytes of the trace stay, the findings are more.
printf 'kdiag: 1\nrules:\n- rule: team.many\n  title: Many kernels\n  when: count(kernels) > 3\n' >many.yaml
run annotate --rules many.yaml "$trace" -o annotated.json; code_is 0 'annotate'; err_empty 'annotate'
python3 - "$trace" annotated.json <<'PY' || fail 'annotate leaves every byte, and adds whole events'
import json, sys
before, after = (open(name, 'rb').read() for name in sys.argv[1:3])
added = len(after) - len(before)
start = next(i for i, (a, b) in enumerate(zip(before, after)) if a != b)
assert added > 0
# Where what was added ends like what follows, it can begin earlier.
assert any(after[:at] + after[at + added:] == before for at in range(max(0, start - added), start + 1))
known, events = json.loads(before)['traceEvents'], json.loads(after)['traceEvents']
new = [event for event in events if event['pid'] == 'kdiag']
assert [event for event in events if event['pid'] != 'kdiag'] == known
assert any(event['ph'] == 'X' and event['args']['rule'] == 'host.sync-stall' for event in new)
rows = {(event['ts'], event['dur']) for event in new if event['ph'] == 'X' and event['args']['rule'] == 'kernel.fp32-matmul'}
products = {(event['ts'], event['dur']) for event in known if event['name'].startswith('ampere_sgemm')}
assert len(rows) == 18 and rows == products, rows  # an amount: the rows that it is computed from
whole = [event for event in new if event['ph'] == 'X' and event['args']['rule'] == 'team.many']
assert len(whole) == 1 and round(whole[0]['dur'], 3) == 20366.055, whole  # neither: the window that was judged
spans = [event for event in known if event['ph'] == 'X']
first, last = min(e['ts'] for e in spans), max(e['ts'] + e['dur'] for e in spans)
assert all(first <= event['ts'] and event['ts'] + event['dur'] <= last for event in new if event['ph'] == 'X')
PY
run annotate --rules many.yaml "$trace" -o annotated.json.gz; code_is 0 'annotate and pack'
gzip -dc annotated.json.gz | cmp -s - annotated.json || fail 'the packed trace is the same'
"$kdiag" --quiet --format json "$trace" | sed 's/item_storm.json/X/g' >one; "$kdiag" --quiet --format json annotated.json.gz | sed 's/annotated.json.gz/X/g' >two
python3 - <<'PY' || fail 'the annotated trace gets the same report'
import json
def report(name):
    text = json.load(open(name)); text.pop('inputs'); return text
one, two = report('one'), report('two')
assert one['findings'] and one['ledger'] == two['ledger'] and one['tally'] == two['tally']
assert [f['rule'] for f in one['findings']] == [f['rule'] for f in two['findings']]
PY
printf '[{"name": "a", "ph": "X", "ts": 0, "dur": 5, "pid": 1, "tid": 1}' >open.json
run annotate open.json -o open2.json; code_is 0 'a list without an end'
run annotate table.txt -o table2.txt; code_is 2 'what is no such trace'; err_has 'Chrome trace' 'what is no such trace'
[ ! -e table2.txt ] || fail 'no file of what cannot be annotated'
run annotate --rules many.yaml "$trace"; code_is 0 'annotate to a pipe'; cmp -s out annotated.json || fail 'the same bytes to a pipe'
run annotate - -o x.json; code_is 2 'standard input'
cp "$trace" mine.json; run annotate mine.json -o mine.json; code_is 2 'over itself'; cmp -s "$trace" mine.json || fail 'the trace stays'
finish
