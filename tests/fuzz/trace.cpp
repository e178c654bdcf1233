// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

void kdiag::fuzz::trace(Input input) {
  LoadOptions options;
  options.threads = 1;
  const std::string_view bytes = text_of(input);
  judge(load_trace("fuzz", {bytes.data(), bytes.size()}, options));
}
