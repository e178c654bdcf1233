// SPDX-License-Identifier: Apache-2.0
// Operators and kernels of the TensorBoard plugin's tables and pies, one entry per name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {

/// Rows of one name merged, in order of first appearance. A sum that lacks a part is unknown.
class TbTotals {
 public:
  /// Places of an entry's values: operators, then kernels.
  enum Operator : std::size_t { op_calls, host_self, host_total, device_self, device_total, op_values };
  enum Kernel : std::size_t { kernel_calls, total, shortest, longest, mean, kernel_values };
  using Values = std::vector<std::optional<std::int64_t>>;

  struct Entry {
    std::string name;
    Values values;  ///< calls, then ns
  };

  /// From operation/table: one row per operator, or per operator and input shape. host_self may be below zero
  /// (children that overlap); other times that are left out (K606). Rows without a name are noted (K603).
  static TbTotals operators(const JsonValue& operation_table, FactSink& sink);
  /// From operation: four pies that leave out what is not above zero, and know no calls.
  static TbTotals operators_of_pies(const JsonValue& operation, FactSink& sink);
  /// From the rows of kernel/table, whatever it is grouped by, or of the pie, which has only name and total. Rows
  /// without name or total are noted (K603), negative ones too (K606).
  static TbTotals kernels(const JsonValue& table, FactSink& sink);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::pair<Values&, bool> values_of(const std::string& name, std::size_t count);

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace kdiag::adapters
