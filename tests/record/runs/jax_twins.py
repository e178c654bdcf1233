# SPDX-License-Identifier: Apache-2.0
"""Loops of JAX: with one fault each and its repaired twin, or a look-alike of a fault."""
import os
import pathlib
import shutil
import time
import traceback

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy
import optax

OUT = pathlib.Path(os.environ["KDIAG_RECORDINGS"])
KEY = jax.random.PRNGKey(0)


def log(line):
    print(line, flush=True)
    with open(OUT / "log.txt", "a", encoding="utf-8") as file:
        print(line, file=file)


def milliseconds(step, steps=4, warmup=2):
    for _ in range(warmup):
        jax.block_until_ready(step())
    start = time.perf_counter()
    for _ in range(steps):
        out = step()
    jax.block_until_ready(out)
    return (time.perf_counter() - start) / steps * 1e3


def record(name, step, steps=4):
    folder = pathlib.Path("/tmp/kdiag_jax_twins") / name
    shutil.rmtree(folder, ignore_errors=True)
    jax.profiler.start_trace(str(folder))
    for number in range(steps):
        with jax.profiler.StepTraceAnnotation("train", step_num=number):
            out = step()
    jax.block_until_ready(out)
    jax.profiler.stop_trace()
    for file in folder.rglob("*"):
        if file.is_file():
            ending = ".trace.json.gz" if file.name.endswith(".trace.json.gz") else "".join(file.suffixes[-2:])
            shutil.copy(file, OUT / (name + ending))


def run(name):
    """Decorates a function that makes the step, and its twin when called with True."""

    def start(build):
        try:
            step = build(False)
            before = milliseconds(step)
            log(f"{name}: {before:.2f} ms a step")
            record(name, step)
            twin = build(True)
            after = milliseconds(twin)
            log(f"{name}: {before:.2f} ms a step; repaired, or the other way {after:.2f} ms")
        except Exception as error:  # pylint: disable=broad-except
            log(f"{name}: FAILED, {error!r}")
            traceback.print_exc()

    return start


def weights(count, size, kind):
    return [jax.random.normal(jax.random.fold_in(KEY, i), (size, size), kind) * 0.01 for i in range(count)]


def loss_of(layers, x):
    for layer in layers:
        x = jax.nn.gelu(x @ layer)
    return jnp.mean(x.astype(jnp.float32) ** 2)


def adam_step(layers, x, reads=0, donate=(0, 1)):
    """A step of training with Optax; `reads` metrics are read one by one."""
    optimizer = optax.adam(1e-4)

    def update(layers, state, x):
        value, gradients = jax.value_and_grad(loss_of)(layers, x)
        changes, state = optimizer.update(gradients, state, layers)
        return optax.apply_updates(layers, changes), state, {f"norm{i}": jnp.linalg.norm(gradients[i % len(gradients)]) + i
                                                             for i in range(reads or 1)} | {"loss": value}

    compiled, now = jax.jit(update, donate_argnums=donate), [[jnp.copy(w) for w in layers], optimizer.init(layers)]

    def step():
        now[0], now[1], metrics = compiled(now[0], now[1], x)
        if reads:
            return {key: float(value) for key, value in metrics.items()}
        return metrics

    return step


@run("b_jax_float_ok")
def _(fixed):
    # Look-alike: the loss of a large step is read in each step.
    step = adam_step(weights(8, 4096, jnp.bfloat16), jax.random.normal(KEY, (16384, 4096), jnp.bfloat16))
    return step if fixed else lambda: float(step()["loss"])


@run("b_jax_metrics")
def _(fixed):
    # 64 metrics are read one by one behind a small step.
    return adam_step(weights(8, 512, jnp.float32), jax.random.normal(KEY, (512, 512)), reads=0 if fixed else 64)


@run("b_jax_highest")
def _(fixed):
    layers, x = weights(6, 4096, jnp.float32), jax.random.normal(KEY, (4096, 4096))
    update = jax.jit(lambda layers, x: [w - 0.01 * d for w, d in zip(layers, jax.grad(loss_of)(layers, x))])

    def step():
        with jax.default_matmul_precision("default" if fixed else "highest"):
            return update(layers, x)

    return step


@run("b_jax_decode_loop")
def _(fixed):
    layers, x = weights(12, 1024, jnp.bfloat16), jax.random.normal(KEY, (8, 1024), jnp.bfloat16)

    def token(x):
        for layer in layers:
            x = x + jax.nn.gelu(x @ layer)
        return x / (1 + jnp.abs(x).max())

    one, all_of_them = jax.jit(token), jax.jit(lambda x: jax.lax.fori_loop(0, 64, lambda _, y: token(y), x))

    def step():
        if fixed:
            return all_of_them(x)
        y = x
        for _ in range(64):
            y = one(y)
            numpy.asarray(y[0, 0])  # is it the last token?
        return y

    return step


@run("b_jax_no_donation_ok")
def _(fixed):
    # Look-alike: parameters are not donated, which costs memory and next to no time.
    return adam_step(weights(12, 4096, jnp.float32), jax.random.normal(KEY, (4096, 4096)), donate=(0, 1) if fixed else ())
