// SPDX-License-Identifier: Apache-2.0
// Rows of rocprof's tables as facts.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

#include "adapters/rocprof/columns.hpp"
#include "adapters/util/kernel_class.hpp"

namespace kdiag::adapters::rocprof {

/// Fills a batch from the rows of one table after the other. Returns false where a row cannot be used, after noting it.
class Rows {
 public:
  using Fields = std::span<const std::string_view>;

  explicit Rows(FactSink& sink) : sink_(sink) {}

  /// `last` is true for a row that no line end follows: it may be cut.
  void add(const Header& header, TableKind kind, Fields fields, bool last);

  Batch batch;

 private:
  struct Times {
    std::int64_t start = 0, dur = 0;
  };
  enum class Agent : bool { may_be_host, is_device };

  std::optional<Times> times(const Header& header, Fields fields, bool last);
  void add_dispatch(const Header& header, Fields fields, bool last);
  void add_counters(const Header& header, Fields fields, bool last);
  Row add_kernel(const Header& header, Fields fields);
  void add_call(const Header& header, Fields fields, bool last);
  void add_copy(const Header& header, Fields fields, bool last);
  void add_totals(const Header& header, Fields fields);
  void add_agent(const Header& header, Fields fields);
  Row device(std::int64_t agent);
  void set_thread(const Header& header, Fields fields, Row row, ColumnId column);
  void set_correlation(const Header& header, Fields fields, Row row, ColumnId column);
  void set_shape(const Header& header, Fields fields, Row kernel);

  FactSink& sink_;
  KernelClasses classes_;
  std::set<std::pair<std::int64_t, std::int64_t>> counted_;  ///< (process, dispatch) of counter tables
};

}  // namespace kdiag::adapters::rocprof
