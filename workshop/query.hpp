// SPDX-License-Identifier: Apache-2.0
// Answers one expression on every run of the facts.
#pragma once

#include <kdiag/kdiag.hpp>

#include "engine/eval/eval.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

/// Text for people; the JSON of docs/tools.md, one object for one run, a list of objects, each with its run, for
/// several; CSV, whose first column is the run when there are several; of these what the options want. Throws
/// Interrupted once the host asked to stop.
QueryAnswer answer_query(const LoadedFacts& facts, const Library& library, const Plan& plan,
                         const QueryOptions& options);

}  // namespace kdiag
