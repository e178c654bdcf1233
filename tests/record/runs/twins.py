# SPDX-License-Identifier: Apache-2.0
"""Records a program and the time of its repaired twin."""
import gc
import traceback

import torch
from torch.profiler import profile, schedule

from recorder import BOTH, OUT, log, milliseconds

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


def clear():
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


def record(name, step, steps=3, table=False, **options):
    """Records `steps` marked steps to NAME.json.gz."""
    with profile(activities=BOTH, record_shapes=True, schedule=schedule(wait=0, warmup=1, active=steps, repeat=1),
                 **options) as profiler:
        for _ in range(steps + 1):
            step()
            profiler.step()
    profiler.export_chrome_trace(str(OUT / f"{name}.json.gz"))
    if table:
        text = profiler.key_averages().table(sort_by="cuda_time_total", row_limit=60)
        (OUT / f"{name}.table.txt").write_text(text, encoding="utf-8")


def healthy(name, step, steps=3, warmup=3, timed=4, other=None, **options):
    """A program without a fault; `other` is a twin whose time is logged alone."""
    before = milliseconds(step, timed, warmup)
    log(f"{name}: {before:.2f} ms a step")
    record(name, step, steps, **options)
    if other:
        log(f"{name}: {before:.2f} ms a step; the other way {milliseconds(other, timed, warmup):.2f} ms")
    clear()


def twins(name, build, steps=3, warmup=3, timed=4, ok=False, **options):
    """`build(False)` is the step with the fault, `build(True)` the repaired one; the latter is recorded if `ok`."""
    torch.manual_seed(0)
    step = build(False)
    before = milliseconds(step, timed, warmup)
    log(f"{name}: {before:.2f} ms a step")
    record(name, step, steps, **options)
    step = None
    clear()
    try:
        step = build(True)
        after = milliseconds(step, timed, warmup)
        log(f"{name}: {before:.2f} ms a step; repaired {after:.2f} ms ({100 * (1 - after / before):.0f} % less)")
        if ok:
            record(name + "_ok", step, steps)
    except Exception as error:  # pylint: disable=broad-except
        log(f"{name}: the repaired twin FAILED, {error!r}")
        traceback.print_exc()
    step = None
    clear()
