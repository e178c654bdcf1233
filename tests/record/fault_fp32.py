# SPDX-License-Identifier: Apache-2.0
"""Matrix products in full single precision. Repaired: TF32."""
import torch
from torch import nn

import recording


def build(device, repaired):
    torch.backends.cuda.matmul.allow_tf32 = repaired
    width = recording.on(device, 4096, 256)
    model = nn.Sequential(*(nn.Linear(width, width) for _ in range(8))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    x = torch.randn(width, width, device=device)

    def step():
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


recording.main(build, rules=["kernel.fp32-matmul"])
