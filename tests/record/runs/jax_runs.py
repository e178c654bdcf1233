# SPDX-License-Identifier: Apache-2.0
"""Loops of JAX, healthy and with one fault each."""
import os
import pathlib
import shutil
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy

OUT = pathlib.Path(os.environ["KDIAG_RECORDINGS"])
KEY = jax.random.PRNGKey(0)


def log_clock(name, step):
    """Writes the time of a step without the profiler to the log that comes with the recordings."""
    start = time.perf_counter()
    for number in range(3):
        jax.block_until_ready(step(number))
    line = f"{name}: {(time.perf_counter() - start) / 3 * 1e3:.2f} ms a step without the profiler"
    print(line, flush=True)
    with open(OUT / "log.txt", "a", encoding="utf-8") as file:
        print(line, file=file)


def record(name, step, steps=6, warmup=3, timed=False):
    """Records `steps` calls of `step`, which is given another number each time, to NAME.pb and NAME.trace.json.gz."""
    for number in range(warmup):
        jax.block_until_ready(step(number))
    if timed:
        log_clock(name, step)
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


def waited(name, function, *arguments, steps=5):
    """Records steps each of which waits for its result."""
    record(name, lambda _: jax.block_until_ready(function(*arguments)), steps, timed=True)


def uploaded():
    """A product of 268 MB of the host's memory."""
    return batch_total(jax.device_put(pageable))


def sorted_on_host(matrix):
    """A product that the host sorts within the program."""
    sort = lambda values: numpy.sort(numpy.asarray(values), axis=-1)
    return jax.pure_callback(sort, jax.ShapeDtypeStruct(matrix.shape, matrix.dtype), matrix @ matrix).sum()


def recurrent(weight, rows):
    """512 small products, each of the one before."""

    def advance(hidden, row):
        hidden = jnp.tanh(hidden @ weight + row)
        return hidden, hidden

    return jax.lax.scan(advance, rows[0], rows)[1].sum()


def unjitted_trainer():
    """A step of training with Flax and Optax, operator by operator."""
    import flax.linen
    import optax

    class Layers(flax.linen.Module):
        """Six dense layers, each normalised."""

        @flax.linen.compact
        def __call__(self, x):
            for _ in range(6):
                x = flax.linen.LayerNorm()(flax.linen.relu(flax.linen.Dense(256)(x)))
            return x

    network, x, optimizer = Layers(), jnp.ones((64, 256)), optax.adam(1e-3)
    values = network.init(KEY, x)
    state = optimizer.init(values)

    def step():
        gradients = jax.grad(lambda tried: (network.apply(tried, x) ** 2).mean())(values)
        return optax.apply_updates(values, optimizer.update(gradients, state)[0])

    return step


batch_total = jax.jit(lambda matrices: (matrices @ matrices).sum())
pageable = numpy.random.randn(64, 1024, 1024).astype(numpy.float32)
doubled = jax.jit(lambda matrix: matrix * 2 + 1)

record("j_healthy", healthy, steps=10)
record("j_host_input", host_input, steps=4, warmup=1)
record("j_eager", eager, steps=10)
record("j_recompile", lambda number: total(jnp.ones((32 + number, 256))), steps=4, warmup=1)
record("j_sync", sync, steps=10)
waited("h_jax_healthy", update, layers, jax.random.normal(KEY, (8192, 4096), jnp.bfloat16))
waited("h_jax_put", uploaded)
waited("h_jax_callback", jax.jit(sorted_on_host), jax.random.normal(KEY, (2048, 2048)))
result = jax.random.normal(KEY, (8192, 8192))
record("h_jax_get", lambda _: numpy.asarray(doubled(result)).mean(), steps=5, timed=True)
waited("h_jax_scan_small", jax.jit(recurrent), jax.random.normal(KEY, (256, 256)) * 0.05,
       jax.random.normal(KEY, (512, 64, 256)))
waited("h_jax_unjitted", unjitted_trainer(), steps=2)
