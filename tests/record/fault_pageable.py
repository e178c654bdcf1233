# SPDX-License-Identifier: Apache-2.0
"""A large input is copied from pageable memory. Repaired: from pinned memory, without blocking."""
import torch
from torch import nn

import recording


def build(device, repaired):
    x = torch.randn(4096, 8192)
    if repaired:
        x = x.pin_memory()
    model = nn.Linear(8192, 4096).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)

    def step():
        model(x.to(device, non_blocking=repaired)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


recording.main(build, rules=["copy.pageable", "copy.exposed"], needs=["cuda"])
