// SPDX-License-Identifier: Apache-2.0
// Gives rules a function that only the host can answer: what an hour of a device costs.
//     custom_function trace.json
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <kdiag/host_function.hpp>
#include <kdiag/kdiag.hpp>

namespace {

/// What a share of a day of a device costs in the accounts of this host.
std::optional<kdiag::FunctionValue> cost_of_day(std::span<const kdiag::FunctionValue> arguments) {
  static const std::map<std::string, double> hourly_prices{{"NVIDIA A100-SXM4-80GB", 1.5},
                                                           {"NVIDIA H100 80GB HBM3", 3}};
  const auto found = hourly_prices.find(std::get<std::string>(arguments[0]));
  if (found == hourly_prices.end()) return {};  // unknown: the rule is then inconclusive, not clear
  return 24 * found->second * std::get<double>(arguments[1]);
}

constexpr std::string_view rules_text = R"(kdiag: 1
rules:
- rule: cost.idle-device
  title: A day like this wastes ${wasted} euros on ${device.name}
  for_each: device
  let:
    idle_share: 1 - busy(kernels) / run.wall
    wasted: cost_of_day(device.name, idle_share)
  when: wasted > 10
  impact: run.wall - busy(kernels)
  recommend:
    - text: Keep ${device.name} busy, or give it back.
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: custom_function TRACE\n";
    return 2;
  }
  kdiag::RuleOptions options;
  options.builtin = false;
  options.functions = {std::make_shared<const kdiag::HostFunction>(
      kdiag::HostFunction{.name = "cost_of_day",
                          .parameters = {"string", "ratio"},
                          .result = "number",
                          .doc = "what a share of a day of a device of this name costs, in euros",
                          .call = cost_of_day})};
  const auto rules = kdiag::load_rules_text("cost.yaml", rules_text, options);
  if (!rules) {
    std::cerr << kdiag::render(rules.error());
    return 3;
  }
  const auto facts = kdiag::load_trace(argv[1]);
  if (!facts) {
    std::cerr << kdiag::render(facts.error());
    return 2;
  }
  for (const kdiag::Finding& finding : kdiag::diagnose(*facts, *rules).findings) std::cout << finding.title << '\n';
}
