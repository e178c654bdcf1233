# SPDX-License-Identifier: Apache-2.0
"""What compiling gains: programs that run operator by operator are recorded, and timed before and after compiling."""
import time

import torch
import torch.nn.functional as F
import torchvision

from models import fused_adam, gpt, llama, perceptron, trainer
from recorder import DEVICE, log, milliseconds, record, run

torch.backends.cuda.matmul.allow_tf32 = True
torch.set_float32_matmul_precision("high")


def as_it_is(function):
    """What is not compiled."""
    return function


def record_and_compile(name, step_of):
    """`step_of` makes the step, given what wraps its model; the compiled step is timed only."""
    record(name, step_of(as_it_is), steps=3)
    torch._dynamo.reset()
    start = time.perf_counter()
    compiled = milliseconds(step_of(torch.compile), steps=4)
    log(f"{name}: {compiled:.2f} ms a step compiled ({time.perf_counter() - start:.0f} s)")


def classifier_trainer(model, images, wrap):
    """A step that trains a classifier of images."""
    labels = torch.randint(0, 1000, (len(images),), device=DEVICE)
    model = model.to(DEVICE).train()
    optimizer, wrapped = fused_adam(model), wrap(model)
    return trainer(lambda: F.cross_entropy(wrapped(images), labels), optimizer)


@run("c_mlp")
def _(name):
    x = torch.randn(16384, 4096, device=DEVICE)

    def step_of(wrap):
        model = perceptron()
        loss_of = wrap(lambda rows: model(rows).float().square().mean())
        return trainer(lambda: loss_of(x), fused_adam(model, 1e-5))

    record_and_compile(name, step_of)


@run("c_resnet18_nhwc")
def _(name):
    images = torch.randn(256, 3, 224, 224, device=DEVICE).contiguous(memory_format=torch.channels_last)
    network = lambda: torchvision.models.resnet18().to(memory_format=torch.channels_last)
    record_and_compile(name, lambda wrap: classifier_trainer(network(), images, wrap))


@run("c_vit4")
def _(name):
    import timm

    images = torch.randn(192, 3, 224, 224, device=DEVICE)
    network = lambda: timm.create_model("vit_base_patch16_224", num_classes=1000, depth=4)
    record_and_compile(name, lambda wrap: classifier_trainer(network(), images, wrap))


@run("c_gpt4")
def _(name):
    tokens = torch.randint(0, 32000, (16, 1024), device=DEVICE)

    def step_of(wrap):
        model = gpt(layers=4, vocabulary=32000)
        wrapped = wrap(model)
        return trainer(lambda: wrapped(input_ids=tokens, labels=tokens, use_cache=False).loss, fused_adam(model))

    record_and_compile(name, step_of)


@run("c_llama4")
def _(name):
    tokens = torch.randint(0, 32000, (32, 1024), device=DEVICE)

    def step_of(wrap):
        wrapped = wrap(llama(layers=4))
        return torch.no_grad()(lambda: wrapped(input_ids=tokens, use_cache=False))

    record_and_compile(name, step_of)


@run("c_adam")
def _(name):
    weights = torch.randn(8_000_000, 64, device=DEVICE, requires_grad=True)
    weights.grad = torch.randn_like(weights)

    def step_of(**settings):
        return torch.optim.Adam([weights], lr=torch.tensor(1e-3), **settings).step

    record(name, step_of(fused=True), steps=4)
    log(f"{name}: {milliseconds(step_of(fused=True), steps=4):.2f} ms a step fused")
    loop = {"foreach": True, "capturable": True}
    log(f"{name}: {milliseconds(step_of(**loop), steps=4):.2f} ms a step foreach")
    log(f"{name}: {milliseconds(torch.compile(step_of(**loop)), steps=4):.2f} ms a step compiled")
