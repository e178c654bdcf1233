// SPDX-License-Identifier: Apache-2.0
// Known faults of simulated workloads: what is done to a healthy loop, and which rules should say so.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {

struct Fault {
  std::string_view name;
  /// Done to a loop of training or of serving, to a pipeline or to a table of kernels.
  std::variant<void (*)(Workload&), void (*)(Serving&), void (*)(Pipeline&), void (*)(KernelTable&)> apply;
  /// Any of these names the fault; the first is the one to expect. Empty: it only looks like one.
  std::vector<std::string_view> rules;
  /// What is also true of such a run and may be said beside it.
  std::vector<std::string_view> also;
  /// What it looks like and is not; may not be said at all, be it low.
  std::vector<std::string_view> never = {};
};

/// In the order of the families of rules.
std::span<const Fault> faults();

/// What is done to a healthy loop so that it looks like one with a fault.
std::span<const Fault> twins();

/// A loop with none, one or two faults.
struct Scenario {
  std::string name;
  std::variant<Workload, Serving, Pipeline, KernelTable> loop;
  std::vector<const Fault*> faults;

  std::vector<TraceFile> play(std::uint64_t seed) const {
    return std::visit([seed](const auto& it) { return simulate(it, seed); }, loop);
  }
};

/// The healthy loops, each fault and twin, and the pairs of faults that do not hide each other; dimensions vary with
/// the seed.
std::vector<Scenario> scenarios(std::uint64_t seed);

}  // namespace kdiag::corpus
