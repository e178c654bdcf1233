#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What judging a fleet costs as it grows: bench/fleet_growth.sh [BUILD] [RANKS ...]
# For each size a simulated job of 100 steps is judged three times on one thread; printed are the size of its summaries,
# the least processor time of the command, how many times that of the row above, its memory, and what it says first.
# Wants zstd and GNU time.
set -euo pipefail
build=${1:-build/release}
shift || true
sizes=("$@")
((${#sizes[@]})) || sizes=(64 256 1024 4096)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=
for ranks in "${sizes[@]}"; do
  job=$work/$ranks
  slow=$("$build/generate_fleet" "$ranks" 100 "$job")
  for rank in "$job"/*.jsonl; do zstd -q --rm "$rank" -o "${rank%.jsonl}.kds"; done
  for _ in 1 2 3; do
    /usr/bin/time -f '%U %S %M' -a -o "$work/times" "$build/kdiag" fleet --threads 1 "$job" >"$work/report"
  done
  read -r seconds memory < <(awk '{ s = $1 + $2; if (!least || s < least) least = s; if ($3 > most) most = $3 }
    END { print least, int(most / 1024) }' "$work/times")
  rm "$work/times"
  size=$(du -sb --apparent-size "$job" | awk '{ printf "%.1f", $1 / 1e6 }')
  factor=$([[ -z $before ]] || awk "BEGIN { printf \"x%.1f\", $seconds / $before }")
  printf '%5d ranks %7s MB %7s s %5s %5s MiB  %s; %s\n' "$ranks" "$size" "$seconds" "$factor" "$memory" "$slow" \
    "$(sed -n 's/^Verdict *//p' "$work/report")"
  before=$seconds
  rm -r "$job"
done
