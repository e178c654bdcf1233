# SPDX-License-Identifier: Apache-2.0
"""Each input is copied when it is needed, on the stream that computes. Repaired: the next one meanwhile, on another."""
import torch

import recording


def build(device, repaired):
    host = torch.randn(4096, 8192).pin_memory()
    weight = torch.randn(8192, 4096, device=device)
    side = torch.cuda.Stream()
    buffers = [host.to(device), host.to(device)]
    count = 0

    def fetch(buffer):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            buffer.copy_(host, non_blocking=True)

    def step():
        nonlocal count
        buffer, other = buffers[count % 2], buffers[(count + 1) % 2]
        count += 1
        if repaired:
            torch.cuda.current_stream().wait_stream(side)
            fetch(other)
        else:
            buffer.copy_(host, non_blocking=True)
        for _ in range(4):
            torch.mm(buffer, weight)
    return step


recording.main(build, rules=["copy.exposed", "copy.repeated"], needs=["cuda"])
