#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Findings beside the events: --format perfetto, and kdiag annotate. Usage: timeline_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
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

# An independent reader: the compiler of Protocol Buffers (protobuf-compiler) knows the wire format alone.
if command -v protoc >/dev/null; then
  protoc --decode_raw <t.pftrace >raw || fail 'protoc reads the trace'
  [ "$(grep -c '^1 {' raw)" -gt 100 ] || fail 'protoc finds packets'
  grep -q 'host.sync-stall' raw || fail 'protoc finds the finding'
  if grep -q '^    9: 3$' raw; then fail 'a finding without intervals is a slice, no instant'; fi
  [ "$(grep -c '^    9: 1$' raw)" = "$(grep -c '^    9: 2$' raw)" ] || fail 'each slice ends'
  kernels=$(grep -c '22: "kdiag.kernel"' raw)
  [ "$kernels" = "$(answer 'count(kernels)' "$trace" | tail -1 | cut -d, -f1)" ] || fail 'protoc finds each kernel'
elif [ -n "${CI:-}" ]; then
  fail 'protoc is not there: scripts/setup test installs it'
else
  echo 'protoc is not there: the trace was read by kdiag alone'
fi

# Annotated: all bytes of the trace stay, the findings are more.
run annotate "$trace" -o annotated.json; code_is 0 'annotate'; err_empty 'annotate'
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
whole = [event for event in new if event['ph'] == 'X' and event['args']['rule'] == 'kernel.fp32-matmul']
assert len(whole) == 1 and round(whole[0]['dur'], 3) == 20366.055, whole  # without intervals: the window that was judged
spans = [event for event in known if event['ph'] == 'X']
first, last = min(e['ts'] for e in spans), max(e['ts'] + e['dur'] for e in spans)
assert all(first <= event['ts'] and event['ts'] + event['dur'] <= last for event in new if event['ph'] == 'X')
PY
run annotate "$trace" -o annotated.json.gz; code_is 0 'annotate and pack'
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
run annotate "$trace"; code_is 0 'annotate to a pipe'; cmp -s out annotated.json || fail 'the same bytes to a pipe'
run annotate - -o x.json; code_is 2 'standard input'
cp "$trace" mine.json; run annotate mine.json -o mine.json; code_is 2 'over itself'; cmp -s "$trace" mine.json || fail 'the trace stays'
finish
