#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs of many ranks whose every rank is a whole recording: through_real_trace.py KDIAG TRACE [RANKS [SEED ...]]

TRACE is what the PyTorch profiler recorded of one rank that reduces gradients with NCCL. Each rank of a job is that
recording as this rank would have made it. All that happens between two collectives takes as long as the rank's device
and host need for it; a collective begins when the rank comes to it and ends, on all ranks together, its transfer after
the last rank came. What runs beside a collective goes on while it waits. Each rank has a clock of its own, which is off
by up to 5 ms and 50 ppm. A rank's device or the host of eight ranks is then made slower, or in one step one of them
stops for longer than usual before it launches anything, and `kdiag fleet` has to name that first; of a job in which
nothing is slower it has to name nothing of medium severity or above.
"""
import bisect
import gzip
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile

PER_HOST = 8
FAULTS = ("none", "slow device", "slow host", "late rank")


class Recording:
    """Events in order, as text around their times, and the timeline of the device that all ranks share."""

    def __init__(self, path):
        opened = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
        with opened as file:
            self.document = json.load(file)
        self.events = []
        kernels, self.barriers, self.steps = [], [], []
        for event in self.document.pop("traceEvents"):
            if event.get("ph") != "X":
                if "ts" in event:  # flows and instants move, too
                    self.events.append((self.cut(event), event["ts"], None, False))
                else:
                    self.events.append((json.dumps(event), None, None, False))
                continue
            start, end = event["ts"], event["ts"] + event["dur"]
            is_kernel = event.get("cat") == "kernel"
            barrier = is_kernel and "nccl" in event["name"].lower() and "AllReduce" in event["name"]
            if barrier:
                self.barriers.append((start, end))
            elif is_kernel:
                kernels.append((start, end))
            if event["name"].startswith("ProfilerStep"):
                self.steps.append(start)
            self.events.append((self.cut(event), start, event["dur"], is_kernel))
        self.barriers.sort()
        self.busy = self.union(kernels)
        times = [time for _, time, _, _ in self.events if time]
        self.begin, self.end = min(times), max(times) + 1e6

    @staticmethod
    def cut(event):
        """The event's text in front of, between and behind its times."""
        moved = dict(event, ts="@1@")
        if "dur" in event:
            moved["dur"] = "@2@"
        text = json.dumps(moved)
        return text.replace('"@1@"', "\0").replace('"@2@"', "\1")

    @staticmethod
    def union(spans):
        out = []
        for start, end in sorted(spans):
            if out and start <= out[-1][1]:
                out[-1][1] = max(out[-1][1], end)
            else:
                out.append([start, end])
        return out


class Rank:
    """How fast a rank is, and in which step it stops for how long."""

    def __init__(self, device=1.0, host=1.0):
        self.device, self.host, self.stop = device, host, {}


def local_points(recording, rank, start, end, jitter):
    """Times of the recording between two collectives, and how far each is from the first on this rank."""
    points, done = [(start, 0.0)], 0.0

    def go(until, speed):
        nonlocal done
        done += (until - points[-1][0]) * speed * jitter
        points.append((until, done))

    first = bisect.bisect_right(recording.busy, [start, float("inf")])
    first = max(0, first - 1)
    for busy_start, busy_end in recording.busy[first:]:
        if busy_start >= end:
            break
        if busy_end <= start:
            continue
        if busy_start > points[-1][0]:
            go(busy_start, rank.host)
        go(min(busy_end, end), rank.device)
    if points[-1][0] < end:
        go(end, rank.host)
    for step, pause in rank.stop.items():
        at = recording.steps[step]
        if start <= at < end:
            points = [(time, value + (pause if time > at else 0)) for time, value in points]
    return points


def timelines(recording, ranks, noise):
    """For each rank the times of the recording and those of the rank, as two lists to interpolate in."""
    known = [([], []) for _ in ranks]
    now = recording.begin
    at = recording.begin
    for start, end in [*recording.barriers, (recording.end, recording.end)]:
        arrivals = []
        for (before, after), rank in zip(known, ranks):
            points = local_points(recording, rank, at, max(start, at), noise.gauss(1, 0.002))
            for time, value in points:
                before.append(time)
                after.append(now + value)
            arrivals.append(after[-1])
        transfer = end - max(start, at)
        finished = max(arrivals) + transfer
        for (before, after), arrival in zip(known, arrivals):
            before += [end - 1e-3, end]  # beside the collective as it was, and then its wait
            after += [arrival + transfer - 1e-3, finished]
        now, at = finished, end
    return known


