// SPDX-License-Identifier: Apache-2.0
#include <kdiag/kdiag.hpp>

#include "tests/fuzz/targets.hpp"

namespace {

const kdiag::Facts& tiny_facts() {
  static const kdiag::Facts loaded = [] {
    constexpr std::string_view trace =
        R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"g"}],"traceEvents":[)"
        R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":2,"args":{"correlation":1}},)"
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":4,"args":{"device":0,"stream":7,"correlation":1}}]})";
    return *kdiag::load_trace("tiny.json", std::span(trace.data(), trace.size()));
  }();
  return loaded;
}

}  // namespace

void kdiag::fuzz::expr(Input input) { (void)kdiag::query(tiny_facts(), text_of(input)); }
