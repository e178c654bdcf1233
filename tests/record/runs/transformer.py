# SPDX-License-Identifier: Apache-2.0
"""A transformer of the size of GPT-2, and a step of its training."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from recorder import DEVICE

VOCABULARY = 32000


class Block(nn.Module):
    """Attention and a feed-forward layer; attention is the library's, or written out."""

    def __init__(self, width, heads, fused):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attention(self, query, key, value):
        """Causal attention."""
        if self.fused:
            return F.scaled_dot_product_attention(query, key, value, is_causal=True)
        length = query.shape[-2]
        weights = (query @ key.transpose(-2, -1)) / math.sqrt(query.shape[-1])
        future = torch.ones(length, length, device=query.device, dtype=torch.bool).triu(1)
        return F.dropout(weights.masked_fill(future, float("-inf")).softmax(-1), 0.1) @ value

    def forward(self, x):
        """Tokens by batch, length and width."""
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        x = x + self.out(self.attention(*parts).transpose(1, 2).reshape(batch, length, width))
        return x + self.feed(self.norm2(x))


class Transformer(nn.Module):
    """Logits of the next token."""

    def __init__(self, layers=12, width=768, heads=12, fused=True, vocabulary=VOCABULARY):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(4096, width)
        self.blocks = nn.ModuleList(Block(width, heads, fused) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        """Tokens by batch and length."""
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x))


def trainer(batch, length, half=True, optimizer=None, after=None, **shape):
    """A step of training; `after` runs between the backward pass and the optimizer, with the model and its loss."""
    model = Transformer(**shape).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, **(optimizer or {"fused": True}))
    tokens = torch.randint(0, VOCABULARY, (batch, length), device=DEVICE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=half):
            loss = F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
        loss.backward()
        if after:
            after(model, loss)
        optimizer.step()

    return step
