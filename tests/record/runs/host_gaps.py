# SPDX-License-Identifier: Apache-2.0
"""Long spans in which the host does what no profiler of operators records, and runs that look alike."""
import queue
import threading
import time

import numpy
import torch
from torch.profiler import record_function

from models import perceptron
from recorder import DEVICE, record, run

torch.backends.cuda.matmul.allow_tf32 = True


def sgd_trainer():
    """A network, its input, and a step of some 11 ms that trains it."""
    model, x = perceptron(), torch.randn(8192, 4096, device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            model(x).float().square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return model, x, step


model, x, train = sgd_trainer()


@run("p_sleep150")
def _(name):
    def step():
        train()
        time.sleep(0.15)

    record(name, step, steps=4)


@run("p_sleep_once")
def _(name):
    calls = iter(range(1, 100))

    def step():
        train()
        if next(calls) == 9:
            time.sleep(0.4)

    record(name, step, steps=6)


@run("p_sleep_stack")
def _(name):
    def wait_for_disk():
        time.sleep(0.15)

    def step():
        train()
        wait_for_disk()

    record(name, step, steps=3, with_stack=True)


@run("p_server")
def _(name):
    # A request comes each 0.2 s; no step is marked.
    requests = queue.Queue()

    def send():
        for _ in range(12):
            time.sleep(0.2)
            requests.put(1)

    def serve():
        requests.get()
        with torch.no_grad(), record_function("serve_request"):
            model(x).sum().item()

    client = threading.Thread(target=send)
    client.start()
    record(name, serve, steps=5, marks_steps=False)
    client.join()


@run("p_files")
def _(name):
    def read(path):
        with open(path, "rb") as file:
            return numpy.frombuffer(file.read(), dtype=numpy.uint8)

    def step():
        read("/tmp/kdiag_blob")[::4096].sum()
        train()

    with open("/tmp/kdiag_blob", "wb") as file:
        file.write(bytes(400_000_000))
    record(name, step, steps=4)


@run("p_numpy_unmarked")
def _(name):
    def step():
        numpy.sort(numpy.random.rand(3_000_000))
        train()

    record(name, step, steps=5, marks_steps=False)
