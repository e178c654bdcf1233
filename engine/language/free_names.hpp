// SPDX-License-Identifier: Apache-2.0
// The names that an expression takes from around it: what it may depend on.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "engine/language/expr.hpp"

namespace kdiag {

/// The definition of a name, for tables that stand behind names; null when there is none.
using Definitions = std::function<ExprPtr(std::string_view name)>;

/// Names at the start of paths anywhere in an expression, but for columns of the rows around them: in
/// `sum(kernel_stats where calls > 3, total)` neither `calls` nor `total` can be a let, whatever lets there are. With
/// `with_calls` also the names of what it calls.
std::set<std::string> free_names(const ExprPtr& expr, bool with_calls, const Definitions& definitions);

}  // namespace kdiag
