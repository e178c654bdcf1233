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
#include "engine/eval/costs.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/language/shared_expressions.hpp"
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
  /// The run, its baseline and what follows must outlive it. `shared` are the Library's.
  SubjectFacts(const RunContext& run, const Subject& subject, const SharedExpressions& shared)
      : run_(run), subject_(subject), expressions_(shared), shared_(shared.size()) {}
  /// The values that are the same for all subjects are those of `whole_run`; `costs`: where to count, null: nowhere.
  SubjectFacts(const RunContext& run, const Subject& subject, SubjectFacts& whole_run, Costs* costs)
      : SubjectFacts(run, subject, whole_run.expressions_) {
    whole_run_ = &whole_run;
    costs_ = costs;
  }

  const Subject& subject() const { return subject_; }
  Costs* costs() const { return costs_; }

  /// The rows of a table that belong to the subject; null: all of them.
  RowList rows(TableId table);

  SharedValue& shared(std::uint32_t slot) {
    return whole_run_ != nullptr && expressions_.of_run(slot) ? whole_run_->shared_[slot] : shared_[slot];
  }

  /// The same of the corresponding subject of the baseline run; null when there is none.
  SubjectFacts* counterpart();

 private:
  const RunContext& run_;
  const Subject subject_;
  std::mutex rows_mutex_;
  std::map<std::uint16_t, RowList> rows_;
  const SharedExpressions& expressions_;
  std::vector<SharedValue> shared_;
  SubjectFacts* whole_run_ = nullptr;
  Costs* costs_ = nullptr;
  Once counterpart_sought_;
  std::unique_ptr<SubjectFacts> counterpart_;
};

}  // namespace kdiag
