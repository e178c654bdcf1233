// SPDX-License-Identifier: Apache-2.0
// Embeds kdiag: judges a trace by the built-in rules and one's own, and walks the findings.
//     embed trace.json rules.yaml
#include <iostream>

#include <kdiag/kdiag.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: embed TRACE RULES\n";
    return 2;
  }
  auto facts = kdiag::load_trace(argv[1]);
  if (!facts) {
    std::cerr << kdiag::render(facts.error());
    return 2;
  }
  auto rules = kdiag::load_rules(argv[2]);
  if (!rules) {
    std::cerr << kdiag::render(rules.error());
    return 3;
  }

  const kdiag::Report report = kdiag::diagnose(*facts, *rules);
  for (const kdiag::Finding& finding : report.findings) {
    std::cout << finding.rule << " (" << kdiag::name_of(finding.severity) << "): " << finding.title << '\n';
    if (finding.impact_ns) std::cout << "  explains " << static_cast<double>(*finding.impact_ns) / 1e6 << " ms\n";
    for (const auto& advice : finding.recommendations) std::cout << "  do: " << advice.text << '\n';
  }
}
