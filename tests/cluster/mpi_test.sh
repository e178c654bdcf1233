#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks of a job shared out among the processes of a real mpirun. Usage: mpi_test.sh KDIAG EXAMPLES; 77 where there is no mpirun.
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
. "$(dirname "$0")/../cli/harness.sh"
examples=$2
"$examples"/traces/slow_rank.sh job 8 5
run summarize job --into local; code_is 0 'the local run'
mpirun --allow-run-as-root --oversubscribe -n 3 "$kdiag" summarize job --into shared --mpi-env >out 2>err </dev/null; code=$?
code_is 0 'three processes'; [ "$(grep -c 'summarised, 0 kept' out)" = 3 ] || fail 'each has its part'
diff -r local shared >/dev/null || fail 'the same summaries'
mpirun --allow-run-as-root --oversubscribe -n 2 "$kdiag" summarize job --into shared --mpi-env >out 2>err </dev/null; code=$?
code_is 0 'a rerun'; [ "$(grep -c '0 summarised, 4 kept' out)" = 2 ] || fail 'a rerun keeps what is there'
finish
