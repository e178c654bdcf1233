# SPDX-License-Identifier: Apache-2.0
"""Sixteen requests go through a small model one by one. Repaired: as one batch."""
import torch
from torch import nn

import recording


def build(device, repaired):
    model = nn.Sequential(*(m for _ in range(12) for m in (nn.Linear(128, 128), nn.GELU(), nn.LayerNorm(128)))).to(device)
    requests = torch.randn(16, 8, 128, device=device)

    @torch.no_grad()
    def step():
        return [model(requests)] if repaired else [model(request) for request in requests]
    return step


recording.main(build, rules=["launch.tiny-kernels", "host.bound"])
