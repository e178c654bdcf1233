# SPDX-License-Identifier: Apache-2.0
"""Samples are decoded on the thread that trains. Repaired: by four workers, ahead of time."""
import torch
from torch import nn

import recording


class Slow(torch.utils.data.Dataset):
    """Each sample costs the host about a millisecond."""
    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        sample = torch.full((512,), float(index))
        for _ in range(100):
            sample = sample.sin()
        return sample


def build(device, repaired):
    workers = {"num_workers": 4, "prefetch_factor": 8, "persistent_workers": True} if repaired else {}
    loader = iter(torch.utils.data.DataLoader(Slow(), batch_size=32, pin_memory=device == "cuda", **workers))
    model = nn.Sequential(*(nn.Linear(512, 512) for _ in range(8))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)

    def step():
        x = next(loader).to(device, non_blocking=True)
        model(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


recording.main(build, rules=["input.starved"])
