// SPDX-License-Identifier: Apache-2.0
// The scope options, as the engine takes them and as the runs can satisfy them.
#pragma once

#include <kdiag/diagnostic.hpp>
#include <kdiag/kdiag.hpp>

#include "engine/facts/fact_store.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

Scope to_scope(const ScopeOptions& options);

/// K694 for each option that selects nothing in any run, with what there is to select from. Facts without the
/// subject at all (a scope of steps, no steps) count as nothing selected.
Diagnostics check_scope(const ScopeOptions& options, const std::vector<RunFacts>& runs);

}  // namespace kdiag
