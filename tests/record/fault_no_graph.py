# SPDX-License-Identifier: Apache-2.0
"""A deep, narrow model is launched kernel by kernel. Repaired: its forward pass is one CUDA graph."""
import torch
from torch import nn

import recording


def build(device, repaired):
    model = nn.Sequential(*(m for _ in range(64) for m in (nn.Linear(512, 512), nn.GELU()))).to(device).half().eval()
    x = torch.randn(16, 512, device=device).half()

    @torch.no_grad()
    def eager():
        return model(x)

    if not repaired:
        return eager
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):  # libraries choose and load before the capture
        eager()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        eager()
    return graph.replay


recording.main(build, rules=["launch.tiny-kernels", "host.bound"], needs=["cuda"])
