#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag summarize and fleet: summaries, partial fleets, exit codes, JSON. Usage: fleet_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"
examples=$2

"$examples"/traces/slow_rank.sh job 8 5
run fleet job; code_is 0 'a job'; out_has 'Rank 5 works 29.9 % longer than its peers' 'a job'; err_empty 'a job'
cp out of_traces

mkdir kept
for rank in 7 6 5 4 3 2 1 0; do
  run summarize job/rank$rank.jsonl --output kept/rank$rank.kds; code_is 0 'a summary'; out_empty 'a summary'; err_empty 'a summary'
done
run facts kept/rank5.kds; code_is 0 'the facts of a summary'; out_has 'activities  10 rows' 'the facts of a summary'
run fleet kept --jobs 2; code_is 0 summaries; err_empty summaries
out_has 'Rank 5 works 29.9 % longer than its peers' summaries
run fleet kept --format json; code_is 0 JSON; out_has '"rule": "fleet.slow-rank"' JSON; cp out whole.json
run fleet kept/rank{3,1,7,5,0,2,6,4}.kds --format json; code_is 0 'another order'
out_has '"rule": "fleet.slow-rank"' 'another order'
run fleet kept --fail-on medium; code_is 1 'under --fail-on'

cp kept/rank5.kds kept/rank5_again.kds
run fleet kept; code_is 0 'a copy'; err_has '1 of the summaries are copies of others and count once' 'a copy'
out_has 'Rank 5 works 29.9 % longer' 'a copy'
rm kept/rank5_again.kds

cp job/rank5.jsonl job/copy.jsonl
run fleet job; code_is 0 'a copy of a trace'; err_has '1 of the summaries are copies of others and count once' 'a copy of a trace'
grep -q 'each judged alone' err && fail 'a copy of a trace is no second recording'
rm job/copy.jsonl

# Folders in folders: summaries are found wherever they are, and a recording beside its own summary counts once.
for rank in 0 1 2 3 4 5 6 7; do
  mkdir -p nested/node$((rank / 4))/rank$rank
  cp kept/rank$rank.kds nested/node$((rank / 4))/rank$rank/
  cp job/rank$rank.jsonl nested/node$((rank / 4))/rank$rank/trace.jsonl
done
run fleet nested --strict; code_is 0 'nested folders'; out_has 'rank 5 works 13 ms a step; the middle of the 8 ranks like it' 'nested folders'
err_has '8 of the summaries are copies' 'nested folders'
rm nested/node0/rank2/trace.jsonl
head -c 200 kept/rank2.kds >nested/node0/rank2/rank2.kds
touch nested/.lock
ln -s nowhere nested/node1/gone.kds
run fleet nested; code_is 0 'a nested summary that is cut'
err_has 'left out: nested/node0/rank2/rank2.kds: the summary is cut or damaged' 'a nested summary that is cut'
err_has 'left out: nested/node1/gone.kds: not readable' 'a link to nothing'
err_has 'not looked at in nested: hidden: 1 (.lock)' 'a hidden file'
run fleet nested --strict; code_is 2 'a nested summary that is cut, strictly'

