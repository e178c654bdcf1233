// SPDX-License-Identifier: Apache-2.0
// Fuzzes the whole way of a trace: recognising, reading, judging, and every form of the report.
#include <cstddef>
#include <cstdint>

#include <kdiag/kdiag.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kdiag::RuleSet rules = *kdiag::builtin_rules();
  const std::span bytes(reinterpret_cast<const char*>(data), size);
  kdiag::LoadOptions options;
  options.threads = 1;
  const auto facts = kdiag::load_trace("fuzz", bytes, options);
  if (!facts) {
    (void)kdiag::render(facts.error());
    return 0;
  }
  const kdiag::Report report = kdiag::diagnose(*facts, rules);
  (void)kdiag::to_text(report);
  (void)kdiag::to_json(report);
  (void)kdiag::to_markdown(report);
  (void)kdiag::to_sarif(report);
  return 0;
}
