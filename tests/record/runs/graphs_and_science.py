# SPDX-License-Identifier: Apache-2.0
"""Graphs, tables, science, losses and samples in loops: with one fault each and its repaired twin, or a look-alike of a fault."""
import numpy
import torch
import torch.nn.functional as F
from torch import nn

from recorder import DEVICE, run
from twins import healthy, twins


def perceptron(*widths, kind=nn.ReLU):
    layers = [layer for a, b in zip(widths, widths[1:]) for layer in (nn.Linear(a, b), kind())]
    return nn.Sequential(*layers[:-1]).to(DEVICE)


@run("b_persample_loss")
def _(name):
    def build(fixed):
        model, images = perceptron(4096, 4096, 4096, 256), torch.randn(128, 4096, device=DEVICE)
        labels = torch.arange(128, device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

        def step():
            vectors = F.normalize(model(images), dim=-1)
            if fixed:
                loss = F.cross_entropy(vectors @ vectors.T / 0.1, labels)
            else:
                loss = 0
                for i in range(len(vectors)):
                    similarity = vectors[i] @ vectors.T / 0.1
                    loss = loss + F.cross_entropy(similarity[None], labels[i:i + 1])
                loss = loss / len(vectors)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build, steps=2)


@run("b_dqn_lists")
def _(name):
    def build(fixed):
        model, target = perceptron(64, 512, 512, 8), perceptron(64, 512, 512, 8)
        optimizer = torch.optim.Adam(model.parameters(), fused=True)
        generator = numpy.random.default_rng(0)
        memory = [(generator.random(64, dtype=numpy.float32), int(generator.integers(8)), float(generator.random()),
                   generator.random(64, dtype=numpy.float32)) for _ in range(5000)]

        def step():
            taken = [memory[i] for i in generator.integers(0, 5000, 128)]
            if fixed:
                states, nexts = (torch.from_numpy(numpy.stack([row[k] for row in taken])).to(DEVICE) for k in (0, 3))
                actions, rewards = (torch.tensor([row[k] for row in taken], device=DEVICE) for k in (1, 2))
            else:
                states, nexts = (torch.stack([torch.tensor(row[k], device=DEVICE) for row in taken]) for k in (0, 3))
                actions, rewards = (torch.stack([torch.tensor(row[k], device=DEVICE) for row in taken]) for k in (1, 2))
            with torch.no_grad():
                best = rewards + 0.99 * target(nexts).max(1).values
            loss = F.smooth_l1_loss(model(states).gather(1, actions[:, None])[:, 0], best)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    twins(name, build, steps=2)


@run("b_cpu_index")
def _(name):
    def build(fixed):
        rows, labels = torch.randn(1_000_000, 256, device=DEVICE), torch.randint(0, 10, (1_000_000,), device=DEVICE)
        model = perceptron(256, 2048, 2048, 10)
        optimizer = torch.optim.Adam(model.parameters(), fused=True)
        order = torch.randperm(1_000_000)
        order = order.to(DEVICE) if fixed else order

        def step():
            for start in range(0, 8 * 16384, 16384):
                taken = order[start:start + 16384]
                loss = F.cross_entropy(model(rows[taken]), labels[taken])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        return step

    twins(name, build, ok=True)


@run("b_gcn")
def _(name):
    from torch_geometric.nn import GCNConv

    def build(fixed):
        edges = torch.randint(0, 200_000, (2, 2_000_000), device=DEVICE)
        layers = nn.ModuleList([GCNConv(128, 128, cached=fixed) for _ in range(3)]).to(DEVICE)
        x, optimizer = torch.randn(200_000, 128, device=DEVICE), torch.optim.Adam(layers.parameters(), fused=True)

        def step():
            y = x
            for layer in layers:
                y = layer(y, edges).relu()
            y.square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build)


