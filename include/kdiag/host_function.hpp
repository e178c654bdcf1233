// SPDX-License-Identifier: Apache-2.0
// Functions of the host for the expressions of rules and queries: what a host knows and no trace says.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/variant.hpp>

namespace kdiag {

/// A value of an expression: numbers are in base units (ns, bytes, Hz, B/s, W, degC, 0..1).
using FunctionValue = Variant<double, bool, std::string>;

/// A function that expressions can call like a built-in one. Calls are checked when rules are loaded: number, types and
/// dimensions of the arguments. An unknown argument makes the result unknown without a call, and so does one of which
/// only a range is known. Among the rows of a table it is called for each row.
///
/// Types are the words of parameters of rules: number, ratio, time, bytes, frequency, bandwidth, power, temperature,
/// bool, string. Numbers that are not finite count as unknown.
///
/// Example:
///     auto price = std::make_shared<const kdiag::HostFunction>(kdiag::HostFunction{
///         .name = "gpu_hour_price", .parameters = {"string"}, .result = "number",
///         .call = [](auto arguments) { return look_up(std::get<std::string>(arguments[0])); }});
///     auto rules = kdiag::load_rules("cost.yaml", {.functions = {price}});
struct HostFunction {
  std::string name;                     ///< letters, digits and `_`; not one of a built-in function
  std::vector<std::string> parameters;  ///< their types
  std::string result;                   ///< its type
  std::string doc = {};                 ///< one sentence, shown beside mistakes in calls
  /// Gives the value, or nothing when it is unknown. Pure: the same arguments give the same value, from several threads
  /// at a time. An exception, std::bad_alloc as well, makes the value unknown: the outcome says that the function
  /// failed. A script calls it under the C locale.
  std::function<std::optional<FunctionValue>(std::span<const FunctionValue>)> call = {};
};

}  // namespace kdiag
