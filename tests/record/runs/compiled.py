# SPDX-License-Identifier: Apache-2.0
"""A kernel of Triton that reads columns of rows, and a compiled network."""
import torch
import triton
import triton.language as tl
from torch import nn

from recorder import DEVICE, run
from twins import healthy, twins


@triton.jit
def sum_column(matrix, out, rows, columns, BLOCK: tl.constexpr):
    column, total = tl.program_id(0), tl.zeros((BLOCK,), tl.float32)
    for start in range(0, rows, BLOCK):
        total += tl.load(matrix + (start + tl.arange(0, BLOCK)) * columns + column)
    tl.store(out + column, tl.sum(total))


@triton.jit
def sum_columns(matrix, out, rows, columns, WIDE: tl.constexpr, HIGH: tl.constexpr):
    at = tl.program_id(0) * WIDE + tl.arange(0, WIDE)
    total = tl.zeros((HIGH, WIDE), tl.float32)
    for start in range(0, rows, HIGH):
        total += tl.load(matrix + (start + tl.arange(0, HIGH))[:, None] * columns + at[None, :])
    tl.store(out + at, tl.sum(total, 0))


@run("b_triton_columns")
def _(name):
    def build(fixed):
        matrix, out = torch.randn(16384, 16384, device=DEVICE), torch.empty(16384, device=DEVICE)

        def step():
            for _ in range(6):
                if fixed:
                    sum_columns[(16384 // 64,)](matrix, out, 16384, 16384, WIDE=64, HIGH=32)
                else:
                    sum_column[(16384,)](matrix, out, 16384, 16384, BLOCK=1024)

        return step

    twins(name, build)


@run("b_compile_reduce_ok")
def _(name):
    model = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(512, 512), nn.GELU(), nn.LayerNorm(512))])
    model = model.to(DEVICE).bfloat16().eval()
    x = torch.randn(64, 512, device=DEVICE, dtype=torch.bfloat16)
    compiled = torch.compile(model, mode="reduce-overhead")

    def times(function):
        @torch.no_grad()
        def step():
            for _ in range(50):
                torch.compiler.cudagraph_mark_step_begin()
                function(x)

        return step

    healthy(name, times(compiled), other=times(model))
