# SPDX-License-Identifier: Apache-2.0
"""Runs a program that has one known fault under PyTorch's profiler, and without it for the time that a step takes."""
import os
import pathlib
import time
import traceback

import torch
from torch.profiler import ProfilerActivity, profile, schedule

DEVICE = torch.device("cuda")
OUT = pathlib.Path(os.environ["KDIAG_RECORDINGS"])
BOTH = (ProfilerActivity.CPU, ProfilerActivity.CUDA)
_only = set(os.environ.get("KDIAG_ONLY", "").split(",")) - {""}


def log(line):
    """Writes a line to the log that comes with the recordings."""
    print(line, flush=True)
    with open(OUT / "log.txt", "a", encoding="utf-8") as file:
        print(line, file=file)


def run(name):
    """Decorates a function that records the run of that name; what fails is logged, and the next one follows."""

    def start(record_run):
        if _only and name not in _only:
            return record_run
        try:
            record_run(name)
        except Exception as error:  # pylint: disable=broad-except
            log(f"{name}: FAILED, {error!r}")
            traceback.print_exc()
        return record_run

    return start


def milliseconds(step, steps=3, warmup=3):
    """The time of a step, without the profiler."""
    for _ in range(warmup):
        step()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / steps * 1e3


def record(name, step, steps=5, warmup=3, cold=False, marks_steps=True, activities=BOTH, table=False, **options):
    """Records `steps` calls of `step` to NAME.json.gz; of a cold run the first ones."""
    if not cold:
        log(f"{name}: {milliseconds(step, warmup=warmup):.2f} ms a step without the profiler")
    settings = dict(activities=activities, record_shapes=True) | options
    if marks_steps:
        settings["schedule"] = schedule(wait=0, warmup=0 if cold else 1, active=steps, repeat=1)
    with profile(**settings) as profiler:
        for _ in range(steps + (marks_steps and not cold)):
            step()
            if marks_steps:
                profiler.step()
        if not marks_steps:
            torch.cuda.synchronize()
    profiler.export_chrome_trace(str(OUT / f"{name}.json.gz"))
    if table:
        text = profiler.key_averages().table(sort_by="cuda_time_total", row_limit=60)
        (OUT / f"{name}.table.txt").write_text(text, encoding="utf-8")
