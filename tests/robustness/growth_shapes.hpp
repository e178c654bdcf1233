// SPDX-License-Identifier: Apache-2.0
// Inputs that grow in one direction each: n kernel names, n devices, n rules, ... What they cost should grow as they
// do.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kdiag::growth {

/// What is done with one input that was made before.
using Work = std::function<void()>;

struct Shape {
  std::string name;
  /// Makes the input of a size, which is not measured, and returns what is.
  std::function<Work(std::size_t size)> prepare;
  std::size_t size;  ///< the smallest of the three that are compared; a step of scripts/check multiplies it
  double most_cost = 2.6, most_memory = 2.6;  ///< by which both may grow when the size doubles
  std::string reason = {};                    ///< why they may grow by more than others
};

std::vector<Shape> trace_shapes();   ///< traces of PyTorch, by what they hold many of
std::vector<Shape> format_shapes();  ///< other formats and containers
std::vector<Shape> rule_shapes();    ///< rules, queries, reports

/// Loads bytes, judges them by the built-in rules and writes the report in every format. One thread.
Work diagnosis_of(std::string name, std::string bytes);
/// Compares two traces, likewise.
Work comparison_of(std::string normal, std::string abnormal);

}  // namespace kdiag::growth
