# SPDX-License-Identifier: Apache-2.0
"""Networks that several programs train, and the step that trains them."""
import torch
from torch import nn

from recorder import DEVICE


def perceptron(width=4096, depth=8):
    """Linear layers with a ReLU behind each."""
    return nn.Sequential(*[layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())]).to(DEVICE)


def gpt(layers=12, width=768, heads=12, vocabulary=50304):
    """A GPT-2 without dropout."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    config = GPT2Config(n_layer=layers, n_embd=width, n_head=heads, vocab_size=vocabulary,
                        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)
    return GPT2LMHeadModel(config).to(DEVICE).train()


def llama(layers=16):
    """A small Llama in half precision, for inference."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=layers, num_attention_heads=16,
                         num_key_value_heads=4, vocab_size=32000, max_position_embeddings=2048)
    return LlamaForCausalLM(config).to(DEVICE).to(torch.bfloat16).eval()


def fused_adam(model, rate=1e-4):
    """AdamW in one kernel for many parameters."""
    return torch.optim.AdamW(model.parameters(), lr=rate, fused=True)


def trainer(loss_of, optimizer, after=None):
    """A step of training in half precision; `after` runs between the backward pass and the optimizer, with the loss."""

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = loss_of()
        loss.backward()
        if after:
            after(loss)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def squares_trainer(model, x):
    """A step that trains `model` to answer `x` with zeros."""
    return trainer(lambda: model(x).float().square().mean(), fused_adam(model, 1e-5))


def single_precision_trainer(model, x, optimizer):
    """The same in single precision, with `optimizer`; `x` makes the input."""

    def step():
        model(x()).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step
