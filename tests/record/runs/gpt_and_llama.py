# SPDX-License-Identifier: Apache-2.0
"""Training and decoding of models of the transformers library, healthy and with one fault each."""
import collections
import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from models import fused_adam, gpt, llama, trainer
from recorder import DEVICE, record, run

torch.backends.cuda.matmul.allow_tf32 = True


def tokens_of(batch, length, vocabulary):
    """Random tokens."""
    return torch.randint(0, vocabulary, (batch, length), device=DEVICE)


def language_trainer(model, batch=16, length=1024, vocabulary=50304, after=None, attention=None):
    """A step of training; `after` is called with the tokens and the loss, `attention` names the library's backend."""
    tokens = tokens_of(batch, length, vocabulary)

    def loss_of():
        with sdpa_kernel(attention) if attention else contextlib.nullcontext():
            return model(tokens, labels=tokens, use_cache=False).loss

    return trainer(loss_of, fused_adam(model), after and (lambda loss: after(tokens, loss)))


@run("h_lm_healthy")
def _(name):
    record(name, language_trainer(gpt()), steps=3)


@run("h_lm_item_harmless")
def _(name):
    record(name, language_trainer(gpt(), after=lambda _, loss: loss.item()), steps=3)


@run("h_lm_math_attention")
def _(name):
    record(name, language_trainer(gpt(), batch=8, attention=SDPBackend.MATH), steps=3)


@run("h_lm_token_counter")
def _(name):
    count = lambda tokens, _: collections.Counter(tokens.flatten().tolist() * 8)
    record(name, language_trainer(gpt(), after=count), steps=3)


@run("h_lm_big_vocabulary")
def _(name):
    record(name, language_trainer(gpt(layers=2, vocabulary=131072), batch=12, vocabulary=131072), steps=3)


@run("h_lm_checkpointing")
def _(name):
    model = gpt()
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    record(name, language_trainer(model), steps=3)


@run("h_lm_norm_loop")
def _(name):
    model = gpt(layers=24, width=512, heads=8)

    def clip(*_):
        total = sum(parameter.grad.norm().item() ** 2 for parameter in model.parameters())
        scale = min(1.0, 1.0 / (total**0.5 + 1e-6))
        for parameter in model.parameters():
            parameter.grad.mul_(scale)

    record(name, language_trainer(model, batch=2, length=256, after=clip), steps=3)


@run("h_lm_cpu_adam")
def _(name):
    model, tokens = gpt(layers=6), tokens_of(8, 1024, 50304)
    masters = [p.detach().float().cpu().clone().requires_grad_() for p in model.parameters()]
    optimizer = torch.optim.AdamW(masters, lr=1e-4)

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(tokens, labels=tokens, use_cache=False).loss
        loss.backward()
        for parameter, master in zip(model.parameters(), masters):
            master.grad, parameter.grad = parameter.grad.cpu(), None
        optimizer.step()
        with torch.no_grad():
            for parameter, master in zip(model.parameters(), masters):
                parameter.copy_(master)

    record(name, step, steps=3)


class BranchingBlock(nn.Module):
    """A feed-forward layer with a branch on a value, which breaks the graph of the compiler."""

    def __init__(self):
        super().__init__()
        self.wide, self.narrow = nn.Linear(512, 2048), nn.Linear(2048, 512)

    def forward(self, x):
        """Vectors of 512."""
        y = self.narrow(F.gelu(self.wide(x)))
        if y.abs().mean() > 1e9:
            y = y * 2
        return x + y


@run("h_lm_graph_break")
def _(name):
    model = torch.compile(nn.Sequential(*[BranchingBlock() for _ in range(16)]).to(DEVICE))
    x = torch.randn(64, 128, 512, device=DEVICE)
    record(name, trainer(lambda: model(x).square().mean(), fused_adam(model)), steps=4, warmup=5)


@run("h_llama_decode_eager")
@torch.no_grad()
def _(name):
    model, tokens = llama(), tokens_of(1, 64, 32000)
    settings = dict(max_new_tokens=12, min_new_tokens=12, do_sample=False, pad_token_id=0)
    record(name, lambda: model.generate(tokens, **settings), steps=3)


@run("h_llama_prefill")
@torch.no_grad()
def _(name):
    model, tokens = llama(), tokens_of(16, 1024, 32000)
    record(name, lambda: model(tokens, use_cache=False), steps=4)


@run("h_llama_decode_graph")
@torch.no_grad()
def _(name):
    layers = [layer.mlp for layer in llama().model.layers]
    vectors = torch.randn(32, 1, 1024, device=DEVICE, dtype=torch.bfloat16)

    def forward():
        x = vectors
        for layer in layers:
            x = x + layer(x)
        return x

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        forward()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = forward()

    def step():
        for _ in range(20):
            graph.replay()
        out.sum().item()

    record(name, step, steps=5)


@run("h_lora")
def _(name):
    from peft import LoraConfig, get_peft_model

    model = get_peft_model(llama().train(), LoraConfig(r=8, target_modules=["q_proj", "v_proj"]))
    tokens = tokens_of(1, 128, 32000)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)

    def step():
        model(input_ids=tokens, labels=tokens, use_cache=False).loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    record(name, step, steps=3)


@run("h_lm_compiled_healthy")
def _(name):
    record(name, language_trainer(torch.compile(gpt(layers=6)), batch=24), steps=3, warmup=5)
