#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Width, characters and length of the report as text. Usage: layout_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
trace=$2/traces/item_storm.json

# Columns as people count them, whatever the locale of the test.
widest() { python3 -c 'import sys; print(max(len(line) for line in open(sys.argv[1], encoding="utf-8").read().split("\n")))' "$1"; }
unset LC_ALL LC_CTYPE LANG COLUMNS
run "$trace"; code_is 0 'no terminal'; [ "$(widest out)" -le 100 ] || fail '100 columns without a terminal'
cp out plain
run explain host.sync-stall "$trace"; code_is 0 explain; [ "$(widest out)" -le 120 ] || fail 'long expressions stand below what they are of'
COLUMNS=80 run "$trace"; cmp -s out plain || fail 'COLUMNS is about terminals'
for width in 80 120 200; do
  run "$trace" --width $width; code_is 0 "$width columns"
  columns=$(widest out); [ "$columns" -le $width ] && [ "$columns" -gt $((width * 3 / 4)) ] || fail "$width columns: $columns"
done
run "$trace" --width 10; code_is 2 'too narrow'

# Only a locale that says so has no UTF-8, and a file is read elsewhere.
LC_ALL=C.UTF-8 run "$trace"; cmp -s out plain || fail 'a locale with UTF-8'
LC_ALL=C run "$trace"; code_is 0 'ASCII'; LC_ALL=C grep -q '[^ -~]' out && fail 'ASCII alone'
[ "$(wc -l <out)" = "$(wc -l <plain)" ] || fail 'ASCII has the same lines'
LC_ALL=C run "$trace" --output file; cmp -s file plain || fail 'a file is UTF-8'

# Through a pager colours are asked for by a variable; they are all that it has to know (SGR), and change no column.
esc=$(printf '\033')
NO_COLOR='' CLICOLOR_FORCE=1 run "$trace" --width 80; code_is 0 'colours for a pager'; grep -q "$esc\[1m" out || fail 'colours for a pager'
sed "s/$esc\[[0-9;]*m//g" out >bare; grep -q "$esc" bare && fail 'only colours'
cp out coloured; run "$trace" --width 80; cmp -s bare out || fail 'colours change no column'
NO_COLOR=1 CLICOLOR_FORCE=1 run "$trace" --width 80; cmp -s bare out || fail 'NO_COLOR wins'
if command -v less >/dev/null; then LC_ALL=C.UTF-8 LESS='' less -R coloured </dev/null >paged 2>&1; cmp -s paged coloured || fail 'less -R'; fi
# A multiplexer draws what the report has, line by line.
if command -v tmux >/dev/null; then
  tmux -L "kdiag$$" -f /dev/null new-session -d -x 80 -y 100 "\"$kdiag\" --quiet \"$trace\"; echo end of it; sleep 60"
  for _ in $(seq 100); do tmux -L "kdiag$$" capture-pane -p >captured; grep -q 'end of it' captured && break; sleep 0.1; done
  tmux -L "kdiag$$" kill-server
  sed '/end of it/,$d; s/ *$//' captured >drawn; cmp -s drawn bare || fail 'tmux'
fi

# Brief: a line for the run, a line for each finding.
run "$trace" --brief; code_is 0 'brief'
[ "$(head -1 out | grep -c '^item_storm.json: GPU busy ')" = 1 ] || fail 'brief: the run'
grep -q '^item_storm.json: CRITICAL host.sync-stall: ' out || fail 'brief: the finding'
findings=$("$kdiag" --quiet --format json "$trace" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["findings"]))')
[ "$(wc -l <out)" = $((findings + 1)) ] || fail 'brief: a line each'

# On a terminal: its width, and links where it says that it opens them.
if command -v script >/dev/null; then
  on_terminal() { script -qec "stty cols $1; $2 \"$kdiag\" --quiet \"$trace\"" /dev/null </dev/null | tr -d '\r' >out; }
  on_terminal 120 'env NO_COLOR=1'; columns=$(widest out); [ "$columns" -gt 100 ] && [ "$columns" -le 120 ] || fail "a terminal of 120: $columns"
  on_terminal 30 'env NO_COLOR=1'; columns=$(widest out); [ "$columns" -gt 60 ] && [ "$columns" -le 80 ] || fail "a terminal of 30: $columns"
  on_terminal 120 'env NO_COLOR=1 COLUMNS=90'; [ "$(widest out)" -le 90 ] || fail 'COLUMNS of a terminal'
  script -qec "\"$kdiag\" --format perfetto \"$trace\"" /dev/null </dev/null >out; grep -q 'name a file' out || fail 'a Perfetto trace and a terminal'
fi
run --format markdown --brief table.txt; code_is 0 'a summary'; [ "$(wc -l <out)" -le 40 ] || fail 'a summary is short'
out_has '<details><summary>' 'a summary'
finish
