# SPDX-License-Identifier: Apache-2.0
"""Short loops of a few operators, healthy and with one fault each."""
import torch
import torch.nn.functional as F

from recorder import DEVICE, record, run

torch.manual_seed(0)


def half(*shape):
    """Random values in half precision on the device."""
    return torch.randn(*shape, device=DEVICE, dtype=torch.bfloat16)


def products(matrix, times, scale=1.0):
    """That many products, one after the other."""
    out = matrix
    for _ in range(times):
        out = (matrix @ out) * scale if scale != 1.0 else matrix @ out


@run("g_boolean_masks")
def _(name):
    x, weight = torch.randn(4096, 256, device=DEVICE), torch.randn(256, 256, device=DEVICE)

    def step():
        rows = x
        for _ in range(24):
            rows = torch.relu(rows @ weight * 0.05)
            kept = rows.sum(1) > 0
            rows = torch.cat([rows[kept] * 1.01, rows[~kept] * 0.99])

    record(name, step, steps=6)


@run("g_moe_loop")
def _(name):
    experts, router, x = [half(1024, 1024) for _ in range(32)], half(1024, 32), half(2048, 1024)

    def step():
        rows = x
        for _ in range(4):
            chosen, out = (rows @ router).argmax(-1), torch.zeros_like(rows)
            for expert, weight in enumerate(experts):
                at = (chosen == expert).nonzero().flatten()
                if at.numel():
                    out.index_add_(0, at, F.relu(rows[at] @ weight) * 0.02)
            rows = out + rows

    record(name, step, steps=4)


@run("g_elementwise")
def _(name):
    x = torch.randn(64 * 1024 * 1024, device=DEVICE)

    def step():
        y = x
        for _ in range(6):
            y = torch.tanh(y * 1.1 + 0.1) - y.abs().sqrt()
        y.sum()

    record(name, step, steps=6)


@run("g_matmul_healthy")
def _(name):
    matrix = half(8192, 8192)
    record(name, lambda: products(matrix, 8, 0.01), steps=6)


@run("g_matmul_odd")
def _(name):
    matrix = half(4095, 4095)
    record(name, lambda: products(matrix, 8), steps=6)


@run("g_fp64")
def _(name):
    matrix = torch.randn(2048, 2048, device=DEVICE, dtype=torch.float64)

    def step():
        for _ in range(3):
            torch.linalg.cholesky(matrix @ matrix.T + 4096 * torch.eye(2048, device=DEVICE, dtype=torch.float64))

    record(name, step, steps=4)


@run("g_streams_overlap")
def _(name):
    there, side, matrix = torch.randn(64, 1024, 1024).pin_memory(), torch.cuda.Stream(), half(8192, 8192)
    here = torch.empty_like(there, device=DEVICE)

    def step():
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            here.copy_(there, non_blocking=True)
        products(matrix, 10, 0.01)
        torch.cuda.current_stream().wait_stream(side)

    record(name, step, steps=6)


@run("g_streams_serial")
def _(name):
    there, matrix = torch.randn(64, 1024, 1024).pin_memory(), half(8192, 8192)
    here = torch.empty_like(there, device=DEVICE)

    def step():
        here.copy_(there, non_blocking=True)
        products(matrix, 10, 0.01)

    record(name, step, steps=6)


@run("g_d2h_results")
def _(name):
    matrix = torch.randn(4096, 4096, device=DEVICE)
    record(name, lambda: [(matrix @ matrix).cpu() for _ in range(6)], steps=4)


@run("g_tiny_copies")
def _(name):
    weight, rows = torch.randn(256, 256, device=DEVICE), [torch.randn(256) for _ in range(200)]
    record(name, lambda: [torch.relu(row.to(DEVICE) @ weight) for row in rows], steps=4)
