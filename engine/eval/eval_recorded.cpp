// SPDX-License-Identifier: Apache-2.0
// The evaluator of what was recorded, where rows were lost.
#include "engine/eval/eval.hpp"

namespace kdiag {

Evaluator* Evaluator::recorded_alone() {
  if (!run_.lossy()) return nullptr;
  if (!recorded_) {
    recorded_facts_ = std::make_unique<SubjectFacts>(run_, subject_, library_.shared);
    recorded_ = std::make_unique<Evaluator>(run_, library_, *lets_, *recorded_facts_);
    recorded_->takes_recorded_for_all_ = true;
  }
  return recorded_.get();
}

}  // namespace kdiag
