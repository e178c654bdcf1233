# SPDX-License-Identifier: Apache-2.0
"""Loops of JAX, healthy and with one fault each."""
import os
import pathlib
import shutil

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy

OUT = pathlib.Path(os.environ["KDIAG_RECORDINGS"])
KEY = jax.random.PRNGKey(0)


def record(name, step, steps=6, warmup=3):
    """Records `steps` calls of `step`, which is given another number each time, to NAME.pb and NAME.trace.json.gz."""
    for number in range(warmup):
        jax.block_until_ready(step(number))
    folder = pathlib.Path("/tmp/kdiag_jax") / name
    jax.profiler.start_trace(str(folder))
    for number in range(steps):
        with jax.profiler.StepTraceAnnotation("train", step_num=number):
            out = step(100 + number)
    jax.block_until_ready(out)
    jax.profiler.stop_trace()
    for file in folder.rglob("*"):
        if file.is_file():
            ending = ".trace.json.gz" if file.name.endswith(".trace.json.gz") else file.suffix
            shutil.copy(file, OUT / (name + ending))


def weights(count, size, kind):
    """Random matrices."""
    return [jax.random.normal(jax.random.fold_in(KEY, i), (size, size), kind) * 0.01 for i in range(count)]


def loss(layers, x):
    """Of a stack of layers."""
    for layer in layers:
        x = jax.nn.gelu(x @ layer)
    return jnp.mean(x.astype(jnp.float32) ** 2)


layers, x = weights(8, 4096, jnp.bfloat16), jax.random.normal(KEY, (4096, 4096), jnp.bfloat16)
update = jax.jit(lambda layers, x: [w - 0.01 * d for w, d in zip(layers, jax.grad(loss)(layers, x))])


def healthy(_):
    """A step of training."""
    global layers
    layers = update(layers, x)
    return layers


def host_input(number):
    """A step whose input the host makes first."""
    global layers
    made = numpy.random.default_rng(number).standard_normal((4096, 4096), dtype=numpy.float32)
    for _ in range(3):
        made = numpy.sqrt(made * made + 1)
    layers = update(layers, jax.device_put(made).astype(jnp.bfloat16))
    return layers


small, rows = weights(6, 256, jnp.float32), jax.random.normal(KEY, (64, 256))
total = jax.jit(lambda a: jnp.tanh(a @ small[0]).sum())


def eager(_):
    """Operators one by one."""
    y = rows
    for weight in small:
        y = jnp.tanh(y @ weight) + 0.01 * jnp.sin(y)
    return y.sum()


def sync(_):
    """A value is read behind each operator."""
    y = rows
    for weight in small:
        y = jnp.tanh(y @ weight)
        float(y.sum())
    return y


record("j_healthy", healthy, steps=10)
record("j_host_input", host_input, steps=4, warmup=1)
record("j_eager", eager, steps=10)
record("j_recompile", lambda number: total(jnp.ones((32 + number, 256))), steps=4, warmup=1)
record("j_sync", sync, steps=10)
