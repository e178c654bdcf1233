# SPDX-License-Identifier: Apache-2.0
"""Training of an image classifier, healthy and with one fault each."""
import time

import numpy
import torch
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader, Dataset

from recorder import DEVICE, record, run

OPTIMIZERS = {"fused": {"fused": True}, "loop": {"foreach": False}}


def network(name="resnet50", channels_last=True, optimizer="fused"):
    """A network and its optimizer."""
    model = getattr(torchvision.models, name)().to(DEVICE)
    if channels_last:
        model = model.to(memory_format=torch.channels_last)
    return model, torch.optim.Adam(model.parameters(), lr=1e-3, **OPTIMIZERS[optimizer])


def trainer(pair, batch, half=True, after=None):
    """A step of training; `after` runs between the backward pass and the optimizer, with the model and its loss."""
    model, optimizer = pair

    def step():
        images, labels = batch()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=half):
            loss = F.cross_entropy(model(images), labels)
        loss.backward()
        if after:
            after(model, loss)
        optimizer.step()

    return step


def on_device(size=64, channels_last=True):
    """One batch that is on the device already."""
    images = torch.randn(size, 3, 224, 224, device=DEVICE)
    if channels_last:
        images = images.to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (size,), device=DEVICE)
    return lambda: (images, labels)


def on_host(size=64, pinned=False, taken=None):
    """One batch in the host's memory, copied in each step; `taken` of its images are used."""
    images, labels = torch.randn(size, 3, 224, 224), torch.randint(0, 1000, (size,))
    if pinned:
        images, labels = images.pin_memory(), labels.pin_memory()

    def batch():
        there = images.to(DEVICE, non_blocking=pinned)[:taken].to(memory_format=torch.channels_last)
        return there, labels.to(DEVICE, non_blocking=pinned)[:taken]

    return batch


class Images(Dataset):
    """Images whose decoding and augmentation takes the host some milliseconds each."""

    def __init__(self, passes):
        self.passes = passes

    def __len__(self):
        return 100000

    def __getitem__(self, index):
        image = numpy.random.default_rng(index).integers(0, 255, (256, 256, 3), dtype=numpy.uint8).astype(numpy.float32)
        for _ in range(self.passes):
            image = numpy.sqrt(image * image + 1.0)
        return torch.from_numpy(image[:224, :224].copy()).permute(2, 0, 1) / 255.0, index % 1000


def loading(workers, passes=8):
    """Batches of a loader with so many worker processes."""
    batches = iter(DataLoader(Images(passes), batch_size=64, num_workers=workers, pin_memory=True, drop_last=True))

    def batch():
        images, labels = next(batches)
        there = images.to(DEVICE, non_blocking=True, memory_format=torch.channels_last)
        return there, labels.to(DEVICE, non_blocking=True)

    return batch


def allow_tf32(allowed):
    """Whether FP32 products may use tensor cores."""
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


torch.manual_seed(0)
resnet50 = network()


@run("t_healthy")
def _(name):
    record(name, trainer(resnet50, on_device()), table=True)


@run("t_loader0")
def _(name):
    record(name, trainer(resnet50, loading(0)), steps=4, warmup=1)


@run("t_loader2")
def _(name):
    record(name, trainer(resnet50, loading(2)), steps=6, warmup=2)


@run("t_loader12")
def _(name):
    record(name, trainer(resnet50, loading(12, passes=2)), steps=6)


@run("t_item")
def _(name):
    record(name, trainer(resnet50, on_device(), after=lambda model, loss: loss.item()))


@run("t_gradnorm_items")
def _(name):
    norms = lambda model, loss: [p.grad.norm().item() for p in model.parameters()]
    record(name, trainer(resnet50, on_device(), after=norms))


@run("t_pageable")
def _(name):
    record(name, trainer(resnet50, on_host()))


@run("t_pinned")
def _(name):
    record(name, trainer(resnet50, on_host(pinned=True)))


@run("t_big_pageable")
def _(name):
    record(name, trainer(resnet50, on_host(size=1024, taken=64)), steps=4, warmup=1)


@run("t_emptycache")
def _(name):
    record(name, trainer(resnet50, on_device(), after=lambda model, loss: torch.cuda.empty_cache()))


@run("t_sleep")
def _(name):
    def wait(_, loss):
        torch.cuda.synchronize()
        time.sleep(0.04)

    record(name, trainer(resnet50, on_device(), after=wait))


@run("t_checkpoint_once")
def _(name):
    calls = iter(range(100))

    def save(model, _):
        if next(calls) == 9:
            torch.save(model.state_dict(), "/tmp/checkpoint.pt")

    record(name, trainer(resnet50, on_device(), after=save), steps=6)


@run("t_cpu_postproc")
def _(name):
    def median(model, _):
        gradients = torch.cat([p.grad.flatten() for p in model.parameters()]).cpu().numpy()
        numpy.partition(numpy.abs(gradients), gradients.size // 2)

    record(name, trainer(resnet50, on_device(), after=median), steps=4, warmup=1)


@run("t_contiguous")
def _(name):
    record(name, trainer(network(channels_last=False), on_device(channels_last=False)))


@run("t_fp32_strict")
def _(name):
    allow_tf32(False)
    record(name, trainer(resnet50, on_device(), half=False))


@run("t_tf32")
def _(name):
    allow_tf32(True)
    record(name, trainer(resnet50, on_device(), half=False))


@run("t_adam_loop")
def _(name):
    record(name, trainer(network(optimizer="loop"), on_device()))


@run("t_anomaly")
def _(name):
    step = trainer(resnet50, on_device())

    def checked():
        with torch.autograd.set_detect_anomaly(True):
            step()

    record(name, checked, steps=3, warmup=1)


@run("t_resnet18_bs4")
def _(name):
    record(name, trainer(network("resnet18"), on_device(size=4)), steps=8)


@run("t_memory_profiled")
def _(name):
    record(name, trainer(resnet50, on_device()), steps=2, profile_memory=True, with_stack=True)


@run("t_bs32")
def _(name):
    record(name, trainer(resnet50, on_device(size=32)))


@run("t_retry")
def _(name):
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(0.08)
    mib, calls = 1024 * 1024, iter(range(100))

    def step():
        call = next(calls)
        small = [torch.randn(64 * mib + mib * ((call * 7 + i * 5) % 23), device=DEVICE) for i in range(12)]
        sum(values.sum() for values in small)
        del small
        torch.randn(450 * mib + mib * (call % 17), device=DEVICE).mul_(2)

    record(name, step, steps=6)
