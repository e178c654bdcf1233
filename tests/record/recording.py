# SPDX-License-Identifier: Apache-2.0
"""What the fault scripts share: measure a training step, then record some with the PyTorch profiler and nvidia-smi.

A script has a function build(device, repaired) that returns a step: a function without arguments. It calls main().
Everything is written to a folder: trace.json.gz, gpu.csv where nvidia-smi is there, and twin.json with what was measured.
"""
import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

SKIPPED = 77  # exit code: this machine cannot run the script

# What kdiag asks for (kdiag explain clock.throttled).
SMI_FIELDS = ("timestamp,index,name,utilization.gpu,clocks.sm,clocks.mem,clocks.max.sm,clocks_event_reasons.active,"
              "power.draw,enforced.power.limit,temperature.gpu")


def on(device, cuda, cpu):
    """A size that makes the fault visible on each kind of device."""
    return cuda if device == "cuda" else cpu


def train(model, optimizer, loss_of=lambda out: out.float().square().mean()):
    """A step of training on one input."""
    def step(x):
        loss = loss_of(model(x))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss
    return step


def wait(device):
    if device == "cuda":
        torch.cuda.synchronize()


def milliseconds_per_step(step, device, steps):
    """Median over three groups of steps, without a profiler; the device is waited for once in each group."""
    groups = []
    for _ in range(3):
        wait(device)
        begin = time.perf_counter()
        for _ in range(steps):
            step()
        wait(device)
        groups.append((time.perf_counter() - begin) / steps * 1e3)
    return statistics.median(groups)


def trimmed(trace):
    """The trace without what lies before the first recorded step or behind the last one and its device work."""
    bare = isinstance(trace, list)  # as builds of PyTorch without Kineto write it
    events = trace if bare else trace["traceEvents"]
    spans = [e for e in events if e.get("ph") == "X" and "dur" in e]
    steps = [e for e in spans if e["name"].startswith("ProfilerStep#")]
    if not steps:
        return trace
    device = [e for e in spans if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    first = min(e["ts"] for e in steps)
    last = max(e["ts"] + e["dur"] for e in steps + device)
    kept = [e for e in events if e.get("ph") == "M" or first <= e.get("ts", first) <= last]
    return kept if bare else {**trace, "traceEvents": kept}


def record(step, device, steps, folder, stacks):
    """Profiles some steps into trace.json.gz, with nvidia-smi beside it."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    smi = start_smi(folder) if device == "cuda" else None
    try:
        with torch.profiler.profile(activities=activities, record_shapes=True, with_stack=stacks,
                                    schedule=torch.profiler.schedule(wait=1, warmup=3, active=steps)) as profiler:
            for _ in range(4 + steps):
                step()
                profiler.step()
            wait(device)
    finally:
        if smi:
            smi.terminate()
            smi.wait()
    with tempfile.TemporaryDirectory() as scratch:
        plain = os.path.join(scratch, "trace.json")
        profiler.export_chrome_trace(plain)
        with open(plain, encoding="utf-8") as file:
            trace = trimmed(json.load(file))
    with gzip.open(os.path.join(folder, "trace.json.gz"), "wt", encoding="utf-8") as file:
        json.dump(trace, file, separators=(",", ":"))


def start_smi(folder):
    """nvidia-smi, ten samples a second, until terminated; nothing where it is not installed."""
    try:
        log = open(os.path.join(folder, "gpu.csv"), "w", encoding="utf-8")
        return subprocess.Popen(["nvidia-smi", "--query-gpu=" + SMI_FIELDS, "--format=csv", "-lms", "100"], stdout=log)
    except FileNotFoundError:
        os.remove(log.name)
        return None


def main(build, rules, needs=(), steps=8):
    """Runs one twin of a fault.

    rules: any of these names the fault, the first is the one to expect. needs: of "cuda" and "compile".
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--twin", choices=["faulty", "repaired"], required=True)
    parser.add_argument("--out", required=True, help="folder for the files of this twin")
    parser.add_argument("--stacks", action="store_true", help="record Python frames, which slows the host down")
    options = parser.parse_args()
    lacking = [need for need in needs if not {"cuda": options.device == "cuda", "compile": hasattr(torch, "compile")}[need]]
    if lacking:
        print("needs " + " and ".join(lacking) + ", skipped")
        sys.exit(SKIPPED)
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(1)
    steps = on(options.device, steps, min(steps, 3))
    step = build(options.device, options.twin == "repaired")
    for _ in range(3):  # first calls load, compile and choose
        step()
    measured = milliseconds_per_step(step, options.device, steps)
    record(step, options.device, steps, options.out, options.stacks)
    with open(os.path.join(options.out, "twin.json"), "w", encoding="utf-8") as file:
        json.dump({"rules": rules, "step_ms": measured, "recorded_steps": steps, "device": device_name(options.device),
                   "torch": torch.__version__}, file, indent=1)
    print(f"{measured:.3f} ms a step")


def device_name(device):
    return torch.cuda.get_device_name() if device == "cuda" else "cpu"
