# SPDX-License-Identifier: Apache-2.0
"""Language models, training and decoding: with one fault each and its repaired twin, or a look-alike of a fault."""
import time

import numpy
import torch
import torch.nn.functional as F
import transformers
from torch import nn
from torch.profiler import profile, schedule
from transformers import AutoModel, BertConfig, GPT2Config, GPT2LMHeadModel

from models import fused_adam, gpt, trainer
from recorder import BOTH, DEVICE, OUT, log, run
from twins import healthy, twins


def half():
    return torch.autocast("cuda", dtype=torch.bfloat16)


def bert(kind="sdpa", layers=12, positions=512, **options):
    config = BertConfig(num_hidden_layers=layers, max_position_embeddings=positions, hidden_dropout_prob=0.0,
                        attention_probs_dropout_prob=0.0, **options)
    return AutoModel.from_config(config, attn_implementation=kind).to(DEVICE).train()


@run("b_attn_outputs")
def _(name):
    def build(fixed):
        model = bert("sdpa" if fixed else "eager", layers=6, positions=1024)
        tokens = torch.randint(0, 30522, (16, 1024), device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

        def step():
            with half():
                out = model(input_ids=tokens, output_attentions=not fixed)
                loss = out.last_hidden_state.float().square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build, ok=True)


class Causal(nn.Module):
    """Attention with a mask that each layer makes for itself, or the causal one of the library."""

    def __init__(self, width, heads, masked):
        super().__init__()
        self.qkv, self.out, self.heads, self.masked = nn.Linear(width, 3 * width), nn.Linear(width, width), heads, masked

    def forward(self, x):
        count, length, width = x.shape
        q, k, v = self.qkv(x).view(count, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        if self.masked:
            mask = torch.full((length, length), float("-inf"), device=x.device).triu(1)
            mask = mask[None, None].expand(count, self.heads, length, length).contiguous()
            mask = mask + torch.zeros(count, 1, 1, length, device=x.device)
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
        else:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(count, length, width))


@run("b_mask_fp32")
def _(name):
    def build(fixed):
        with DEVICE:
            model = nn.Sequential(*[Causal(1024, 16, not fixed) for _ in range(4)]).bfloat16()
        x = torch.randn(8, 2048, 1024, device=DEVICE, dtype=torch.bfloat16)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

        def step():
            model(x).float().square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step

    twins(name, build)


@run("b_decode_cat")
def _(name):
    count, heads, past, size, layers, new = 16, 16, 4096, 64, 12, 6

    @torch.no_grad()
    def build(fixed):
        with DEVICE:
            blocks = [(nn.Linear(1024, 3072).bfloat16(), nn.Linear(1024, 1024).bfloat16()) for _ in range(layers)]
            shape = (count, heads, past + (new if fixed else 0), size)
            kept = [[torch.randn(shape, dtype=torch.bfloat16) for _ in range(2)] for _ in range(layers)]
            start = torch.randn(count, 1, 1024, dtype=torch.bfloat16)

        @torch.no_grad()
        def step():
            cache = [list(pair) for pair in kept]
            for token in range(new):
                x = start
                for (qkv, out), pair in zip(blocks, cache):
                    q, k, v = qkv(x).view(count, 1, 3, heads, size).permute(2, 0, 3, 1, 4)
                    if fixed:
                        at = past + token
                        pair[0][:, :, at:at + 1], pair[1][:, :, at:at + 1] = k, v
                        k, v = pair[0][:, :, :at + 1], pair[1][:, :, :at + 1]
                    else:
                        pair[:] = torch.cat([pair[0], k], 2), torch.cat([pair[1], v], 2)
                        k, v = pair
                    y = F.scaled_dot_product_attention(q, k, v)
                    x = x + out(y.transpose(1, 2).reshape(count, 1, 1024))

        return step

    twins(name, build, ok=True)


@run("b_sample_host")
def _(name):
    vocabulary = 128256

    def build(fixed):
        with DEVICE:
            model = nn.Sequential(nn.Embedding(vocabulary, 2048), *[layer for _ in range(8) for layer in (
                nn.Linear(2048, 8192), nn.GELU(), nn.Linear(8192, 2048), nn.LayerNorm(2048))],
                nn.Linear(2048, vocabulary)).bfloat16().eval()
        first, generator = torch.randint(0, vocabulary, (16,), device=DEVICE), numpy.random.default_rng(0)

        @torch.no_grad()
        def step():
            tokens = first
            for _ in range(3):
                logits = model(tokens).float() / 0.8
                if fixed:
                    tokens = torch.multinomial(logits.softmax(-1), 1)[:, 0]
                else:
                    rows = logits.cpu().numpy()
                    rows = numpy.exp(rows - rows.max(-1, keepdims=True)).astype(numpy.float64)
                    rows /= rows.sum(-1, keepdims=True)
                    tokens = torch.tensor([generator.choice(vocabulary, p=row) for row in rows], device=DEVICE)

        return step

    twins(name, build, warmup=2, ok=True)


