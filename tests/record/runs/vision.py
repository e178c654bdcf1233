# SPDX-License-Identifier: Apache-2.0
"""Image models and their input: with one fault each and its repaired twin, or a look-alike of a fault."""
import itertools

import numpy
import timm
import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torch.utils.data import DataLoader, Dataset

from models import perceptron, squares_trainer
from recorder import DEVICE, run
from twins import healthy, twins


def half():
    return torch.autocast("cuda", dtype=torch.bfloat16)


def classifier(model, images, labels, after=None, layout=torch.contiguous_format):
    """A step of training; images may be a tensor or a function that makes one."""
    model = model.to(DEVICE).to(memory_format=layout).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

    def step():
        x = images() if callable(images) else images
        with half():
            loss = F.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if after:
            after(model)

    return step


def batch(count, size=224, layout=torch.contiguous_format):
    images = torch.randn(count, 3, size, size, device=DEVICE).contiguous(memory_format=layout)
    return images, torch.randint(0, 1000, (count,), device=DEVICE)


@run("b_scaler_item")
def _(name):
    # Look-alike: the loss and the norm are read once a step, behind everything, by a step that the device limits.
    def build(fixed):
        model = timm.create_model("vit_small_patch16_224").to(DEVICE).train()
        optimizer, scaler = torch.optim.AdamW(model.parameters(), lr=1e-5), torch.amp.GradScaler("cuda")
        (images, labels), count, seen = batch(256), itertools.count(), []

        def step():
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(images), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            if not fixed or next(count) % 50 == 49:
                seen.append((loss.item(), norm.item()))

        return step

    twins(name, build, steps=2)


@run("b_fasterrcnn")
def _(name):
    model = torchvision.models.detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None, min_size=480,
                                                                 max_size=640).to(DEVICE).eval()
    images = [torch.rand(3, 480, 640, device=DEVICE) for _ in range(8)]

    @torch.no_grad()
    def step():
        return [{key: value.cpu() for key, value in found.items()} for found in model(images)]

    healthy(name, step, steps=2)


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(*[layer for _ in range(2) for layer in (
            nn.GroupNorm(32, width), nn.SiLU(), nn.Conv2d(width, width, 3, padding=1))])

    def forward(self, x):
        return x + self.layers(x)


@run("b_unet_nchw")
def _(name):
    def build(fixed):
        layout = torch.channels_last if fixed else torch.contiguous_format
        model = nn.Sequential(nn.Conv2d(4, 256, 3, padding=1), *[Residual(256) for _ in range(6)],
                              nn.Conv2d(256, 4, 3, padding=1)).to(DEVICE, torch.float16).to(memory_format=layout)
        latent = torch.randn(32, 4, 64, 64, device=DEVICE, dtype=torch.float16).contiguous(memory_format=layout)
        noise = torch.randn_like(latent)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)

        def step():
            F.mse_loss(model(latent).float(), noise.float()).backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build, ok=True)


@run("b_conv3d_fp32")
def _(name):
    def build(fixed):
        torch.backends.cudnn.allow_tf32 = fixed
        widths = [1, 32, 64, 64, 64]
        model = nn.Sequential(*[layer for a, b in zip(widths, widths[1:]) for layer in (
            nn.Conv3d(a, b, 3, padding=1, bias=False), nn.BatchNorm3d(b), nn.ReLU())]).to(DEVICE)
        volume = torch.randn(2, 1, 64, 64, 64, device=DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)

        def step():
            model(volume).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    try:
        twins(name, build)
    finally:
        torch.backends.cudnn.allow_tf32 = True


@run("b_convnext")
def _(name):
    def build(fixed):
        layout = torch.channels_last if fixed else torch.contiguous_format
        return classifier(timm.create_model("convnext_tiny"), *batch(96, layout=layout), layout=layout)

    twins(name, build, steps=2, warmup=2, timed=3)


@run("b_fp32_images")
def _(name):
    def build(fixed):
        labels = torch.randint(0, 1000, (512,), device=DEVICE)
        there = torch.randint(0, 256, (512, 3, 224, 224), dtype=torch.uint8)
        there = (there if fixed else there.float().div_(255)).contiguous(memory_format=torch.channels_last).pin_memory()

        def images():
            here = there.to(DEVICE, non_blocking=True)
            return here.float().div_(255) if fixed else here

        return classifier(torchvision.models.resnet18(), images, labels, layout=torch.channels_last)

    twins(name, build, ok=True)


@run("b_nan_hooks")
def _(name):
    def build(fixed):
        model = timm.create_model("vit_small_patch16_224")

        def look(module, _, out):
            if torch.isnan(out).any():
                raise FloatingPointError(module)

        if not fixed:
            for module in model.modules():
                if not list(module.children()):
                    module.register_forward_hook(look)
        return classifier(model, *batch(96))

    twins(name, build, steps=2)


