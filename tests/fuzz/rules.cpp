// SPDX-License-Identifier: Apache-2.0
// Fuzzes rule files: YAML, keys, expressions, and the rendering of what is wrong with them.
#include <cstddef>
#include <cstdint>

#include <kdiag/kdiag.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kdiag::RuleOptions options;
  options.builtin = false;
  const auto rules = kdiag::load_rules_text("fuzz.yaml", text, options);
  (void)kdiag::render(rules ? rules->warnings() : rules.error());
  return 0;
}
