// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/library_frames.hpp"

#include <algorithm>
#include <iterator>

namespace kdiag {
namespace {

// Parts of paths and of the texts that stand for code without a file. "/pytorch/torch/": a checkout of PyTorch.
// "<eval_with_key>": code that torch.fx generates.
constexpr std::string_view places[] = {"site-packages",  "dist-packages", "/lib/python", "/pytorch/torch/",
                                       "<frozen",        "<built-in",     "<string>",    "<__array_function__",
                                       "<eval_with_key>"};

// Folders, as the profiler leaves them of installed packages and of packages of the standard library. Sorted.
constexpr std::string_view packages[] = {"IPython",
                                         "accelerate",
                                         "aiohttp",
                                         "aiter",
                                         "apex",
                                         "asyncio",
                                         "bitsandbytes",
                                         "collections",
                                         "composer",
                                         "concurrent",
                                         "ctypes",
                                         "cupy",
                                         "datasets",
                                         "deepspeed",
                                         "diffusers",
                                         "einops",
                                         "email",
                                         "encodings",
                                         "fairscale",
                                         "fastapi",
                                         "flash_attn",
                                         "flashinfer",
                                         "flax",
                                         "functorch",
                                         "huggingface_hub",
                                         "importlib",
                                         "ipykernel",
                                         "jax",
                                         "jaxlib",
                                         "json",
                                         "keras",
                                         "lightning",
                                         "logging",
                                         "mmcv",
                                         "mmengine",
                                         "multiprocessing",
                                         "numba",
                                         "numpy",
                                         "optax",
                                         "optimum",
                                         "pandas",
                                         "peft",
                                         "pytorch_lightning",
                                         "ray",
                                         "safetensors",
                                         "scipy",
                                         "sentencepiece",
                                         "sglang",
                                         "sklearn",
                                         "starlette",
                                         "tensorboard",
                                         "tensorflow",
                                         "timm",
                                         "tokenizers",
                                         "torch",
                                         "torch_npu",
                                         "torch_xla",
                                         "torchaudio",
                                         "torchdata",
                                         "torchmetrics",
                                         "torchrec",
                                         "torchvision",
                                         "tornado",
                                         "tqdm",
                                         "traitlets",
                                         "transformer_engine",
                                         "transformers",
                                         "triton",
                                         "triton_kernels",
                                         "trl",
                                         "unittest",
                                         "urllib",
                                         "uvicorn",
                                         "vllm",
                                         "wandb",
                                         "xformers",
                                         "xml"};

// Modules of the standard library (and two that stand beside it) that appear on the stacks of training and serving
// scripts. Names that a script of one's own may have are left out: profile, trace, test, code, site. Sorted.
constexpr std::string_view modules[] = {"_collections_abc",
                                        "_weakrefset",
                                        "abc",
                                        "argparse",
                                        "ast",
                                        "bisect",
                                        "codecs",
                                        "colab_kernel_launcher",
                                        "contextlib",
                                        "copy",
                                        "copyreg",
                                        "dataclasses",
                                        "decimal",
                                        "dis",
                                        "enum",
                                        "fractions",
                                        "functools",
                                        "genericpath",
                                        "gzip",
                                        "hashlib",
                                        "heapq",
                                        "hmac",
                                        "inspect",
                                        "io",
                                        "linecache",
                                        "numbers",
                                        "operator",
                                        "os",
                                        "pathlib",
                                        "pdb",
                                        "pickle",
                                        "platform",
                                        "posixpath",
                                        "pprint",
                                        "queue",
                                        "random",
                                        "re",
                                        "reprlib",
                                        "runpy",
                                        "selectors",
                                        "shutil",
                                        "signal",
                                        "six",
                                        "socket",
                                        "socketserver",
                                        "ssl",
                                        "string",
                                        "struct",
                                        "subprocess",
                                        "tempfile",
                                        "textwrap",
                                        "threading",
                                        "tokenize",
                                        "traceback",
                                        "types",
                                        "typing",
                                        "typing_extensions",
                                        "uuid",
                                        "warnings",
                                        "weakref",
                                        "zipfile"};

// Modules of JAX whose names tell, where JAX runs: its profiler leaves no folders. What they call is JAX's, too,
// whatever its name (core, profiler, util). Sorted.
constexpr std::string_view modules_of_jax[] = {"api_util",       "array",     "array_methods", "lax_numpy",
                                               "pjit",           "pxla",      "reductions",    "sharding_impls",
                                               "traceback_util", "tree_util", "ufunc_api"};

bool listed(std::string_view name, const auto& names) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

static_assert(std::is_sorted(std::begin(packages), std::end(packages)));
static_assert(std::is_sorted(std::begin(modules), std::end(modules)));
static_assert(std::is_sorted(std::begin(modules_of_jax), std::end(modules_of_jax)));

/// Whether a file without a folder has one of the names.
bool is_module(std::string_view file, const auto& names) {
  return file.ends_with(".py") && listed(file.substr(0, file.size() - 3), names);
}

bool recorded_by_xla(const FactStore& store) { return store.text(column("runs.producer"), 0) == "XLA profiler"; }

/// The caller of the outermost module of JAX around a frame; the frame where there is none. A script of one's own may
/// have one of the names: two of them in a chain of calls are JAX, or one in a recording that XLA's profiler made.
std::uint32_t caller_of_jax(const FactStore& store, std::uint32_t frame) {
  const std::uint32_t innermost = frame;
  std::uint32_t caller = frame, module = absent_index;
  bool is_jax = recorded_by_xla(store);
  for (std::size_t guard = 0; frame != absent_index && guard <= store.rows(table("frames")); ++guard) {
    const std::uint32_t file = store.index(column("frames.file"), frame);
    const bool listed_module = file != absent_index && is_module(store.strings[file], modules_of_jax);
    frame = store.index(column("frames.parent"), frame);
    if (!listed_module) continue;
    caller = frame;
    is_jax = is_jax || (module != absent_index && module != file);
    module = file;
  }
  return is_jax ? caller : innermost;
}

}  // namespace

bool is_library_file(std::string_view file) {
  for (const std::string_view place : places)
    if (file.find(place) != std::string_view::npos) return true;
  // An absolute path that is in none of those places is a checkout: whoever profiles it works on it.
  const std::size_t cut = file.find('/');
  if (cut == 0) return false;
  if (cut != std::string_view::npos) {
    const std::string_view folder = file.substr(0, cut);
    return folder.starts_with("python3") || listed(folder, packages);
  }
  return is_module(file, modules);
}

std::uint32_t first_user_frame(const FactStore& store, std::uint32_t frame) {
  const std::uint32_t outside = caller_of_jax(store, frame);
  if (outside != absent_index) frame = outside;
  // Callers that call each other in a circle end after as many steps as there are frames.
  for (std::size_t guard = 0; frame != absent_index && guard <= store.rows(table("frames")); ++guard) {
    const std::string_view file = store.text(column("frames.file"), frame);
    if (!file.empty() && !is_library_file(file)) return frame;
    frame = store.index(column("frames.parent"), frame);
  }
  return absent_index;
}

}  // namespace kdiag