@run("b_dlrm_tables")
def _(name):
    def build(fixed):
        tables, rows, size, count = 48, 100_000, 64, 2048
        with DEVICE:
            if fixed:
                bags = nn.ModuleList([nn.EmbeddingBag(tables * rows, size, mode="sum", sparse=True)])
            else:
                bags = nn.ModuleList([nn.EmbeddingBag(rows, size, mode="sum", sparse=True) for _ in range(tables)])
        index = torch.randint(0, rows, (tables, count, 4), device=DEVICE)
        shifted = (index + rows * torch.arange(tables, device=DEVICE)[:, None, None]).flatten(0, 1)
        top = perceptron(tables * size, 1024, 512, 1)
        optimizer = torch.optim.SGD([*bags.parameters(), *top.parameters()], lr=0.01)

        def step():
            if fixed:
                vectors = bags[0](shifted).view(tables, count, size).transpose(0, 1).flatten(1)
            else:
                vectors = torch.cat([bag(index[i]) for i, bag in enumerate(bags)], 1)
            top(vectors).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build, steps=2, ok=True)


@run("b_ssm_loop")
def _(name):
    count, length, width, state = 16, 128, 1024, 16

    def build(fixed):
        a = -torch.rand(width, state, device=DEVICE)
        step_size = torch.rand(count, length, width, 1, device=DEVICE) * 0.1
        x = torch.randn(count, length, width, 1, device=DEVICE)
        b, c = (torch.randn(count, length, 1, state, device=DEVICE, requires_grad=True) for _ in range(2))

        def step():
            logs, inputs = step_size * a, x * b
            if fixed:
                total = logs.cumsum(1)
                hidden = total.exp() * (inputs * (-total).exp()).cumsum(1)
                y = (hidden * c).sum(-1)
            else:
                hidden, out = torch.zeros(count, width, state, device=DEVICE), []
                for decay, new, weight in zip(logs.exp().unbind(1), inputs.unbind(1), c.unbind(1)):
                    hidden = decay * hidden + new
                    out.append((hidden * weight).sum(-1))
                y = torch.stack(out, 1)
            y.square().mean().backward()
            b.grad = c.grad = None

        return step

    twins(name, build, steps=2)


@run("b_fp64_numpy")
def _(name):
    def build(fixed):
        generator = numpy.random.default_rng(0)
        x, y = generator.standard_normal((16384, 1024)), generator.standard_normal((16384, 1))
        x, y = torch.from_numpy(x).to(DEVICE), torch.from_numpy(y).to(DEVICE)
        model = perceptron(1024, *[1024] * 5, 1).double()
        if fixed:
            x, y, model = x.float(), y.float(), model.float()
        optimizer = torch.optim.Adam(model.parameters())

        def step():
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    twins(name, build)


@run("b_memory_tight")
def _(name):
    # Each step is longer than the one before, and the cache of the allocator has no room for blocks of two lengths.
    def build(fixed):
        first, last = (torch.randn(4096, 4096, device=DEVICE, dtype=torch.bfloat16) * 0.01 for _ in range(2))
        total, lengths = torch.cuda.get_device_properties(0).total_memory, iter(range(270_336, 400_000, 4096))
        torch.cuda.set_per_process_memory_fraction(9.4e9 / total)
        if fixed:
            whole = [torch.empty(340_000, 4096, device=DEVICE, dtype=torch.bfloat16) for _ in range(3)]
            del whole

        @torch.no_grad()
        def step():
            x = torch.full((next(lengths), 4096), 0.5, device=DEVICE, dtype=torch.bfloat16)
            y = F.gelu(x @ first)
            return (y @ last)[-1].sum()

        return step

    try:
        twins(name, build)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)


@run("b_vit_tiny")
def _(name):
    # Eagerly, and as one graph of the whole step.
    import timm

    def build(fixed):
        model = timm.create_model("vit_tiny_patch16_224").to(DEVICE).train()
        images, labels = torch.randn(16, 3, 224, 224, device=DEVICE), torch.randint(0, 1000, (16,), device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True, capturable=True)

        def step():
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.bfloat16, cache_enabled=not fixed):
                loss = F.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()

        if not fixed:
            return step
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        optimizer.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        step.kept = model, images, labels, optimizer

        def replay():
            graph.replay()

        replay.kept = step
        return replay

    twins(name, build, steps=2, ok=True)


