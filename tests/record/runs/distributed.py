# SPDX-License-Identifier: Apache-2.0
"""Data parallel training, started by torch.distributed.run: two ranks over gloo on one device, of which rank 1 comes late
in the second run (gloo); a small network whose gradients go over gloo in many buckets or in one (buckets, plain); one
rank over NCCL (nccl)."""
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import profile, schedule

from models import single_precision_trainer
from recorder import BOTH, DEVICE, OUT, log, record
from transformer import Transformer


def transformer_trainer(network):
    """A step of a transformer; if `late`, rank 1 does 40 ms of something else first."""
    model = DistributedDataParallel(network.to(DEVICE))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    tokens = torch.randint(0, 8000, (8, 512), device=DEVICE)

    def step(late=False):
        if late and rank == 1:
            time.sleep(0.04)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
        loss.backward()
        optimizer.step()

    return step


def record_ranks(name, step):
    """Records steps of each rank, which begin together."""
    for _ in range(3):
        step()
    dist.barrier()
    torch.cuda.synchronize()
    once = schedule(wait=0, warmup=1, active=5, repeat=1)
    with profile(activities=BOTH, schedule=once, record_shapes=True) as profiler:
        for _ in range(6):
            step()
            profiler.step()
    profiler.export_chrome_trace(str(OUT / f"{name}_rank{rank}.json.gz"))
    log(f"{name}: rank {rank}")


def record_small_network(kind):
    """Forty layers of 256, whose gradients are sent in buckets of 50 KB or in one."""
    network = nn.Sequential(*[nn.Linear(256, 256) for _ in range(40)]).to(DEVICE)
    model = DistributedDataParallel(network, bucket_cap_mb=0.05 if kind == "buckets" else 25)
    x, optimizer = torch.randn(256, 256, device=DEVICE), torch.optim.SGD(network.parameters(), lr=0.01)
    record(f"h_gloo_{kind}_rank{rank}", single_precision_trainer(model, lambda: x, optimizer), steps=3)


kind = sys.argv[1]
dist.init_process_group("nccl" if kind == "nccl" else "gloo")
torch.cuda.set_device(0)
rank = dist.get_rank()
if kind == "nccl":
    record("d_nccl_one", transformer_trainer(Transformer(layers=6)), steps=4)
elif kind == "gloo":
    step = transformer_trainer(Transformer(layers=4, width=512, heads=8, vocabulary=8000))
    record_ranks("d_gloo", step)
    record_ranks("d_gloo_late", lambda: step(late=True))
else:
    record_small_network(kind)
dist.destroy_process_group()