# What a trace lost is said where it is summarised, and of its own file where it is judged.
head -c 1500 job/rank6.jsonl >cut.jsonl
run summarize cut.jsonl --output cut.kds; code_is 0 'a cut trace'; err_has 'K600' 'a cut trace'; err_has 'cut.jsonl: ' 'a cut trace'
run summarize cut.jsonl --output cut.kds --strict; code_is 5 'a cut trace, strictly'
[ -s cut.kds ] || fail 'a cut trace has a summary under --strict, too'
run summarize cut.jsonl --output cut.kds --quiet; err_empty 'a cut trace, quietly'
mkdir lossy; cp kept/*.kds lossy; cp cut.kds lossy/rank6.kds
run fleet lossy; out_has 'DATA LOSS  rank6.kds: ' 'notes belong to their file'

mv kept/rank2.kds whole.kds
head -c 200 whole.kds >kept/rank2.kds
run fleet kept; code_is 0 'a summary that is cut'; err_has 'rank2.kds: the summary is cut or damaged' 'a summary that is cut'
out_has '1 of 8 ranks of the job are not here' 'a summary that is cut'
run fleet kept --strict; code_is 2 'a summary that is cut, strictly'
out_has 'of 1 input nothing could be read' 'a summary that is cut, strictly'
out_has 'rank2.kds: the summary is cut or damaged' 'a summary that is cut, strictly'
rm kept/rank2.kds
run fleet kept; code_is 0 'a missing rank'; out_has '1 of 8 ranks of the job are not here' 'a missing rank'
out_has 'fleet.slow-rank' 'a missing rank'

out_has '1 ranks of the job are not here, and may be' 'a missing rank'
grep -q '\${' out && fail 'a missing rank: a hole is filled'

run fleet job/rank3.jsonl; code_is 0 'one rank of eight'; out_has '7 of 8 ranks of the job are not here' 'one rank of eight'

"$examples"/traces/slow_rank.sh healthy 8 none
run summarize healthy/rank5.jsonl --output again.kds
for order in 'kept again.kds' 'again.kds kept'; do
  run fleet $order; code_is 0 "$order"; err_has '2 runs, each judged alone' "$order"
  cp out "${order// /_}"
done
cmp -s kept_again.kds again.kds_kept || fail 'a rank that was recorded twice: the order changes nothing'
# Summaries of a whole job: shared out, kept, made again where they are damaged or older than their trace.
run summarize job --into made --part 1/3; code_is 0 'a part'; out_has '3 summarised, 0 kept' 'a part'
[ "$(echo made/*)" = 'made/rank1.jsonl.kds made/rank4.jsonl.kds made/rank7.jsonl.kds' ] || fail 'every third rank from the second on'
run summarize job --into made; code_is 0 'the rest'; out_has '5 summarised, 3 kept' 'the rest'; err_empty 'the rest'
run summarize job --into made; out_has '0 summarised, 8 kept' 'nothing is left to do'
head -c 100 made/rank2.jsonl.kds >cut && cp cut made/rank2.jsonl.kds
touch -d '+1 hour' job/rank3.jsonl
run summarize job --into made; out_has '2 summarised, 6 kept' 'a damaged summary, and one older than its trace'
touch job/rank3.jsonl made/rank3.jsonl.kds
run fleet made; code_is 0 'summaries of a job'; out_has 'Rank 5 works 29.9 % longer than its peers' 'summaries of a job'
cp -r job partly; printf '{"traceEvents": [' >partly/rank4.jsonl
run summarize partly --into some; code_is 2 'a rank that cannot be read'; out_has '7 summarised, 0 kept, 1 failed' 'a rank that cannot be read'
err_has 'partly/rank4.jsonl: ' 'a rank that cannot be read'
run summarize job --into cut/x; code_is 2 'a folder that cannot be written'; out_has '8 failed' 'a folder that cannot be written'
for launcher in OMPI_COMM_WORLD_RANK:OMPI_COMM_WORLD_SIZE PMI_RANK:PMI_SIZE MV2_COMM_WORLD_RANK:MV2_COMM_WORLD_SIZE SLURM_PROCID:SLURM_NTASKS; do
  env "${launcher%:*}=3" "${launcher#*:}=4" "$kdiag" summarize job --into "$launcher" --mpi-env >out 2>err; code=$?
  code_is 0 "$launcher"; [ "$(ls "$launcher")" = "rank3.jsonl.kds
rank7.jsonl.kds" ] || fail "$launcher: every fourth rank from the last on"
done
run summarize job --into other --mpi-env; code_is 2 'no process of mpirun'; err_has 'OMPI_COMM_WORLD_RANK' 'no process of mpirun'
mkdir -p twins/node0 twins/node1 empty
cp job/rank0.jsonl twins/node0/trace.jsonl
cp job/rank1.jsonl twins/node1/trace.jsonl
run summarize twins/node0/trace.jsonl twins/node1/trace.jsonl --into other; code_is 2 'two traces of one name'; out_empty 'two traces of one name'
err_has 'twins/node0/trace.jsonl and twins/node1/trace.jsonl would have one summary' 'two traces of one name'
run summarize twins/node0 twins/node1 --into other; code_is 2 'two traces of one name in folders'
for nothing in empty made; do
  run summarize "$nothing" --into other; code_is 2 "no trace: $nothing"; err_has 'there is no trace to summarise' "no trace: $nothing"
done
run summarize nosuch --into other; code_is 2 'a missing trace of a job'; err_has 'nosuch' 'a missing trace of a job'
for part in 3/3 x 1/ /2 -1/2 1/0; do run summarize job --into other --part $part; code_is 2 "--part $part"; done
[ ! -e other ] || fail 'nothing is written for a part that is none'

# Jobs of Slurm, without one: the scripts, which a shell runs as Slurm would, and what is refused.
run fleet job --slurm "the work" --chunks 2; code_is 0 'jobs of Slurm'; out_has "sh 'the work/submit.sh'" 'jobs of Slurm'
for task in 0 1; do SLURM_ARRAY_TASK_ID=$task sh "the work/summarize.sh" >out 2>err; code=$?; code_is 0 'a task'; out_has '4 summarised' 'a task'; done
sh "the work/judge.sh" >out 2>err; code=$?; code_is 0 'judging'; out_has '0 summarised, 8 kept' judging
grep -q 'Rank 5 works 29.9 % longer' "the work/report.txt" || fail 'the report of the jobs'
grep -q -- '--array=0-1 ' "the work/submit.sh" || fail 'two tasks'
run fleet made --slurm work; code_is 2 'jobs for summaries'; err_has 'summaries' 'jobs for summaries'
run fleet job --chunks 2; code_is 2 '--chunks without --slurm'
run fleet job --slurm work --format json; code_is 2 'another report of --slurm'; err_has 'know nothing of --format' 'another report of --slurm'

printf '{"traceEvents": [' >nothing.json
run summarize nothing.json --output x.kds; code_is 2 'a trace of which nothing was read'
run fleet kept nothing.json; err_has 'left out: nothing.json' 'a trace of which nothing was read'
run fleet healthy; code_is 0 'a healthy job'; out_has 'No finding' 'a healthy job'
run fleet; code_is 2 'no file'
run fleet nosuch; code_is 2 'a missing folder'; err_has 'no such file' 'a missing folder'
run summarize nosuch.json --output x.kds; code_is 2 'a missing trace'
[ ! -e x.kds ] || fail 'a missing trace leaves no summary'
run summarize table.txt --steps 1..2 --output x.kds; code_is 2 'a summary of a part'
finish
