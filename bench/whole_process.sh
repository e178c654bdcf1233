#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Times `kdiag FILE` from start to exit against the reference program on the same file.
#
#   bench/whole_process.sh BUILD_DIR            generated traces of 0.1, 0.5, 1 and 2 M events
#   bench/whole_process.sh BUILD_DIR FILE...    these files (uncompressed Kineto traces: the reference reads no others)
#
# PAIRS=9 sets the number of paired runs, KDIAG_ARGS="--threads 1" adds arguments.
set -eu
build=${1:?usage: whole_process.sh BUILD_DIR [FILE...]}
shift
pairs=${PAIRS:-5}

if [ $# -eq 0 ]; then
  for events in 100000 500000 1000000 2000000; do
    file=$build/trace-$events.json
    [ -e "$file" ] || { "$build/generate_trace" "$events" > "$file.part" && mv "$file.part" "$file"; }
    set -- "$@" "$file"
  done
fi

for file in "$@"; do
  printf '%s (%d MB)\n' "$(basename "$file")" "$(($(wc -c < "$file") / 1000000))"
  # shellcheck disable=SC2086  # KDIAG_ARGS is a list of words
  "$build/paired_runs" "$pairs" "$build/kdiag" ${KDIAG_ARGS:-} "$file" -- "$build/reference" "$file"
done
