// SPDX-License-Identifier: Apache-2.0
#include "tests/support/evaluate.hpp"

#include <optional>

#include "dsl/expressions/parse_expr.hpp"
#include "engine/checking/check.hpp"
#include "engine/eval/render.hpp"
#include "tests/catch.hpp"

namespace kdiag::tests {
namespace {

Expression parse(std::string_view text) {
  Expression out{.tree = nullptr,
                 .text = whole_text(std::make_shared<const Source>(Source{"test", std::string(text)}))};
  auto tree = parse_expression(out.text);
  CAPTURE(text);
  if (!tree) FAIL(render(tree.error()));
  out.tree = *tree;
  return out;
}

CheckScope scope_for(SubjectKind subject) { return {.subject = subject, .query = subject == SubjectKind::run}; }

/// Evaluates while the expression's text still stands.
template <class Use>
void with_value(const FactStore& store, const FactStore* baseline, std::string_view text, SubjectKind subject,
                Use use) {
  const Expression expression = parse(text);
  Diagnostics diagnostics;
  const PlanPtr plan = check_expression(expression, scope_for(subject), diagnostics);
  CAPTURE(text);
  if (!plan) FAIL(render(diagnostics));
  std::optional<RunContext> other;
  if (baseline != nullptr) other.emplace(*baseline);
  const RunContext run(store, other ? &*other : nullptr);
  const Library library;
  const std::vector<PlanPtr> lets;
  Subject who{.kind = subject};
  if (subject != SubjectKind::run) who = run.subjects(subject).subjects.front();
  SubjectFacts facts(run, who, library.shared);
  Evaluator evaluator(run, library, lets, facts);
  use(evaluator.eval(*plan), plan->type, run);
}

}  // namespace

std::string evaluate(const FactStore& store, std::string_view expression, SubjectKind subject,
                     const FactStore* baseline) {
  std::string out;
  with_value(store, baseline, expression, subject, [&](const Value& value, const Type& type, const RunContext& run) {
    out = render_value(value, type, run);
  });
  return out;
}

Value value_of(const FactStore& store, std::string_view expression, SubjectKind subject) {
  Value out;
  with_value(store, nullptr, expression, subject,
             [&](const Value& value, const Type&, const RunContext&) { out = value; });
  return out;
}

std::string type_or_errors(std::string_view text, SubjectKind subject) {
  const Expression expression = parse(text);
  Diagnostics diagnostics;
  CheckScope scope = scope_for(subject);
  scope.query = false;
  const PlanPtr plan = check_expression(expression, scope, diagnostics);
  if (plan) return describe(plan->type);
  std::string out;
  for (const Diagnostic& d : diagnostics) out += (out.empty() ? "" : " ") + d.id;
  return out;
}

std::string errors_of(std::string_view text, SubjectKind subject) {
  const std::string answer = type_or_errors(text, subject);
  return answer.starts_with('K') ? answer : std::string();
}

std::string first_error(std::string_view text, SubjectKind subject) {
  const Expression expression = parse(text);
  Diagnostics diagnostics;
  CheckScope scope = scope_for(subject);
  scope.query = false;
  check_expression(expression, scope, diagnostics);
  if (diagnostics.empty()) return {};
  const Span& span = diagnostics.front().labels.front().span;
  return std::string(text.substr(span.offset, span.length)) + ": " + diagnostics.front().title;
}

}  // namespace kdiag::tests
