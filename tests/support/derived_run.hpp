// SPDX-License-Identifier: Apache-2.0
// A timeline written by hand as a run with its ledger: tests of comparisons start from it.
#pragma once

#include <memory>
#include <utility>

#include "engine/derive/derive.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/support/trace.hpp"

namespace kdiag::tests {

inline RunFacts run_of(Trace trace) {
  auto store = std::make_shared<FactStore>(trace.store());
  RunFacts run;
  run.ledger = derive(*store, {});
  run.store = std::move(store);
  return run;
}

}  // namespace kdiag::tests
