# SPDX-License-Identifier: Apache-2.0
"""The same program alone and beside another one on its device, on its link, and on its host; and in several processes.

neighbours.py beside | neighbours.py alone NUMBER | neighbours.py first | neighbours.py settings
"""
import subprocess
import sys
import time

import torch
import torchvision
import torch.nn.functional as F

from recorder import BOTH, DEVICE, OUT, log, record, run
from transformer import trainer


def compute():
    """Products without end."""
    matrix = torch.randn(8192, 8192, device=DEVICE, dtype=torch.bfloat16)
    while True:
        for _ in range(10):
            matrix @ matrix
        torch.cuda.synchronize()


def copy():
    """Copies to the device without end."""
    there = torch.randn(256, 1024, 1024).pin_memory()
    here = there.to(DEVICE)
    while True:
        here.copy_(there, non_blocking=True)
        torch.cuda.synchronize()


def classifier():
    """A step that copies 38 MB of images to the device."""
    model = torchvision.models.resnet50().to(DEVICE).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    images, labels = torch.randn(64, 3, 224, 224).pin_memory(), torch.randint(0, 1000, (64,), device=DEVICE)

    def step():
        there = images.to(DEVICE, non_blocking=True).to(memory_format=torch.channels_last)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(there), labels)
        loss.backward()
        optimizer.step()

    return step


def beside():
    """Beside nothing, and beside each kind of neighbour."""
    this = [sys.executable, __file__]
    neighbours = {"none": [], "gpu": [this + ["compute"]], "copies": [this + ["copy"]],
                  "cpu": [[sys.executable, "-c", "while True: pass"]] * 24}
    for kind, commands in neighbours.items():
        started = [subprocess.Popen(command) for command in commands]
        time.sleep(9 if kind in ("gpu", "copies") else 1)
        run(f"n_train_{kind}")(lambda name: record(name, trainer(16, 1024), steps=8))
        run(f"n_small_{kind}")(lambda name: record(name, trainer(1, 64), steps=12))
        run(f"n_copies_{kind}")(lambda name: record(name, classifier(), steps=8))
        for process in started:
            process.kill()
            process.wait()


def alone(number):
    """One of several processes that do the same."""
    run(f"a_small_{number}")(lambda name: record(name, trainer(1, 64), steps=20))
    run(f"a_train_{number}")(lambda name: record(name, trainer(16, 1024), steps=8))


def first():
    """The first steps of a process, with nothing warm."""
    run("x_cold")(lambda name: record(name, trainer(8, 512, layers=6), cold=True))


def settings():
    """Other settings of the profiler."""
    step = trainer(8, 512, layers=6)
    run("x_bare")(lambda name: record(name, step, steps=6, marks_steps=False, record_shapes=False))
    run("x_gpu_only")(lambda name: record(name, step, steps=6, activities=BOTH[1:]))
    with torch.autograd.profiler.profile(use_device="cuda") as profiler:
        for _ in range(3):
            step()
    profiler.export_chrome_trace(str(OUT / "x_autograd.json"))
    table = profiler.key_averages().table(sort_by="self_cpu_time_total")
    (OUT / "x_autograd.table.txt").write_text(table, encoding="utf-8")
    log("x_autograd: no step is timed")


if __name__ == "__main__":
    programs = {program.__name__: program for program in (compute, copy, beside, alone, first, settings)}
    programs[sys.argv[1]](*sys.argv[2:])
