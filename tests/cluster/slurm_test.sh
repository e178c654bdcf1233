#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A fleet on a real Slurm of one machine, which is set up in a folder and ended again: 64 ranks, a worker that is killed,
# a node that is drained, a rerun. The report is that of the local run, byte for byte. Usage: slurm_test.sh KDIAG EXAMPLES; 77 where there is no Slurm.
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done
. "$(dirname "$0")/../cli/harness.sh"
examples=$2
[ "$EUID" = 0 ] || { echo "slurmd needs root"; exit 77; }

pids=()
end() {
  if ((${#pids[@]} > 1)); then
    scancel --quiet --user="$(id -un)" 2>/dev/null
    for _ in $(seq 50); do [ -z "$(squeue --noheader 2>/dev/null)" ] && break; sleep 0.2; done
  fi
  ((${#pids[@]})) && kill "${pids[@]}" 2>/dev/null
  wait
  rm -rf "$work"
}
trap end EXIT

# --- A cluster of two nodes ------------------------------------------------------------------------------------------
chmod 755 "$work"
mkdir -p slurm/state slurm/spool.node{0,1} slurm/munge
dd if=/dev/urandom of=slurm/munge/key bs=1 count=1024 status=none
chmod 600 slurm/munge/key
port=$((20000 + RANDOM % 20000))
cat >slurm/slurm.conf <<CONF
ClusterName=kdiag_test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$work/slurm/munge/socket
CredType=cred/munge
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool.%n
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.%n.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1
PropagateResourceLimits=NONE
NodeName=node0 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 State=UNKNOWN
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$work/slurm/slurm.conf
munged --foreground --force --key-file=slurm/munge/key --socket="$work/slurm/munge/socket" --pid-file="$work/slurm/munge/pid" \
  --log-file="$work/slurm/munge/log" --seed-file="$work/slurm/munge/seed" --num-threads=2 >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 50); do [ -S slurm/munge/socket ] && break; sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >slurm/slurmctld.out 2>&1 &
pids+=($!)
for node in node0 node1; do
  slurmd -D -f "$SLURM_CONF" -N $node >slurm/$node.out 2>&1 &
  pids+=($!)
done
both_idle() { [ "$(sinfo --noheader --Node --format=%t 2>/dev/null | grep -c idle)" = 2 ]; }
for _ in $(seq 100); do both_idle && break; sleep 0.2; done
if ! both_idle; then
  echo "Slurm does not start here:"
  tail -5 slurm/*.out slurm/*.log
  exit 1
fi

# wait_for_jobs: until none is left, at most two minutes.
wait_for_jobs() {
  for _ in $(seq 240); do
    [ -z "$(squeue --noheader 2>/dev/null)" ] && return
    sleep 0.5
  done
  fail "jobs that end: $(squeue)"
}

# --- 64 ranks ----------------------------------------------------------------------------------------------------------
"$examples"/traces/slow_rank.sh job 64 41
run summarize job --into local; code_is 0 'the local run'; out_has '64 summarised, 0 kept' 'the local run'
run fleet local --output local.txt; code_is 0 'the local run'
grep -q 'Rank 41 works' local.txt || fail 'the local run finds the slow rank'

run fleet job --slurm work --chunks 8; code_is 0 'jobs are written'; out_has 'submit.sh' 'jobs are written'
run fleet job --slurm work --chunks 8 --submit; code_is 0 'jobs are submitted'; out_has 'Submitted batch job' 'jobs are submitted'
wait_for_jobs
cmp -s local.txt work/report.txt || fail 'the report of Slurm is that of the local run'
[ "$(find work/summaries -name '*.kds' | wc -l)" = 64 ] || fail 'a summary of each rank'

# A worker that is killed halfway: one of the eight sleeps, until it is. What it left, the second job makes up for.
rm -rf work/summaries/*
sed -i 's|^exec |[ "$SLURM_ARRAY_TASK_ID" = 3 ] \&\& sleep 600\nexec |' work/summarize.sh
sh work/submit.sh >submitted || fail 'jobs are submitted again'
for _ in $(seq 200); do
  [ "$(find work/summaries -name '*.kds' | wc -l)" -ge 56 ] && break
  sleep 0.2
done
victim=$(squeue --noheader --array --format='%F_%K' --name=kdiag-summarize --states=RUNNING | head -1)
[ -n "$victim" ] || fail 'one worker is left to be killed'
scancel --signal=KILL --full "$victim"
wait_for_jobs
cmp -s local.txt work/report.txt || fail 'the report after a worker was killed'
grep -q '8 summarised, 56 kept' work/logs/judge.log || fail "the second job makes up: $(cat work/logs/judge.log)"

# A node that is drained halfway, and whose tasks then end with it: they are put into the queue again, and run on the other.
rm -rf work/summaries/*
sed -i 's|^\[ .*sleep 600$|[ "$SLURM_ARRAY_TASK_ID" -ge 2 ] \&\& [ "$SLURMD_NODENAME" = node1 ] \&\& sleep 600|' work/summarize.sh
sh work/submit.sh >submitted || fail 'jobs are submitted for a node that is drained'
for _ in $(seq 200); do
  [ "$(squeue --noheader --array --nodelist=node1 --states=RUNNING | wc -l)" = 2 ] && break
  sleep 0.2
done
drained=$(squeue --noheader --array --format='%F_%K' --nodelist=node1 --states=RUNNING)
[ "$(wc -w <<<"$drained")" = 2 ] || fail "two tasks run on the node that is drained: $(squeue)"
scontrol update NodeName=node1 State=DRAIN Reason=test || fail 'a node is drained'
for task in $drained; do scontrol requeue "$task" || fail 'a task of the drained node goes into the queue'; done
wait_for_jobs
[ "$(sinfo --noheader --Node --nodes=node1 --format=%t)" = drain ] || fail "a node stays drained: $(sinfo)"
cmp -s local.txt work/report.txt || fail 'the report after a node was drained'
grep -q '0 summarised, 64 kept' work/logs/judge.log || fail "the other node did it all: $(cat work/logs/judge.log)"
scontrol update NodeName=node1 State=RESUME

# A rank that cannot be read: the report says that it is missing, and the job fails. Once it is back a rerun does the rest.
cp job/rank9.jsonl back.jsonl
echo '{"traceEvents": [' >job/rank9.jsonl
rm work/summaries/rank9.jsonl.kds
"$kdiag" fleet job --slurm work --chunks 8 >/dev/null
sh work/submit.sh >submitted; wait_for_jobs
grep -q '1 of 64 ranks of the job are not here' work/report.txt || fail 'a missing rank is said'
grep -q 'rank9.jsonl' work/logs/judge.log || fail 'the log says which rank is missing'
mv back.jsonl job/rank9.jsonl
sh work/submit.sh >submitted; wait_for_jobs
cmp -s local.txt work/report.txt || fail 'the report of the rerun'
finish
