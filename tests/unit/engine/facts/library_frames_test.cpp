// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/library_frames.hpp"

#include <string>
#include <string_view>
#include <vector>

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

namespace {

/// Frames whose files have no folders, each called by the one before, in a run of a producer.
struct Chain {
  kdiag::tests::Trace trace;
  std::vector<kdiag::Row> frames;

  void call(const char* file, const char* function) {
    const kdiag::Row caller = frames.empty() ? kdiag::Row{} : frames.back();
    frames.push_back(trace.batch.frame(file, 1, function, "function", caller));
  }
  kdiag::FactStore store(std::string_view producer) {
    trace.batch.set(trace.batch.run(), kdiag::column("runs.producer"), producer);
    return trace.store();
  }
};

constexpr std::string_view xla = "XLA profiler";
constexpr std::string_view torch = "PyTorch Profiler";

}  // namespace

TEST_CASE("what JAX calls is JAX's, since its profiler leaves no folders") {
  Chain chain;
  chain.call("train.py", "main");
  chain.call("core.py", "step");  // the user's: JAX did not call it
  chain.call("array.py", "__float__");
  chain.call("profiler.py", "wrapper");
  chain.call("array.py", "_value");
  const kdiag::FactStore store = chain.store(xla);
  CHECK(kdiag::first_user_frame(store, 4) == 1);
  CHECK(kdiag::first_user_frame(store, 1) == 1);
  Chain lone;
  lone.call("array.py", "lone");
  lone.call("util.py", "below");
  CHECK(kdiag::first_user_frame(lone.store(xla), 1) == 1);  // no caller is known
}

TEST_CASE("a file of one's own that has the name of a module of JAX is the user's") {
  Chain chain;
  chain.call("train.py", "main");
  chain.call("array.py", "update");
  chain.call("array.py", "grow");
  chain.call("torch/nn/modules/module.py", "_call_impl");
  chain.call("reductions.py", "sum");
  chain.call("util.py", "below");
  const kdiag::FactStore store = chain.store(torch);
  CHECK(kdiag::first_user_frame(store, 3) == 2);
  CHECK(kdiag::first_user_frame(store, 5) == 0);  // two modules of JAX: JAX is in the process
}