@run("b_ema_loop")
def _(name):
    def build(fixed):
        model = timm.create_model("vit_small_patch16_224").to(DEVICE)
        average = {key: value.detach().clone() for key, value in model.state_dict().items()}

        @torch.no_grad()
        def after(model):
            if fixed:
                torch._foreach_lerp_(list(average.values()), list(model.state_dict().values()), 0.001)
                return
            for key, value in model.state_dict().items():
                average[key].mul_(0.999).add_(value, alpha=0.001)

        return classifier(model, *batch(32), after)

    twins(name, build, steps=2, ok=True)


@run("b_cpu_preproc")
def _(name):
    def build(fixed):
        frames, labels = torch.randint(0, 256, (32, 3, 360, 640), dtype=torch.uint8), torch.randint(0, 1000, (32,), device=DEVICE)
        mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)

        def images():
            x = (frames.to(DEVICE) if fixed else frames).float() / 255
            x = F.interpolate(x, (224, 224), mode="bilinear", antialias=True)
            return ((x - mean.to(x.device)) / 0.225).to(DEVICE)

        return classifier(torchvision.models.resnet18(), images, labels)

    twins(name, build)


class Table(Dataset):
    """Rows of 40 features of 32 numbers: a dictionary of tensors, or one tensor."""

    def __init__(self, packed):
        self.rows, self.packed = numpy.random.rand(4096, 1280).astype(numpy.float32), packed

    def __len__(self):
        return 10_000_000

    def __getitem__(self, index):
        row = self.rows[index % 4096]
        if self.packed:
            return torch.from_numpy(row)
        return {f"feature{i}": torch.tensor(row[32 * i:32 * i + 32]) for i in range(40)}


@run("b_loader_dict")
def _(name):
    def build(fixed):
        rows = iter(DataLoader(Table(fixed), batch_size=512, num_workers=4, pin_memory=True))
        model = nn.Sequential(nn.Linear(1280, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 1)).to(DEVICE)
        optimizer = torch.optim.Adam(model.parameters(), fused=True)

        def step():
            x = next(rows)
            if fixed:
                x = x.to(DEVICE, non_blocking=True)
            else:
                x = torch.cat([x[f"feature{i}"].to(DEVICE, non_blocking=True) for i in range(40)], 1)
            model(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build, steps=4, warmup=8)


class Small(Dataset):
    def __init__(self):
        self.images = torch.randint(0, 256, (512, 3, 64, 64), dtype=torch.uint8)

    def __len__(self):
        return 512

    def __getitem__(self, index):
        return self.images[index], index % 10


@run("b_loader_respawn")
def _(name):
    # A step is an epoch of four batches.
    def build(fixed):
        loader = DataLoader(Small(), batch_size=128, shuffle=True, num_workers=6, pin_memory=True, persistent_workers=fixed)
        model = nn.Sequential(nn.Conv2d(3, 64, 3, 2), nn.ReLU(), nn.Conv2d(64, 128, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                              nn.Flatten(), nn.Linear(128, 10)).to(DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)

        def step():
            for images, labels in loader:
                images = images.to(DEVICE, non_blocking=True).float() / 255
                loss = F.cross_entropy(model(images), labels.to(DEVICE, non_blocking=True))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        return step

    twins(name, build, steps=2, warmup=1, timed=2, ok=True)


class Crops(Dataset):
    def __init__(self):
        self.images = numpy.random.randint(0, 256, (64, 3, 320, 320), dtype=numpy.uint8)

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        x, y = numpy.random.randint(0, 96, 2)
        crop = self.images[index % 64][:, y:y + 224, x:x + 224]
        return torch.from_numpy(numpy.ascontiguousarray(crop[:, :, ::-1])), index % 1000


@run("b_loader_ok")
def _(name):
    batches = iter(DataLoader(Crops(), batch_size=192, num_workers=10, pin_memory=True))
    model = torchvision.models.resnet50().to(DEVICE).to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, fused=True)

    def step():
        images, labels = next(batches)
        images = images.to(DEVICE, non_blocking=True).float().div_(255).contiguous(memory_format=torch.channels_last)
        with half():
            loss = F.cross_entropy(model(images), labels.to(DEVICE, non_blocking=True))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    healthy(name, step, steps=2, warmup=6)


@run("b_histograms")
def _(name):
    def build(fixed):
        def after(model):
            if not fixed:
                for parameter in model.parameters():
                    numpy.histogram(parameter.detach().cpu().numpy(), bins=64)

        return classifier(timm.create_model("mobilenetv3_small_100"), *batch(128), after)

    twins(name, build, steps=2, warmup=2, timed=3)


@run("b_host_busy_ok")
def _(name):
    # Look-alike: the host works 10 to 20 ms in each step, while the device has work in its queue.
    train, generator = squares_trainer(perceptron(), torch.randn(32768, 4096, device=DEVICE)), numpy.random.default_rng(0)

    def step():
        train()
        generator.permutation(600_000)

    healthy(name, step, steps=4, other=train)
