# SPDX-License-Identifier: Apache-2.0
"""Loops whose host works in Python and numpy, waits for others, or shares its processors."""
import gc
import os
import subprocess
import sys
import threading

import numpy
import torch
from torch import nn

from models import perceptron, single_precision_trainer, squares_trainer
from recorder import DEVICE, record, run

torch.backends.cuda.matmul.allow_tf32 = True


@run("h_host_noise")
def _(name):
    network = perceptron(2048, 8)

    def noise():
        return torch.from_numpy(numpy.random.standard_normal((4096, 2048)).astype(numpy.float32)).to(DEVICE)

    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
    record(name, single_precision_trainer(network, noise, optimizer), steps=3)


class RandomGraph:
    """A graph of 200,000 nodes and 4,000,000 edges, sampled in Python."""

    def __init__(self):
        self.random, self.nodes, edges = numpy.random.default_rng(0), 200_000, 4_000_000
        origins = numpy.sort(self.random.integers(0, self.nodes, edges))
        self.targets = self.random.integers(0, self.nodes, edges)
        self.start = numpy.searchsorted(origins, numpy.arange(self.nodes + 1))

    def sample(self):
        """The nodes around 1,024 others, and the edges between them by their places."""
        seeds = self.random.integers(0, self.nodes, 1024)
        nodes, origins, targets = list(seeds), [], []
        for seed in seeds:
            for edge in range(self.start[seed], min(self.start[seed + 1], self.start[seed] + 10)):
                nodes.append(self.targets[edge])
                origins.append(self.targets[edge])
                targets.append(seed)
        unique, places = numpy.unique(numpy.array(nodes + origins + targets), return_inverse=True)
        first, second = len(nodes), len(nodes) + len(origins)
        return unique, numpy.stack([places[first:second], places[second:]])


@run("h_gnn_sampling")
def _(name):
    from torch_geometric.nn import GraphConv

    graph, features = RandomGraph(), torch.randn(200_000, 256)
    layers = nn.ModuleList([GraphConv(256, 256), GraphConv(256, 256)]).to(DEVICE)
    optimizer = torch.optim.SGD(layers.parameters(), lr=0.01)

    def step():
        nodes, edges = graph.sample()
        edges, rows = torch.from_numpy(edges).to(DEVICE), features[torch.from_numpy(nodes)].to(DEVICE)
        for layer in layers:
            rows = layer(rows, edges).relu()
        rows.square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    record(name, step, steps=3)


@run("h_rl_loop")
def _(name):
    policy = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 8)).to(DEVICE)
    start = numpy.random.randn(64, 64).astype(numpy.float32)
    effects = numpy.random.randn(8, 64).astype(numpy.float32)

    def act(state):
        with torch.no_grad():
            logits = policy(torch.from_numpy(state).to(DEVICE))
        return torch.distributions.Categorical(logits=logits).sample().cpu().numpy()

    def world(state, action):
        for _ in range(4):
            noise = numpy.random.randn(64, 64) * 0.1
            state = numpy.tanh(state * 0.9 + effects[action] + noise).astype(numpy.float32)
        return state

    def step():
        state = start
        for _ in range(32):
            state = world(state, act(state))

    record(name, step, steps=3)


@run("h_gc_stall")
def _(name):
    garbage, calls = [[number] for number in range(4_000_000)], iter(range(1, 100))
    train = squares_trainer(perceptron(), torch.randn(8192, 4096, device=DEVICE))

    def step():
        train()
        if next(calls) % 2:
            gc.collect()

    record(name, step, steps=6)
    garbage.clear()


def deep_trainer():
    """A step of many small kernels."""
    return squares_trainer(perceptron(512, 60), torch.randn(512, 512, device=DEVICE))


@run("h_gil_thread")
def _(name):
    stop = threading.Event()

    def spin():
        while not stop.is_set():
            sum(number * number for number in range(1000))

    threads = [threading.Thread(target=spin, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    record(name, deep_trainer(), steps=3)
    stop.set()
    for thread in threads:
        thread.join()


@run("h_gil_thread_none")
def _(name):
    record(name, deep_trainer(), steps=3)


@run("h_one_core")
def _(name):
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        record(name, squares_trainer(perceptron(2048, 24), torch.randn(2048, 2048, device=DEVICE)), steps=3)
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, cores)


@run("h_event_poll")
def _(name):
    train = squares_trainer(perceptron(), torch.randn(16384, 4096, device=DEVICE))
    done = torch.cuda.Event()

    def step():
        train()
        done.record()
        while not done.query():
            pass

    record(name, step, steps=4)


@run("h_threads_inference")
def _(name):
    networks, rows = [perceptron(256, 12).eval() for _ in range(4)], torch.randn(16, 256, device=DEVICE)

    def infer(network):
        with torch.no_grad(), torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(20):
                network(rows)

    def step():
        threads = [threading.Thread(target=infer, args=(network,)) for network in networks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        torch.cuda.synchronize()

    record(name, step, steps=3)
