// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/library_frames.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using kdiag::is_library_file;

TEST_CASE("installed packages, the framework and the interpreter are libraries") {
  const std::string file = GENERATE(
      "/usr/lib/python3/dist-packages/torch/nn/modules/linear.py",
      "/opt/venv/lib/python3.11/site-packages/mine/step.py",
      "C:\\Python311\\Lib\\site-packages\\torch\\nn\\modules\\module.py", "/opt/pytorch/torch/optim/adam.py",
      "torch/nn/modules/module.py", "torch_npu/utils/_optim.py", "torchvision/models/alexnet.py",
      "transformers/models/bert/modeling_bert.py", "numpy/_core/fromnumeric.py", "multiprocessing/connection.py",
      "python3.8/threading.py", "typing.py", "contextlib.py", "<frozen os>", "<string>",
      "<__array_function__ internals>", "<eval_with_key>.50", "triton_kernels/matmul_ogs.py", "aiter/ops/gemm.py");
  CAPTURE(file);
  CHECK(is_library_file(file));
}

TEST_CASE("scripts, notebooks, packages of one's own and checkouts are the user's") {
  const std::string file = GENERATE("train.py", "profile.py", "resnet50_profiler_api.py", "cfdpinn/main.py",
                                    "mytorch/layers.py", "/home/me/torch/train.py", "/tmp/ipykernel_2566/1623915622.py",
                                    "<ipython-input-3-2f1c>", "/workspace/sglang/python/sglang/srt/scheduler.py");
  CAPTURE(file);
  CHECK_FALSE(is_library_file(file));
}

TEST_CASE("what JAX calls is JAX's, since its profiler leaves no folders") {
  kdiag::tests::Trace trace;
  const auto frame = [&](const char* file, const char* function, kdiag::Row parent) {
    return trace.batch.frame(file, 1, function, "function", parent);
  };
  const kdiag::Row train = frame("train.py", "main", {});
  const kdiag::Row step = frame("core.py", "step", train);  // the user's: JAX did not call it
  const kdiag::Row read = frame("array.py", "__float__", step);
  const kdiag::Row wrapper = frame("profiler.py", "wrapper", read);
  const kdiag::Row value = frame("array.py", "_value", wrapper);
  const kdiag::Row lone = frame("array.py", "lone", {});
  const kdiag::Row below = frame("util.py", "below", lone);
  const kdiag::FactStore store = trace.store();
  CHECK(kdiag::first_user_frame(store, value.index) == step.index);
  CHECK(kdiag::first_user_frame(store, step.index) == step.index);
  CHECK(kdiag::first_user_frame(store, below.index) == below.index);  // no caller is known
}
