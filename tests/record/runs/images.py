# SPDX-License-Identifier: Apache-2.0
"""Training of image models with automatic mixed precision, healthy and with one fault each."""
import io

import numpy
import torch
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader, Dataset

from models import fused_adam
from recorder import DEVICE, record, run

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


def trainer(model, batch=None, half=torch.bfloat16):
    """A step of training on `batch`, or on the images and labels that it is called with."""
    model.to(DEVICE).train()
    optimizer = fused_adam(model)

    def step(images=None, labels=None):
        images, labels = batch if images is None else (images, labels)
        with torch.autocast("cuda", dtype=half):
            loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return step


def batch_of(count, size=224, channels_last=False):
    """Random images on the device, and their labels."""
    images = torch.randn(count, 3, size, size, device=DEVICE)
    if channels_last:
        images = images.contiguous(memory_format=torch.channels_last)
    return images, torch.randint(0, 1000, (count,), device=DEVICE)


def resnet50(channels_last=False):
    """A ResNet-50."""
    layout = torch.channels_last if channels_last else torch.contiguous_format
    return torchvision.models.resnet50().to(memory_format=layout)


def counted(step):
    """A step that is given its number, from one."""
    calls = iter(range(1, 1000))
    return lambda: step(next(calls))


class Photographs(Dataset):
    """Decodes and augments the same JPEG again and again, which takes the host some 8 ms."""

    def __init__(self):
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(numpy.random.randint(0, 255, (500, 500, 3), dtype=numpy.uint8)).save(file, "JPEG")
        self.bytes = file.getvalue()
        steps = torchvision.transforms
        self.augment = steps.Compose([steps.RandomResizedCrop(224), steps.RandomHorizontalFlip(),
                                      steps.ColorJitter(0.2, 0.2, 0.2), steps.ToTensor()])

    def __len__(self):
        return 100000

    def __getitem__(self, index):
        from PIL import Image

        return self.augment(Image.open(io.BytesIO(self.bytes)).convert("RGB")), index % 1000


@run("h_vit_loader2")
def _(name):
    import timm

    train = trainer(timm.create_model("vit_small_patch16_224", num_classes=1000))
    batches = iter(DataLoader(Photographs(), batch_size=128, num_workers=2, pin_memory=True))

    def step():
        images, labels = next(batches)
        train(images.to(DEVICE, non_blocking=True), labels.to(DEVICE, non_blocking=True))

    record(name, step, steps=4)


@run("h_vit_synthetic")
def _(name):
    import timm

    record(name, trainer(timm.create_model("vit_base_patch16_224", num_classes=1000), batch_of(192)), steps=4)


@run("h_resnet_nchw")
def _(name):
    record(name, trainer(resnet50(), batch_of(256), half=torch.float16), steps=3)


@run("h_resnet_nhwc")
def _(name):
    batch = batch_of(256, channels_last=True)
    record(name, trainer(resnet50(channels_last=True), batch, half=torch.float16), steps=3)


@run("h_benchmark_varied")
def _(name):
    torch.backends.cudnn.benchmark = True
    train = trainer(resnet50())
    record(name, counted(lambda number: train(*batch_of(32, 160 + 8 * number))), steps=4)
    torch.backends.cudnn.benchmark = False


@run("h_gradscaler")
def _(name):
    model = resnet50(channels_last=True).to(DEVICE).train()
    images, labels = batch_of(256, channels_last=True)
    optimizer, scaler = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), torch.amp.GradScaler()

    def step():
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    record(name, step, steps=4)


@run("h_sync_layers")
def _(name):
    model = resnet50()
    train = trainer(model, batch_of(128))
    for module in model.modules():
        if not list(module.children()):
            module.register_forward_hook(lambda *_: torch.cuda.synchronize())
    record(name, train, steps=3)


@run("h_pin_in_loop")
def _(name):
    train = trainer(torchvision.models.resnet18())
    there, labels, kept = torch.randn(256, 3, 224, 224), torch.randint(0, 1000, (256,), device=DEVICE), []

    def step():
        pinned = torch.empty(there.shape, pin_memory=True)
        kept.append(pinned)
        del kept[:-2]
        torch._C._host_emptyCache()
        pinned.copy_(there)
        train(pinned.to(DEVICE, non_blocking=True), labels)

    record(name, step, steps=4)


@run("h_segment_metrics")
def _(name):
    model = torchvision.models.segmentation.fcn_resnet50(num_classes=21, weights=None, weights_backbone=None)
    model = model.to(DEVICE).train()
    images = torch.randn(16, 3, 320, 320, device=DEVICE)
    truth = torch.randint(0, 21, (16, 320, 320), device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def overlaps(predicted, true):
        """Intersection over union of each class, on the host."""
        return [((predicted == kind) & (true == kind)).sum() / max(1, ((predicted == kind) | (true == kind)).sum())
                for kind in range(21)]

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(images)["out"]
        loss = F.cross_entropy(out.float(), truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        overlaps(out.detach().float().cpu().numpy().argmax(1), truth.cpu().numpy())

    record(name, step, steps=3)


@run("h_validation_phase")
def _(name):
    model, (images, labels) = resnet50(channels_last=True), batch_of(192, channels_last=True)
    train = trainer(model, (images, labels))

    def validate():
        model.eval()
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
            model(images).argmax(1).eq(labels).sum()
        model.train()

    record(name, counted(lambda number: validate() if number > 9 else train()), steps=8)


@run("h_checkpoint_often")
def _(name):
    model = resnet50(channels_last=True)
    train = trainer(model, batch_of(192, channels_last=True))

    def step(number):
        train()
        if number % 2 == 0:
            torch.save(model.state_dict(), "/tmp/checkpoint.pt")

    record(name, counted(step), steps=6)


@run("h_fp64_loss")
def _(name):
    model, images = torchvision.models.resnet18().to(DEVICE).train(), batch_of(256)[0]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    bank = torch.randn(8192, 1000, device=DEVICE, dtype=torch.float64)

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(images)
        distances = torch.cdist(out.double(), bank)
        weights = (out.double() @ bank.t()).softmax(-1)
        loss = (distances * weights).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    record(name, step, steps=4)


@run("h_dali_like_uint8")
def _(name):
    # Healthy: bytes from pinned memory, fetched ahead on a stream of their own, normalised on the device.
    train = trainer(resnet50(channels_last=True))
    there = torch.randint(0, 255, (256, 3, 224, 224), dtype=torch.uint8).pin_memory()
    labels, side, fetched = torch.randint(0, 1000, (256,), device=DEVICE), torch.cuda.Stream(), []

    def fetch():
        with torch.cuda.stream(side):
            fetched.append(there.to(DEVICE, non_blocking=True))

    def step():
        torch.cuda.current_stream().wait_stream(side)
        images = fetched.pop()
        images.record_stream(torch.cuda.current_stream())
        fetch()
        train(images.float().div_(255).contiguous(memory_format=torch.channels_last), labels)

    fetch()
    record(name, step, steps=4)
