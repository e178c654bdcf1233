# SPDX-License-Identifier: Apache-2.0
"""Kernels and copies of many kinds: recurrent layers, tables of embeddings, sorting, solvers, transposes, CuPy."""
import os

import torch
from torch import nn

from models import perceptron, single_precision_trainer, squares_trainer
from recorder import DEVICE, record, run

torch.backends.cuda.matmul.allow_tf32 = True


def train_perceptron():
    """A step whose kernels fill the device."""
    return squares_trainer(perceptron(), torch.randn(16384, 4096, device=DEVICE))


@run("h_mlp_healthy")
def _(name):
    record(name, train_perceptron(), steps=4)


@run("h_unmarked_healthy")
def _(name):
    record(name, train_perceptron(), steps=6, marks_steps=False)


@run("h_lazy_first")
def _(name):
    # Some kernels are used, and so loaded, for the first time within the recorded steps.
    train, matrix, calls = train_perceptron(), torch.randn(512, 512, device=DEVICE), iter(range(1, 100))

    def step():
        train()
        if next(calls) == 9:
            torch.linalg.svd(matrix)
            torch.fft.fft2(matrix)

    record(name, step, steps=6)


@run("h_big_copies_sidestream")
def _(name):
    # Healthy: the copy runs beside the kernels.
    train, side = train_perceptron(), torch.cuda.Stream()
    there, here = torch.randn(64_000_000).pin_memory(), torch.empty(64_000_000, device=DEVICE)

    def step():
        with torch.cuda.stream(side):
            here.copy_(there, non_blocking=True)
        train()

    record(name, step, steps=4)


@run("h_nonblocking_pageable")
def _(name):
    model, there = perceptron(2048, 4), torch.randn(32768, 2048)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def step():
        here = there.to(DEVICE, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            model(here).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    record(name, step, steps=4)


if os.environ.get("PYTORCH_NO_CUDA_MEMORY_CACHING"):

    @run("h_nocache")
    def _(name):
        record(name, squares_trainer(perceptron(1024, 24), torch.randn(1024, 1024, device=DEVICE)), steps=4)


@run("h_many_small_models")
def _(name):
    models = [nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).to(DEVICE) for _ in range(32)]
    x = torch.randn(32, 64, device=DEVICE)
    record(name, lambda: [model(x).square().mean().backward() for model in models], steps=4)


@run("h_lstmcell")
def _(name):
    cell, x = nn.LSTMCell(512, 512).to(DEVICE), torch.randn(128, 64, 512, device=DEVICE)

    def unrolled(rows):
        hidden = carried = torch.zeros(64, 512, device=DEVICE)
        out = []
        for time in range(128):
            hidden, carried = cell(rows[time], (hidden, carried))
            out.append(hidden)
        return torch.stack(out)

    optimizer = torch.optim.SGD(cell.parameters(), lr=0.01)
    record(name, single_precision_trainer(unrolled, lambda: x, optimizer), steps=3)


@run("h_lstm_cudnn")
def _(name):
    layers, x = nn.LSTM(1024, 1024, 4).to(DEVICE), torch.randn(256, 256, 1024, device=DEVICE)
    optimizer = torch.optim.SGD(layers.parameters(), lr=0.01)
    record(name, single_precision_trainer(lambda rows: layers(rows)[0], lambda: x, optimizer), steps=3)


def record_embeddings(name, sparse):
    """A table of 2 GB, of which 81,920 rows are used in a step."""
    table, top = nn.EmbeddingBag(8_000_000, 64, sparse=sparse, mode="sum").to(DEVICE), nn.Linear(64, 1).to(DEVICE)
    kind = torch.optim.SparseAdam if sparse else torch.optim.Adam
    optimizers = [kind(table.parameters(), **({} if sparse else {"fused": True})),
                  torch.optim.SGD(top.parameters(), lr=0.1)]
    rows = torch.randint(0, 8_000_000, (4096, 20), device=DEVICE)

    def step():
        top(table(rows)).square().mean().backward()
        for optimizer in optimizers:
            optimizer.step()
        for optimizer in optimizers:
            optimizer.zero_grad()

    record(name, step, steps=4)


@run("h_embedding_dense")
def _(name):
    record_embeddings(name, False)


@run("h_embedding_sparse")
def _(name):
    record_embeddings(name, True)


@run("h_hot_atomics")
def _(name):
    rows, weight = torch.randn(4_000_000, 64, device=DEVICE), torch.randn(64, 64, device=DEVICE, requires_grad=True)
    index = torch.randint(0, 16, (4_000_000,), device=DEVICE)

    def step():
        out = torch.zeros(16, 64, device=DEVICE).index_add_(0, index, rows @ weight)
        out.square().mean().backward()
        weight.grad = None

    record(name, step, steps=4)


@run("h_sort")
def _(name):
    x = torch.randn(64_000_000, device=DEVICE)
    record(name, lambda: x.sort()[1].cumsum(0), steps=4)


@run("h_skinny_gemm")
def _(name):
    wide = torch.randn(16, 65536, device=DEVICE, dtype=torch.bfloat16)
    tall = torch.randn(65536, 16, device=DEVICE, dtype=torch.bfloat16)
    rows = torch.randn(64, 4096, device=DEVICE)

    def step():
        for _ in range(40):
            (wide @ tall).sum()
            torch.linalg.qr(rows[:, :64])

    record(name, step, steps=3)


@run("h_cholesky_loop")
def _(name):
    # Gaussian processes: each call of the solver waits to look whether it succeeded.
    matrices = torch.randn(16, 256, 256, device=DEVICE)
    matrices = matrices @ matrices.mT + 300 * torch.eye(256, device=DEVICE)

    def step():
        for i in range(16):
            factor = torch.linalg.cholesky(matrices[i])
            torch.cholesky_solve(matrices[i], factor)

    record(name, step, steps=4)


@run("h_transposes")
def _(name):
    x = torch.randn(16384, 16384, device=DEVICE)

    def step():
        y = x
        for _ in range(8):
            y = y.t().contiguous()

    record(name, step, steps=4)


@run("h_cupy")
def _(name):
    import cupy

    x = cupy.random.random((8192, 8192), dtype=cupy.float32)

    def step():
        y = x
        for _ in range(10):
            y = cupy.sqrt(y * y + 1.0) - 0.5
        float(y.sum())

    record(name, step, steps=4)
