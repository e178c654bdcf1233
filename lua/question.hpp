// SPDX-License-Identifier: Apache-2.0
// What functions of `kd` ask beside kd.eval: expressions made of the syntax trees of a script's texts. The texts are
// never pasted together, so that none of them (a comment, a bracket, a quote) can change what stands beside it.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/diagnostic.hpp>

#include "engine/language/expression.hpp"

namespace kdiag::lua {

/// A function of `kd` that asks, and the texts that it was given; empty ones are left out. Views: nothing is owned.
struct Question {
  enum class Form : char { rows = 'r', column = 'c', spans = 's', series = 'e', param = 'p' } form = Form::rows;
  std::string_view subject;  ///< a table as an expression; the name of a series or parameter
  std::string_view value, where, by;
};

/// A text that no other question has.
std::string key_of(const Question& question);

struct BuiltQuestion {
  Expression expression;  ///< without a tree after an error; its text is canonical
  Diagnostics errors;     ///< what is wrong with one of the texts, as of parse_expression
  std::string wrong;      ///< that text
};

/// Parses each text on its own and puts the trees together.
BuiltQuestion build(const Question& question);

}  // namespace kdiag::lua
