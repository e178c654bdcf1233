# SPDX-License-Identifier: Apache-2.0
"""Kernels in Triton: blocks of one warp, of four, and too few blocks for the device."""
import torch
import triton
import triton.language as tl

from recorder import DEVICE, record, run


@triton.jit
def add(left, right, out, length, BLOCK: tl.constexpr):
    """Sums of two vectors."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < length
    tl.store(out + at, tl.load(left + at, inside) + tl.load(right + at, inside), inside)


@triton.jit
def weigh_rows(matrix, out, width, BLOCK: tl.constexpr):
    """Each block walks along BLOCK rows, BLOCK columns at a time."""
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for first in range(0, width, BLOCK):
        tile = tl.load(matrix + rows[:, None] * width + (first + columns)[None, :]).to(tl.float32)
        total += tile * tl.sum(tile, 1)[:, None]
    tl.store(out + rows[:, None] * BLOCK + columns[None, :], total)


def record_sums(name, block, warps):
    """Ten sums of 64,000,000 numbers."""
    length = 64_000_000
    left, right = torch.randn(length, device=DEVICE), torch.randn(length, device=DEVICE)
    out, grid = torch.empty_like(left), (triton.cdiv(length, block),)

    def step():
        for _ in range(10):
            add[grid](left, right, out, length, BLOCK=block, num_warps=warps)

    record(name, step, steps=4)


@run("h_triton_tiny_blocks")
def _(name):
    record_sums(name, 32, 1)


@run("h_triton_blocks")
def _(name):
    record_sums(name, 1024, 4)


@run("h_triton_few_blocks")
def _(name):
    matrix, out = torch.randn(1024, 65536, device=DEVICE), torch.empty(1024, 64, device=DEVICE)

    def step():
        for _ in range(5):
            weigh_rows[(16,)](matrix, out, 65536, BLOCK=64, num_warps=1)

    record(name, step, steps=4)
