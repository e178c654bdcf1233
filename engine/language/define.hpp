// SPDX-License-Identifier: Apache-2.0
// Names that authors give to expressions: parameters and defines.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/expression.hpp"

namespace kdiag {

struct Param {
  std::string name;
  Span name_span;
  std::string type;  ///< dimension name, number, string, bool, list
  std::optional<Expression> default_value;
  std::optional<std::pair<Expression, Expression>> range;
  std::string doc;
  bool shared = false;  ///< of a file: each of its rules has it, whether it uses it or not
};

/// A derived fact that rules use by name; with parameters, as `tiny(20us)`.
struct Define {
  std::string name;
  Span name_span;
  std::string doc, type;
  std::vector<Param> params;  ///< names that `value` uses, without a `$`
  Expression value;
};

}  // namespace kdiag
