# SPDX-License-Identifier: Apache-2.0
"""The norm of every gradient is read in every step, for a log. Repaired: the norms stay on the device."""
import torch
from torch import nn

import recording


def build(device, repaired):
    width = recording.on(device, 2048, 256)
    model = nn.Sequential(*(nn.Linear(width, width) for _ in range(24))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    x = torch.randn(recording.on(device, 512, 64), width, device=device)
    log = {}

    def step():
        model(x).square().mean().backward()
        for name, parameter in model.named_parameters():
            norm = parameter.grad.norm()
            log[name] = norm if repaired else norm.item()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


recording.main(build, rules=["host.sync-stall"])
