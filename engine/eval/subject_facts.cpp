// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/subject_facts.hpp"

namespace kdiag {

RowList SubjectFacts::rows(TableId table) {
  const std::scoped_lock lock(rows_mutex_);
  const auto [found, added] = rows_.try_emplace(table.index);
  if (added) found->second = run_.rows(table, subject_);
  return found->second;
}

SubjectFacts* SubjectFacts::counterpart() {
  counterpart_sought_.call([this] {
    if (const auto subject = run_.counterpart(subject_)) {
      counterpart_ = std::make_unique<SubjectFacts>(*run_.baseline(), *subject, expressions_);
      counterpart_->costs_ = costs_;
    }
  });
  return counterpart_.get();
}

}  // namespace kdiag
