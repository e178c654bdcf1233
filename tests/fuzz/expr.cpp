// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <kdiag/kdiag.hpp>

#include "dsl/expressions/parse_expr.hpp"
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

/// A question checks what the packs define first, which takes a hundred times as long as parsing what is asked.
void kdiag::fuzz::expr(Input input) {
  const SourcePtr source = std::make_shared<const Source>(Source{"question", std::string(text_of(input))});
  if (parse_expression(whole_text(source))) (void)kdiag::query(tiny_facts(), text_of(input));
}
