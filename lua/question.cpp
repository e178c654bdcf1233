// SPDX-License-Identifier: Apache-2.0
#include "lua/question.hpp"

#include <cassert>
#include <memory>
#include <utility>

#include "dsl/expressions/parse_expr.hpp"

namespace kdiag::lua {
namespace {

SourceText text_of(std::string_view text) {
  return whole_text(std::make_shared<const Source>(Source{"kd", std::string(text)}));
}

/// Puts trees together until a text is wrong; all is null from there on.
class Builder {
 public:
  explicit Builder(BuiltQuestion& out) : out_(out) {}

  ExprPtr part(std::string_view text) {
    if (!out_.errors.empty()) return nullptr;
    auto tree = parse_expression(text_of(text));
    if (tree) return std::move(*tree);
    out_.errors = tree.error();
    out_.wrong = text;
    return nullptr;
  }

  ExprPtr filtered(std::string_view table, std::string_view where) {
    ExprPtr rows = part(table);
    if (where.empty()) return rows;
    ExprPtr condition = part(where);
    return make_expr(Where{std::move(rows), std::move(condition)}, {});
  }

  ExprPtr column(const Question& question) {
    ExprPtr rows = filtered(question.subject, question.where);
    std::vector<Named> columns;
    columns.push_back({"value", {}, part(question.value)});
    if (!question.by.empty()) columns.push_back({"place", {}, part(question.by)});
    return make_expr(Select{std::move(rows), std::move(columns)}, {});
  }

 private:
  BuiltQuestion& out_;
};

ExprPtr call(std::string function, ExprPtr argument) {
  return make_expr(Call{std::move(function), {}, {std::move(argument)}}, {});
}

ExprPtr tree_of(const Question& question, Builder& builder) {
  switch (question.form) {
    case Question::Form::rows: return builder.filtered(question.subject, question.where);
    case Question::Form::column: return builder.column(question);
    case Question::Form::spans: return call("spans", builder.filtered(question.subject, question.where));
    case Question::Form::series:
      return call("series", make_expr(StringLiteral{std::string(question.subject)}, TextRange{}));
    case Question::Form::param: return make_expr(ParamRef{std::string(question.subject)}, {});
  }
  return nullptr;
}

}  // namespace

std::string key_of(const Question& question) {
  std::string out(1, static_cast<char>(question.form));
  for (const std::string_view text : {question.subject, question.value, question.where, question.by})
    out.append(std::to_string(text.size())).append(":").append(text);
  return out;
}

BuiltQuestion build(const Question& question) {
  BuiltQuestion out;
  Builder builder(out);
  const ExprPtr tree = tree_of(question, builder);
  if (!out.errors.empty()) return out;
  // Written out and read again, each part has a place in one text, for messages, and the whole has the limits of one
  // expression.
  out.expression.text = text_of(dump(*tree));
  auto whole = parse_expression(out.expression.text);
  if (!whole) {
    out.errors = whole.error();
    out.wrong = out.expression.text.text;
    return out;
  }
  assert(equal(*tree, **whole));
  out.expression.tree = std::move(*whole);
  return out;
}

}  // namespace kdiag::lua
