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

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/amd/rocprof/columns.hpp"

namespace kdiag::adapters::rocprof {

/// Makes events of the rows of one table after the other, but for those of totals. A row that cannot be used is noted.
class Rows {
 public:
  using Fields = std::span<const std::string_view>;

  explicit Rows(amd::Events& events) : events_(events), batch_(events.batch), sink_(events.sink) {}

  void add(const Header& header, TableKind kind, Fields fields);
  /// Whether most dispatches are missing: profilers number all of a process, and rows were left out or deleted.
  bool lacks_most_dispatches() const { return dispatches_ >= enough && last_ - first_ > 2 * dispatches_; }

 private:
  static constexpr std::int64_t enough = 20;  // judgement

  std::optional<amd::Times> times(const Header& header, Fields fields);
  void add_dispatch(const Header& header, Fields fields);
  void count_dispatch(amd::Number number);
  void add_counters(const Header& header, Fields fields);
  void add_kernel(const Header& header, Fields fields, amd::Number start, amd::Number dur);
  void add_call(const Header& header, Fields fields);
  void add_copy(const Header& header, Fields fields);
  void add_agent(const Header& header, Fields fields);

  amd::Events& events_;
  Batch& batch_;  ///< of the events
  FactSink& sink_;
  std::int64_t dispatches_ = 0, first_ = 0, last_ = 0;       ///< how many have numbers, and the range of these
  std::set<std::pair<std::int64_t, std::int64_t>> counted_;  ///< (process, dispatch) of counter tables
};

}  // namespace kdiag::adapters::rocprof
