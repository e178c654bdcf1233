# SPDX-License-Identifier: Apache-2.0
"""The allocator gives its memory back in every step, and asks for it again. Repaired: it keeps it."""
import torch
from torch import nn

import recording


def build(device, repaired):
    model = nn.Sequential(*(nn.Linear(2048, 2048) for _ in range(16))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    x = torch.randn(1024, 2048, device=device)

    def step():
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if not repaired:
            torch.cuda.empty_cache()
    return step


recording.main(build, rules=["memory.churn", "launch.slow-calls"], needs=["cuda"])
