// SPDX-License-Identifier: Apache-2.0
// What all rules that judge one subject share: its rows, and the values of expressions that several of them contain.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/once.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

/// The value of an expression for one subject, computed by the first rule that asks.
struct SharedValue {
  std::mutex mutex;  ///< held while the value is computed, so that it is computed once
  std::optional<Value> value;
  std::uint64_t visits = 0;         ///< rows visited for it, without those of the shared values in `uses`
  std::vector<std::uint32_t> uses;  ///< shared values that it was made of; those of the baseline run behind the run's
};

/// Safe to use from several threads at a time.
class SubjectFacts {
 public:
  /// The run and its baseline must outlive it; `shared_values` as in Library::shared.
  SubjectFacts(const RunContext& run, const Subject& subject, std::size_t shared_values)
      : run_(run), subject_(subject), shared_(shared_values) {}

  const Subject& subject() const { return subject_; }

  /// The rows of a table that belong to the subject; null: all of them.
  RowList rows(TableId table);

  SharedValue& shared(std::uint32_t slot) { return shared_[slot]; }

  /// The same of the corresponding subject of the baseline run; null when there is none.
  SubjectFacts* counterpart();

 private:
  const RunContext& run_;
  const Subject subject_;
  std::mutex rows_mutex_;
  std::map<std::uint16_t, RowList> rows_;
  std::vector<SharedValue> shared_;
  Once counterpart_sought_;
  std::unique_ptr<SubjectFacts> counterpart_;
};

}  // namespace kdiag