class Gated(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        return x + self.down(F.silu(self.gate(x)) * self.up(x))


@run("b_autocast_decode")
def _(name):
    def build(fixed):
        with DEVICE:
            model = nn.Sequential(*[Gated(4096, 14336) for _ in range(8)]).eval()
        model = model.bfloat16() if fixed else model
        x = torch.randn(4, 4096, device=DEVICE, dtype=torch.bfloat16 if fixed else torch.float32)

        @torch.no_grad()
        def step():
            for _ in range(4):
                with half():
                    model(x)

        return step

    twins(name, build)


@run("b_accum_step")
def _(name):
    def build(fixed):
        config = GPT2Config(n_layer=6, n_embd=2048, n_head=16, vocab_size=50304, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)
        with DEVICE:
            model = GPT2LMHeadModel(config).to(DEVICE).train()
        tokens = torch.randint(0, 50304, (1, 256), device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)

        def step():
            for micro in range(4):
                with half():
                    loss = model(tokens, labels=tokens, use_cache=False).loss / 4
                loss.backward()
                if not fixed or micro == 3:
                    optimizer.step()
                    optimizer.zero_grad()

        return step

    twins(name, build, steps=2)


@run("b_mlm_mask")
def _(name):
    # Look-alike: the rows that are masked are selected, which waits for the device once; the step is large.
    model, head = bert(), nn.Linear(768, 30522).to(DEVICE)
    optimizer = torch.optim.AdamW([*model.parameters(), *head.parameters()], lr=1e-5, fused=True)
    tokens = torch.randint(0, 30522, (64, 512), device=DEVICE)
    labels = torch.where(torch.rand(64, 512, device=DEVICE) < 0.15, tokens, -100)
    rows = (labels != -100).flatten().nonzero()[:, 0]

    def step(fixed=False):
        with half():
            hidden = model(input_ids=tokens).last_hidden_state
            chosen = labels != -100
            if fixed:
                logits, truth = head(hidden.flatten(0, 1)[rows]), labels.flatten()[rows]
            else:
                logits, truth = head(hidden[chosen]), labels[chosen]
            loss = F.cross_entropy(logits, truth)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    healthy(name, step, steps=2, other=lambda: step(True))


@run("b_padded")
def _(name):
    # Three of four tokens are padding, which no recording shows.
    with DEVICE:
        layer = nn.TransformerEncoderLayer(768, 12, 3072, dropout=0.0, batch_first=True, norm_first=True)
        model = nn.TransformerEncoder(layer, 6, enable_nested_tensor=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    lengths = torch.randint(32, 256, (64,), device=DEVICE)
    x = torch.randn(64, 512, 768, device=DEVICE)

    def step(length=512):
        padded = torch.arange(length, device=DEVICE)[None] >= lengths[:, None]
        with half():
            out = model(x[:, :length], src_key_padding_mask=padded)
            loss = (out.float().square() * ~padded[..., None]).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    healthy(name, step, other=lambda: step(256))


@run("b_flash_long_ok")
def _(name):
    with DEVICE:
        model = nn.Sequential(*[Causal(2048, 16, False) for _ in range(2)]).bfloat16()
    x = torch.randn(1, 24576, 2048, device=DEVICE, dtype=torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

    def step():
        model(x).float().square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    healthy(name, step, table=True)


@run("b_offload")
def _(name):
    def build(fixed):
        with DEVICE:
            models = [nn.Sequential(*[layer for _ in range(24) for layer in (nn.Linear(2048, 2048), nn.GELU())]).half()
                      for _ in range(2)]
        x = torch.randn(4096, 2048, device=DEVICE, dtype=torch.float16)

        @torch.no_grad()
        def step():
            y = x
            for model in models:
                if not fixed:
                    model.to(DEVICE)
                y = model(y)
                if not fixed:
                    model.to("cpu")

        return step

    twins(name, build, steps=2, warmup=2, timed=2)


@run("b_pageable_tokens_ok")
def _(name):
    # Look-alike: tokens come from pageable memory, 131 kB for a step of 80 ms, and the loss is printed.
    model, there = gpt(), torch.randint(0, 50304, (16, 1024))
    here, optimizer = there.to(DEVICE), fused_adam(model)
    step = trainer(lambda: model(here, labels=here, use_cache=False).loss, optimizer)

    def loss_of():
        tokens = there.to(DEVICE)
        return model(tokens, labels=tokens, use_cache=False).loss

    healthy(name, trainer(loss_of, optimizer, lambda loss: print(f"loss {loss.item():.3f}")), steps=2, other=step)


@run("b_hf_trainer")
def _(name):
    config = transformers.BertConfig(hidden_size=256, num_hidden_layers=6, num_attention_heads=4, intermediate_size=1024,
                                     vocab_size=30522)
    model = transformers.BertForSequenceClassification(config)
    generator = numpy.random.default_rng(0)
    rows = [{"input_ids": generator.integers(0, 30522, 128).tolist(), "attention_mask": [1] * 128, "labels": i % 2}
            for i in range(512)]
    settings = dict(activities=BOTH, record_shapes=True,
                    schedule=schedule(wait=6, warmup=1, active=3, repeat=1))
    clock = []
    with profile(**settings) as profiler:
        class Steps(transformers.TrainerCallback):
            def on_step_end(self, args, state, control, **kwargs):
                profiler.step()
                torch.cuda.synchronize() if state.global_step > 11 else None
                clock.append(time.perf_counter())

        arguments = transformers.TrainingArguments(output_dir="/tmp/kdiag_trainer", max_steps=16, report_to="none",
                                                   per_device_train_batch_size=32, logging_steps=1, save_strategy="no",
                                                   disable_tqdm=True, bf16=True)
        transformers.Trainer(model=model, args=arguments, train_dataset=rows, callbacks=[Steps()]).train()
    profiler.export_chrome_trace(str(OUT / f"{name}.json.gz"))
    log(f"{name}: {(clock[-1] - clock[-4]) / 3 * 1e3:.2f} ms a step, which waits for the device, without the profiler")