@run("b_two_streams_ok")
def _(name):
    left, right = torch.cuda.Stream(), torch.cuda.Stream()
    a, b = (torch.randn(1024, 1024, device=DEVICE, dtype=torch.bfloat16) * 0.03 for _ in range(2))

    def tower(matrix):
        y = matrix
        for _ in range(12):
            y = (y @ matrix).relu()
        return y

    towers = []
    for stream, matrix in ((left, a), (right, b)):  # each is a graph, so that the host does not limit the step
        with torch.cuda.stream(stream):
            tower(matrix)
        torch.cuda.synchronize()
        towers.append(torch.cuda.CUDAGraph())
        with torch.cuda.graph(towers[-1]):
            tower(matrix)

    def step(streams=(left, right)):
        now = torch.cuda.current_stream()
        for stream in streams:
            stream.wait_stream(now)
        for _ in range(10):
            for stream, graph in zip(streams, towers):
                with torch.cuda.stream(stream):
                    graph.replay()
        for stream in streams:
            now.wait_stream(stream)

    healthy(name, step, other=lambda: step((left, left)))


@run("b_broadcast_dist")
def _(name):
    def build(fixed):
        x, y = torch.randn(4096, 64, device=DEVICE), torch.randn(4096, 64, device=DEVICE)

        def step():
            for _ in range(2):
                if fixed:
                    distances = torch.cdist(x, y, compute_mode="use_mm_for_euclid_dist")
                else:
                    distances = ((x[:, None] - y[None]) ** 2).sum(-1).sqrt()
                distances.min(1)

        return step

    twins(name, build, table=True)


@run("b_knn_topk")
def _(name):
    # The search of the largest takes far more than the products.
    queries = torch.randn(256, 128, device=DEVICE, dtype=torch.bfloat16)
    known = torch.randn(1_000_000, 128, device=DEVICE, dtype=torch.bfloat16)
    healthy(name, lambda: (queries @ known.T).topk(32, sorted=True), other=lambda: queries @ known.T)


@run("b_pinn")
def _(name):
    def build(fixed):
        model = perceptron(2, 64, 64, 64, 64, 1, kind=nn.Tanh)
        points = torch.rand(8192, 2, device=DEVICE, requires_grad=True)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True, capturable=True)

        def step():
            optimizer.zero_grad(set_to_none=True)
            u = model(points)
            slope = torch.autograd.grad(u.sum(), points, create_graph=True)[0]
            twice = torch.autograd.grad(slope[:, 0].sum(), points, create_graph=True)[0][:, 0]
            loss = (slope[:, 1] - 0.1 * twice).square().mean() + u.square().mean()
            for parameter, gradient in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters()))):
                parameter.grad = gradient
            optimizer.step()

        if not fixed:
            return step
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        return lambda kept=(model, points, optimizer): graph.replay()

    twins(name, build)


@run("b_gp")
def _(name):
    import gpytorch

    x = torch.rand(600, 4, device=DEVICE, dtype=torch.float64)
    y = (6 * x).sin().sum(1)

    class Process(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(x, y, likelihood)
            self.mean = gpytorch.means.ConstantMean()
            self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(ard_num_dims=4))

        def forward(self, rows):
            return gpytorch.distributions.MultivariateNormal(self.mean(rows), self.kernel(rows))

    likelihood = gpytorch.likelihoods.GaussianLikelihood().to(DEVICE).double()
    process = Process(likelihood).to(DEVICE).double().train()
    goal = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, process)
    optimizer = torch.optim.Adam(process.parameters(), lr=0.05)

    def step():
        optimizer.zero_grad()
        loss = -goal(process(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    healthy(name, step)


@run("b_reduce_each")
def _(name):
    import timm
    from torch import distributed

    distributed.init_process_group("nccl", store=distributed.HashStore(), rank=0, world_size=1, device_id=torch.device("cuda", 0))

    def build(fixed):
        model = timm.create_model("vit_tiny_patch16_224").to(DEVICE).train()
        images, labels = torch.randn(64, 3, 224, 224, device=DEVICE), torch.randint(0, 1000, (64,), device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

        def step():
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = F.cross_entropy(model(images), labels)
            loss.backward()
            gradients = [parameter.grad for parameter in model.parameters()]
            if fixed:
                flat = torch.cat([gradient.flatten() for gradient in gradients])
                distributed.all_reduce(flat)
                parts = flat.split([gradient.numel() for gradient in gradients])
                torch._foreach_copy_(gradients, [part.view_as(g) for part, g in zip(parts, gradients)])
            else:
                for gradient in gradients:
                    distributed.all_reduce(gradient)
                    gradient /= distributed.get_world_size()
            optimizer.step()
            optimizer.zero_grad()

        return step

    try:
        twins(name, build, steps=2)
    finally:
        distributed.destroy_process_group()
