# SPDX-License-Identifier: Apache-2.0
"""Training and decoding of a language model, healthy and with one fault each."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import profile

from recorder import BOTH, DEVICE, OUT, record, run
from transformer import VOCABULARY, Transformer, trainer

torch.manual_seed(0)


@run("g_healthy")
def _(name):
    record(name, trainer(16, 1024), table=True)


@run("g_unfused_attention")
def _(name):
    record(name, trainer(16, 1024, fused=False))


@run("g_small")
def _(name):
    record(name, trainer(1, 64), steps=8)


@run("g_small_loop_adam")
def _(name):
    record(name, trainer(1, 64, optimizer={"foreach": False}))


@run("g_clip_items")
def _(name):
    def clip(model, loss):
        for parameter in model.parameters():
            if parameter.grad.abs().max() > 1:
                parameter.grad.clamp_(-1, 1)
        print(loss.item())

    record(name, trainer(4, 512, after=clip), steps=4)


@run("g_fp32")
def _(name):
    record(name, trainer(8, 1024, half=False), steps=4)


@run("g_graph")
def _(name):
    torch.cuda.empty_cache()
    model = Transformer().to(DEVICE).bfloat16()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True, capturable=True)
    tokens = torch.randint(0, VOCABULARY, (1, 64), device=DEVICE)

    def body():
        optimizer.zero_grad(set_to_none=False)
        F.cross_entropy(model(tokens).flatten(0, 1).float(), tokens.flatten()).backward()
        optimizer.step()

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            body()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body()
    record(name, graph.replay, steps=20)


@run("g_capture_in_window")
@torch.no_grad()
def _(name):
    model = Transformer(layers=4).to(DEVICE).bfloat16().eval()
    tokens = torch.randint(0, VOCABULARY, (1, 64), device=DEVICE)
    for _ in range(3):
        model(tokens)
    with profile(activities=BOTH) as profiler:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            model(tokens)
        for _ in range(40):
            graph.replay()
        torch.cuda.synchronize()
    profiler.export_chrome_trace(str(OUT / f"{name}.json.gz"))


@torch.no_grad()
def decode(name, layers, new_tokens, sample, **options):
    """Records the decoding of one sequence, operator by operator."""
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(n_layer=layers)).to(DEVICE).half().eval()
    tokens = torch.randint(0, 50000, (1, 32), device=DEVICE)
    settings = dict(max_new_tokens=new_tokens, do_sample=sample, pad_token_id=0, attention_mask=torch.ones_like(tokens))
    record(name, lambda: model.generate(tokens, **settings), warmup=1, **options)


@run("g_decode_hf")
def _(name):
    decode(name, 12, 12, True, steps=3)


@run("g_decode_stack")
def _(name):
    decode(name, 6, 6, False, steps=2, with_stack=True)


@run("g_cpu_forgotten")
def _(name):
    model = Transformer(layers=2, width=256, heads=4, vocabulary=2000)
    optimizer = torch.optim.AdamW(model.parameters())
    tokens = torch.randint(0, 2000, (4, 128))

    def step():
        optimizer.zero_grad()
        F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
        optimizer.step()

    record(name, step, steps=4)


@run("g_compile")
def _(name):
    layers = [nn.Sequential(nn.Linear(1024, 1024), nn.GELU(), nn.LayerNorm(1024)) for _ in range(4)]
    compiled = torch.compile(nn.Sequential(*layers).to(DEVICE))
    x = torch.randn(4096, 1024, device=DEVICE)
    record(name, lambda: compiled(x).sum().backward(), steps=6)


@run("g_recompile")
def _(name):
    model = nn.Sequential(nn.Linear(256, 256), nn.GELU(), nn.LayerNorm(256)).to(DEVICE)
    compiled, rows = torch.compile(model, dynamic=False), iter(range(65, 1000))
    torch._dynamo.config.cache_size_limit = 64
    record(name, lambda: compiled(torch.randn(next(rows), 256, device=DEVICE)).sum(), steps=4, warmup=1)
