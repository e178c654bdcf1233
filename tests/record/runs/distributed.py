# SPDX-License-Identifier: Apache-2.0
"""Data parallel training: two ranks over gloo on one device, of which rank 1 comes late in the second run; or one rank
over NCCL. Started by torch.distributed.run."""
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.profiler import profile, schedule

from recorder import BOTH, DEVICE, OUT, log, record
from transformer import Transformer

backend = sys.argv[1]
dist.init_process_group(backend)
torch.cuda.set_device(0)
rank, shape = dist.get_rank(), {"layers": 4, "width": 512, "heads": 8, "vocabulary": 8000}
network = Transformer(**shape) if backend == "gloo" else Transformer(layers=6)
model = torch.nn.parallel.DistributedDataParallel(network.to(DEVICE))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
tokens = torch.randint(0, 8000, (8, 512), device=DEVICE)


def step(late=False):
    """A step, in which rank 1 does 40 ms of something else first if `late`."""
    if late and rank == 1:
        time.sleep(0.04)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
    loss.backward()
    optimizer.step()


if backend == "nccl":
    record("d_nccl_one", step, steps=4)
else:
    for name, late in (("d_gloo", False), ("d_gloo_late", True)):
        for _ in range(3):
            step(late)
        dist.barrier()
        torch.cuda.synchronize()
        once = schedule(wait=0, warmup=1, active=5, repeat=1)
        with profile(activities=BOTH, schedule=once, record_shapes=True) as profiler:
            for _ in range(6):
                step(late)
                profiler.step()
        profiler.export_chrome_trace(str(OUT / f"{name}_rank{rank}.json.gz"))
        log(f"{name}: rank {rank}")
dist.destroy_process_group()