def moved(known, time):
    before, after = known
    place = min(max(bisect.bisect_right(before, time), 1), len(before) - 1)
    left, right = before[place - 1], before[place]
    if right <= left:
        return after[place]
    return after[place - 1] + (after[place] - after[place - 1]) * min(1.0, max(0.0, (time - left) / (right - left)))


def write_rank(job):
    recording, folder, number, ranks, rank, known, clock = job
    offset, drift = clock
    document = dict(recording.document)
    group = list(range(ranks))
    document["distributedInfo"] = {
        "backend": "nccl",
        "rank": number,
        "world_size": ranks,
        "pg_config": [{"pg_name": "0", "backend_config": "cuda:nccl", "pg_size": ranks, "ranks": group}],
    }
    document["host_name"] = f"host{number // PER_HOST}"
    document["traceEvents"] = []
    barriers = {start for start, _ in recording.barriers}
    texts = []
    for text, start, dur, is_kernel in recording.events:
        if start is None:
            texts.append(text)
            continue
        begin = moved(known, start)
        if dur is not None:
            if is_kernel and start not in barriers:
                length = dur * rank.device
            else:
                length = moved(known, start + dur) - begin
            text = text.replace("\1", f"{length * (1 + drift):.3f}")
        text = text.replace("\0", f"{recording.begin + offset + (begin - recording.begin) * (1 + drift):.3f}")
        texts.append(text)
    head = json.dumps(document).replace('"traceEvents": []', '"traceEvents": [' + ",\n".join(texts) + "]")
    head = head.replace('"Process Group Ranks": "[0, 1]"', f'"Process Group Ranks": "{group}"')
    head = head.replace('"Group size": 2', f'"Group size": {ranks}')
    with gzip.open(os.path.join(folder, f"rank{number}.json.gz"), "wb", compresslevel=1) as file:
        file.write(head.encode())


def make_job(recording, folder, count, fault, seed):
    """Writes a job; what has to be named."""
    chance = random.Random(seed)
    who = chance.randrange(count)
    ranks = [Rank() for _ in range(count)]
    if fault == "slow device":
        ranks[who].device = 1.5
    elif fault == "slow host":
        for number in range(count):
            if number // PER_HOST == who // PER_HOST:
                ranks[number].host = 1.2
    elif fault == "late rank":
        ranks[who].stop = {1: 0.6 * (recording.steps[2] - recording.steps[1])}
    known = timelines(recording, ranks, chance)
    jobs = [
        (recording, folder, number, count, ranks[number], known[number],
         (chance.uniform(-5000, 5000), chance.uniform(-50e-6, 50e-6)))
        for number in range(count)
    ]  # fmt: skip
    with multiprocessing.Pool(os.cpu_count()) as pool:
        pool.map(write_rank, jobs, chunksize=1)
    return {
        "slow device": ("fleet.slow-rank", f"Rank {who} "),
        "slow host": ("fleet.slow-host", f"host{who // PER_HOST}"),
        "late rank": ("fleet.late-rank", f"Rank {who} "),
        "none": (None, ""),
    }[fault]


def judge(kdiag, folder):
    """The findings, and how many ranks were judged."""
    result = subprocess.run([kdiag, "fleet", folder, "--format", "json", "--no-config"], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit(f"kdiag fleet ended with {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)["findings"]


def main():
    kdiag, trace = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    seeds = [int(seed) for seed in sys.argv[4:]] or [1]
    recording = Recording(trace)
    wrong = 0
    for seed in seeds:
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder:
                rule, words = make_job(recording, folder, count, fault, seed)
                # What all ranks share is that of the recording.
                findings = [f for f in judge(kdiag, folder) if f["rule"] != "fleet.shared-finding"]
            first = findings[0] if findings else None
            if rule is None:
                right = not any(f["severity"] in ("medium", "high", "critical") for f in findings)
            else:
                right = bool(first) and first["rule"] == rule and words in first["title"]
            wrong += not right
            told = f"{first['rule']}: {first['title']}" if first else "nothing"
            print(f"{'ok' if right else 'WRONG'}: {count} ranks, seed {seed}, {fault}: {told}", flush=True)
            for line in first["message"].splitlines() if first else []:
                print(f"    {line}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
