// SPDX-License-Identifier: Apache-2.0
// Answers one expression on every run of the facts, or for the subjects of a rule.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "engine/eval/eval.hpp"
#include "workshop/asked_places.hpp"

namespace kdiag {

/// Text for people; the JSON of docs/tools.md, one object for one place, a list of objects, each with its run, for
/// several; CSV, whose first column is the run when there are several; of these what the options want. What is no run
/// is named, too. `lets` are those that the plan names, by slot. Throws Interrupted once the host asked to stop.
QueryAnswer answer_query(const AskedPlaces& places, const Library& library, const std::vector<PlanPtr>& lets,
                         const Plan& plan, const QueryOptions& options);

/// What one place answers, in pieces.
PlaceAnswer answer_place(const Value& value, const Type& type, const RunContext& run, const AnswerRows& rows);
/// The same of some places, as answer_query evaluates them.
PlaceAnswers answer_places(const AskedPlaces& places, const Library& library, const std::vector<PlanPtr>& lets,
                           const Plan& plan, const AnswerRows& rows, const PlaceRange& range);

}  // namespace kdiag
