# SPDX-License-Identifier: Apache-2.0
"""Loads beside which nvidia-smi samples the device: bursts, a steady load of products, a steady load of copies."""
import subprocess
import time

import torch

from recorder import DEVICE, OUT, log

FIELDS = ("timestamp,index,name,pstate,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,"
          "enforced.power.limit,temperature.gpu,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,"
          "clocks_event_reasons.active,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max")


def sampled(name, seconds, work, pause=0.0, busy=1.0, query=False):
    """Works for `busy` seconds and pauses, again and again."""
    with open(OUT / f"{name}.csv", "w", encoding="utf-8") as csv, open(OUT / f"{name}.dmon.txt", "w", encoding="utf-8") as dmon, \
            open(OUT / f"{name}.pmon.txt", "w", encoding="utf-8") as pmon, open(OUT / f"{name}.q.txt", "w", encoding="utf-8") as text:
        samplers = [subprocess.Popen(["nvidia-smi", f"--query-gpu={FIELDS}", "--format=csv", "-lms", "200"], stdout=csv),
                    subprocess.Popen(["nvidia-smi", "dmon", "-s", "pucvmet", "-o", "DT"], stdout=dmon)]
        if query:
            samplers.append(subprocess.Popen(["nvidia-smi", "pmon", "-s", "um", "-c", str(int(seconds))], stdout=pmon))
        end, calls, asked = time.time() + seconds, 0, False
        while time.time() < end:
            until = time.time() + busy
            while time.time() < until and time.time() < end:
                work()
                calls += 1
                torch.cuda.synchronize()
                if query and not asked and end - time.time() < seconds / 2:
                    asked = bool(samplers.append(subprocess.Popen(["nvidia-smi", "-q"], stdout=text))) or True
            time.sleep(min(pause, max(0.0, end - time.time())))
        for sampler in samplers:
            sampler.terminate()
        for sampler in samplers:
            sampler.wait()
    log(f"{name}: {calls / seconds:.1f} calls a second for {seconds} s")
    for file in OUT.glob(f"{name}.*"):
        if not file.stat().st_size:
            file.unlink()


matrix = torch.randn(8192, 8192, device=DEVICE, dtype=torch.bfloat16)
large = torch.randn(256 << 20, device=DEVICE)
other = torch.empty_like(large)


def products():
    for _ in range(16):
        matrix @ matrix


def copies():
    for _ in range(16):
        other.copy_(large)


products(), copies()
torch.cuda.synchronize()
sampled("b_tele_bursts", 7, products, pause=1.1, busy=0.25)
sampled("b_tele_steady", 6, products, query=True)
sampled("b_tele_stream", 4, copies)
