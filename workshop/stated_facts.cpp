// SPDX-License-Identifier: Apache-2.0
#include "workshop/stated_facts.hpp"

#include <utility>
#include <vector>

#include "engine/derive/derive.hpp"
#include "engine/facts/fact_builder.hpp"
#include "engine/link/link.hpp"

namespace kdiag {

Result<std::shared_ptr<const FactStore>> stated_facts(const RuleTest& test, TestRun run) {
  Result<Fragment> fragment = test_facts(test, run);
  if (!fragment) return fragment.error();
  std::vector<Fragment> fragments;
  fragments.push_back(std::move(*fragment));
  FactStore store = build_facts(std::move(fragments));
  link_facts(store);
  derive(store, Scope{});
  return std::make_shared<const FactStore>(std::move(store));
}

}  // namespace kdiag
