# SPDX-License-Identifier: Apache-2.0
"""Other processes want the core of the thread that launches. Repaired: it has the core for itself."""
import atexit
import multiprocessing
import os

import torch
from torch import nn

import recording


def spin(core):
    os.sched_setaffinity(0, {core})
    while True:
        pass


def build(device, repaired):
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    if not repaired:
        hogs = [multiprocessing.get_context("spawn").Process(target=spin, args=(core,), daemon=True) for _ in range(2)]
        for hog in hogs:
            hog.start()
            atexit.register(hog.terminate)
    model = nn.Sequential(*(nn.Linear(1024, 1024) for _ in range(24))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    x = torch.randn(recording.on(device, 512, 32), 1024, device=device)

    def step():
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


if __name__ == "__main__":  # the hogs import this file
    recording.main(build, rules=["host.bound", "launch.tiny-kernels"])
