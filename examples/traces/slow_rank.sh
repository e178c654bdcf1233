#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A job of which one rank is slow, as a facts file for each rank: slow_rank.sh FOLDER RANKS SLOW. The ranks work for about
# 10 ms a step, the slow one for 13 ms, and add up gradients; their clocks are 1 ms apart.
set -e
mkdir -p "$1"
awk -v folder="$1" -v ranks="$2" -v slow="$3" 'BEGIN {
  steps = 10; transfer = 1000000
  for (step = 0; step < steps; ++step) {
    last[step] = 0
    for (rank = 0; rank < ranks; ++rank) {
      work[rank, step] = 10000000 + (rank * 7 + step * 3) % 5 * 20000 + (rank == slow ? 3000000 : 0)
      if (work[rank, step] > last[step]) last[step] = work[rank, step]
    }
  }
  for (rank = 0; rank < ranks; ++rank) {
    file = folder "/rank" rank ".jsonl"
    rows = comms = deeds = ""
    now = 1000000000 + rank * 1000000
    for (step = 0; step < steps; ++step) {
      comma = step ? ", " : ""
      rows = rows comma sprintf("[%d, %.0f, %d, 0]", step, now, last[step] + transfer)
      comms = comms comma sprintf("[\"all_reduce\", \"all\", %d, 0, 67108864, %d, %.0f, %d, 0]", step, ranks,
                                  now + work[rank, step], last[step] + transfer - work[rank, step])
      deeds = deeds comma sprintf("[%d, 0, \"kernel\", \"gemm\", 40, %d]", step, work[rank, step])
      now += last[step] + transfer
    }
    print "{\"schema\": \"kdiag.facts/1\", \"writer\": \"slow_rank.sh\"}" >file
    printf "{\"run\": {\"clock\": \"unix\", \"rank\": %d, \"world_size\": %d, \"host\": \"node%d\"}}\n", rank, ranks, rank / 8 >file
    printf "{\"table\": \"ranks\", \"columns\": [\"id\"], \"rows\": [[%d]]}\n", rank >file
    print "{\"table\": \"devices\", \"columns\": [\"id\", \"rank\", \"name\"], \"rows\": [[0, 0, \"GPU\"]]}" >file
    print "{\"table\": \"steps\", \"columns\": [\"index\", \"start\", \"dur\", \"rank\"], \"rows\": [" rows "]}" >file
    print "{\"table\": \"comms\", \"columns\": [\"op\", \"group\", \"seq\", \"rank\", \"bytes\", \"group_size\", \"start\", \"dur\", \"device\"], \"rows\": [" comms "]}" >file
    print "{\"table\": \"activities\", \"columns\": [\"step\", \"device\", \"kind\", \"name\", \"count\", \"dur\"], \"rows\": [" deeds "]}" >file
    close(file)
  }
}'
