# SPDX-License-Identifier: Apache-2.0
"""What other recorders write: stacks, an execution trace, ONNX Runtime's profile, Lightning's profiler."""
import pathlib
import shutil

import numpy
import torch
import torchvision
from torch import nn

from recorder import DEVICE, OUT, log, record, run


def resnet18_on_eight():
    """A network and its input."""
    return torchvision.models.resnet18().to(DEVICE), torch.randn(8, 3, 224, 224, device=DEVICE)


@run("h_with_stack")
def _(name):
    model, images = resnet18_on_eight()

    def helper():
        return model(images).sum().item()

    record(name, helper, steps=2, with_stack=True, with_modules=True, profile_memory=True)


@run("h_execution_trace")
def _(name):
    from torch.profiler import ExecutionTraceObserver

    model, images = resnet18_on_eight()
    observer = ExecutionTraceObserver()
    observer.register_callback(str(OUT / f"{name}.et.json"))
    observer.start()
    model(images).sum().backward()
    observer.stop()
    observer.unregister_callback()


@run("h_onnxruntime")
def _(name):
    import onnxruntime

    images, file = torch.randn(1, 3, 224, 224), "/tmp/kdiag_model.onnx"
    torch.onnx.export(torchvision.models.resnet18().eval(), (images,), file, dynamo=False)
    options, providers = onnxruntime.SessionOptions(), onnxruntime.get_available_providers()
    options.enable_profiling, options.profile_file_prefix = True, "/tmp/kdiag_onnxruntime"
    session = onnxruntime.InferenceSession(file, options, providers=providers)
    for _ in range(5):
        session.run(None, {session.get_inputs()[0].name: images.numpy().astype(numpy.float32)})
    shutil.copy(session.end_profiling(), OUT / f"{name}.json")
    log(f"{name}: {providers}")


@run("h_lightning")
def _(name):
    import lightning
    from lightning.pytorch.profilers import PyTorchProfiler
    from torch.utils.data import DataLoader, TensorDataset

    class Classifier(lightning.LightningModule):
        """Logs a loss and a value of a weight, which it reads, in each step."""

        def __init__(self):
            super().__init__()
            self.model = torchvision.models.resnet18()

        def training_step(self, batch, _):
            loss = nn.functional.cross_entropy(self.model(batch[0]), batch[1])
            self.log("loss", loss, prog_bar=True, on_step=True)
            self.log("weights", self.model.fc.weight.sum().item())
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters())

    images = TensorDataset(torch.randn(512, 3, 224, 224), torch.randint(0, 1000, (512,)))
    folder = pathlib.Path("/tmp/kdiag_lightning")
    profiler = PyTorchProfiler(dirpath=folder, filename="run", export_to_chrome=True)
    trainer = lightning.Trainer(max_steps=12, profiler=profiler, accelerator="gpu", devices=1, logger=False,
                                enable_checkpointing=False, enable_progress_bar=False)
    trainer.fit(Classifier(), DataLoader(images, batch_size=32))
    for file in folder.glob("*.json*"):
        shutil.copy(file, OUT / f"{name}.{file.name.rsplit('.pt.', 1)[-1]}")
