// SPDX-License-Identifier: Apache-2.0
// Expressions on small facts, for tests of the checker and the evaluator.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/diagnostic.hpp>

#include "engine/eval/eval.hpp"
#include "engine/facts/fact_store.hpp"
#include "engine/language/type.hpp"

namespace kdiag::tests {

/// The value of an expression as text ("4 us", "true", "unknown (...)"), in a run or for its first subject of a kind;
/// compared with a baseline when there is one.
std::string evaluate(const FactStore& store, std::string_view expression, SubjectKind subject = SubjectKind::run,
                     const FactStore* baseline = nullptr);

/// The value itself; fails the test when the expression does not check.
Value value_of(const FactStore& store, std::string_view expression, SubjectKind subject = SubjectKind::run);

/// Ids of the errors that the expression earns, joined by blanks; empty when it checks. A rule for each `subject`.
std::string errors_of(std::string_view expression, SubjectKind subject = SubjectKind::device);

/// The type of an expression in words ("time", "a table of kernels"); the ids of its errors when it does not check.
std::string type_or_errors(std::string_view expression, SubjectKind subject = SubjectKind::device);

/// The text that the first error points at, and its title: "4KiB: cannot compare time with data".
std::string first_error(std::string_view expression, SubjectKind subject = SubjectKind::device);

}  // namespace kdiag::tests
