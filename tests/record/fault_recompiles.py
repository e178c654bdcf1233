# SPDX-License-Identifier: Apache-2.0
"""Every step has another sequence length, and compiles again. Repaired: lengths are padded to one."""
import torch
from torch import nn

import recording


def build(device, repaired):
    torch._dynamo.config.cache_size_limit = 1_000  # else it gives up and runs eagerly
    model = torch.compile(nn.Sequential(nn.Linear(256, 256), nn.GELU(), nn.LayerNorm(256)).to(device), dynamic=False)
    length = 0

    @torch.no_grad()
    def step():
        nonlocal length
        length += 1
        x = torch.randn(8, length, 256, device=device)
        if repaired:
            x = nn.functional.pad(x, (0, 0, 0, 256 - length))
        return model(x)
    return step


# Few steps: each of them compiles, and 256 lengths are all there are.
recording.main(build, rules=["compile.in-loop", "host.bound"], needs=["compile"], steps=3)
