# SPDX-License-Identifier: Apache-2.0
"""Convolutions in half precision over NCHW tensors. Repaired: channels last."""
import torch
from torch import nn

import recording


def build(device, repaired):
    layout = torch.channels_last if repaired else torch.contiguous_format
    kind = recording.on(device, torch.float16, torch.float32)
    block = lambda: (nn.Conv2d(64, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU())
    model = nn.Sequential(*(m for _ in range(8) for m in block())).to(device, kind).to(memory_format=layout)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    x = torch.randn(recording.on(device, 64, 2), 64, 56, 56, device=device, dtype=kind).to(memory_format=layout)

    def step():
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


recording.main(build, rules=["layout.conversion", "layout.batch-norm", "layout.copies"])
