// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/lint.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "base/regex.hpp"
#include "engine/language/functions.hpp"
#include "engine/language/join_bounds.hpp"
#include "engine/ruleset/plain_braces.hpp"

namespace kdiag {
namespace {

/// Conditions of one list that are compared with each other (judgement): comparing all of thousands would take long.
constexpr std::size_t most_compared = 64;

// --- What a comparison with a literal allows ------------------------------------------------------------------------

/// The values for which a comparison holds: one word, or the numbers from `low` to `high`.
struct Allowed {
  const Expr* subject = nullptr;
  std::optional<std::string> word;
  std::optional<Number> low, high;  ///< unset: no limit
  bool with_low = false, with_high = false;
};

bool is_literal(const Expr& expr) {
  return std::holds_alternative<NumberLiteral>(expr.node) || std::holds_alternative<StringLiteral>(expr.node) ||
         std::holds_alternative<BoolLiteral>(expr.node);
}

/// What a comparison with a literal allows; nothing for all other conditions, and for `!=`.
std::optional<Allowed> allowed_by(const Expr& condition) {
  const auto* compare = std::get_if<Compare>(&condition.node);
  if (compare == nullptr || compare->op == CompareOp::not_equal) return {};
  const bool left_literal = is_literal(*compare->left);
  if (left_literal == is_literal(*compare->right)) return {};
  const Expr& literal = left_literal ? *compare->left : *compare->right;
  const CompareOp op = left_literal ? mirrored(compare->op) : compare->op;
  Allowed out{.subject = (left_literal ? compare->right : compare->left).get(), .word = {}, .low = {}, .high = {}};
  if (const auto* word = std::get_if<StringLiteral>(&literal.node)) {
    out.word = word->value;
    return out;
  }
  const auto* number = std::get_if<NumberLiteral>(&literal.node);
  if (number == nullptr) return {};
  const bool equal = op == CompareOp::equal;
  if (equal || op == CompareOp::greater || op == CompareOp::greater_equal) out.low = number->value;
  if (equal || op == CompareOp::less || op == CompareOp::less_equal) out.high = number->value;
  out.with_low = out.with_high = op != CompareOp::greater && op != CompareOp::less;
  return out;
}

/// Whether no value above `low` is below `high`.
bool apart(const std::optional<Number>& low, bool with_low, const std::optional<Number>& high, bool with_high) {
  return low && high && (*high < *low || (*low == *high && !(with_low && with_high)));
}

bool exclude_each_other(const Allowed& a, const Allowed& b) {
  if (!equal(*a.subject, *b.subject)) return false;
  if (a.word && b.word) return *a.word != *b.word;
  return apart(a.low, a.with_low, b.high, b.with_high) || apart(b.low, b.with_low, a.high, a.with_high);
}

/// Whether each value is allowed by one of both: `x > 3 or x < 5`.
bool cover_all(const Allowed& a, const Allowed& b) {
  const auto meet = [](const Allowed& below, const Allowed& above) {
    return !below.low && below.high && above.low && !above.high &&
           (*above.low < *below.high || (*above.low == *below.high && (above.with_low || below.with_high)));
  };
  return equal(*a.subject, *b.subject) && (meet(a, b) || meet(b, a));
}

/// Whether all that `inner` allows is allowed by `outer`.
bool contains(const Allowed& outer, const Allowed& inner) {
  if (!equal(*outer.subject, *inner.subject)) return false;
  if (outer.word || inner.word) return outer.word == inner.word;
  const bool low =
      !outer.low ||
      (inner.low && (*outer.low < *inner.low || (*outer.low == *inner.low && (outer.with_low || !inner.with_low))));
  const bool high =
      !outer.high || (inner.high && (*inner.high < *outer.high ||
                                     (*outer.high == *inner.high && (outer.with_high || !inner.with_high))));
  return low && high;
}

// --- Expressions as they are written --------------------------------------------------------------------------------

class Linter {
 public:
  Linter(const CheckedRule& checked, Diagnostics& warnings, Diagnostics& style)
      : checked_(checked), rule_(*checked.rule), warnings_(warnings), style_(style) {}

  void lint() {
    condition(rule_.applies);
    condition(rule_.when);
    for (const NamedExpression& let : rule_.let) parts(let.value);
    for (const Exception& exception : rule_.except) condition(exception.when);
    for (const Recommendation& advice : rule_.recommend) condition(advice.condition);
    for (const auto* sentences : {&rule_.title, &rule_.message})
      for (const Sentence& sentence : *sentences) condition(sentence.condition);
    for (const auto* part : {&rule_.impact, &rule_.gain, &rule_.confidence, &rule_.location})
      if (*part) parts(**part);
    if (rule_.one_off) parts(rule_.one_off->time);
    tiers();
    const auto look = [this](const PlanPtr& plan) { look_at(plan, nullptr); };
    for_each_plan(checked_, look);
    for_each_plan(checked_.finding(), look);
    for (const PlanPtr& let : checked_.lets) look_at(let, nullptr);
    if (rule_.when && rule_.when->tree) {
      guesses(rule_.when->text, *rule_.when->tree);
      thresholds(rule_.when->text, *rule_.when->tree);
    }
    completeness();
  }

 private:
  void report(Diagnostics& out, Level level, std::string_view id, Span span, std::string title, std::string label = {},
              std::string help = {}) {
    Diagnostic diagnostic =
        make_diagnostic(level, id, std::move(span), std::move(title), std::move(label), std::move(help));
    diagnostic.context = context_of(rule_);
    out.push_back(std::move(diagnostic));
  }
  void warn(std::string_view id, Span span, std::string title, std::string label = {}, std::string help = {}) {
    report(warnings_, Level::warning, id, std::move(span), std::move(title), std::move(label), std::move(help));
  }
  void suggest(std::string_view id, Span span, std::string title, std::string label = {}, std::string help = {}) {
    report(style_, Level::note, id, std::move(span), std::move(title), std::move(label), std::move(help));
  }

  // K404: conditions that are always true or false

  void condition(const std::optional<Expression>& expression) {
    if (expression) condition(*expression);
  }
  void condition(const Expression& expression) {
    if (!expression.tree) return;
    if (const auto* constant = std::get_if<BoolLiteral>(&expression.tree->node))
      warn(error_id::constant_condition, expression.text.span(expression.tree->range),
           std::string("this condition is always ") + (constant->value ? "true" : "false"));
    parts(expression);
  }
  void parts(const Expression& expression) {
    if (expression.tree) constants(expression.text, *expression.tree);
  }
  void constants(const SourceText& text, const Expr& expr) {
    wording(text, expr);
    if (const auto* both = std::get_if<And>(&expr.node)) operands(text, both->operands, true);
    if (const auto* either = std::get_if<Or>(&expr.node)) operands(text, either->operands, false);
    if (const auto* where = std::get_if<Where>(&expr.node)) literal_part(text, *where->condition);
    if (const auto* choice = std::get_if<If>(&expr.node)) literal_part(text, *choice->condition);
    if (const auto* compare = std::get_if<Compare>(&expr.node)) {
      if (is_literal(*compare->left) && is_literal(*compare->right))
        warn(error_id::constant_condition, text.span(expr.range), "this comparison of two literals never changes");
      else if (equal(*compare->left, *compare->right))
        warn(error_id::constant_condition, text.span(expr.range), "this compares an expression with itself");
    }
    for_each_part(expr, [&](const ExprPtr& part) { constants(text, *part); });
  }
  void literal_part(const SourceText& text, const Expr& condition) {
    if (const auto* constant = std::get_if<BoolLiteral>(&condition.node))
      warn(error_id::constant_condition, text.span(condition.range),
           std::string("this condition is always ") + (constant->value ? "true" : "false"));
  }
  void operands(const SourceText& text, const std::vector<ExprPtr>& list, bool both) {
    for (std::size_t i = 0; i < std::min(list.size(), most_compared); ++i) {
      literal_part(text, *list[i]);
      const auto mine = allowed_by(*list[i]);
      if (!mine) continue;
      for (std::size_t other = 0; other < i; ++other) {
        const auto theirs = allowed_by(*list[other]);
        if (!theirs || !(both ? exclude_each_other(*mine, *theirs) : cover_all(*mine, *theirs))) continue;
        warn(error_id::constant_condition, text.span(list[i]->range),
             both ? "both parts can never hold together" : "one of both parts always holds");
        warnings_.back().labels.push_back({text.span(list[other]->range), "the other part"});
        break;
      }
    }
  }

  // K405: severities that are never reached

  void tiers() {
    for (std::size_t i = 0; i < std::min(rule_.severity.size(), most_compared); ++i) {
      const SeverityTier& written = rule_.severity[i];
      const Expression& tier = written.condition;
      if (!tier.tree) continue;
      if (const auto* constant = std::get_if<BoolLiteral>(&tier.tree->node);
          constant && !constant->value && !written.ladder)
        warn(error_id::constant_condition, tier.text.span(tier.tree->range), "this condition is always false");
      parts(tier);
      const auto before = std::find_if(
          rule_.severity.begin(), rule_.severity.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const SeverityTier& earlier) {
            return earlier.ladder || (earlier.condition.tree && implies(*tier.tree, *earlier.condition.tree));
          });
      if (before == rule_.severity.begin() + static_cast<std::ptrdiff_t>(i)) continue;
      warn(
          error_id::unreachable_severity, tier.text.span(tier.tree->range),
          "'" + (written.ladder ? written.ladder->rule : std::string(name_of(written.severity))) + "' is never reached",
          "whenever this holds ...", "the first tier that holds decides: the strictest stands first");
      warnings_.back().labels.push_back(
          {before->condition.text.span(before->condition.tree->range), "... this holds, and comes first"});
    }
  }
  /// Whether a condition surely holds only where another does.
  static bool implies(const Expr& condition, const Expr& other) {
    if (const auto* constant = std::get_if<BoolLiteral>(&other.node); constant && constant->value) return true;
    if (equal(condition, other)) return true;
    if (const auto* parts = std::get_if<And>(&condition.node))
      return std::any_of(parts->operands.begin(), parts->operands.end(),
                         [&](const ExprPtr& part) { return implies(*part, other); });
    const auto inner = allowed_by(condition);
    const auto outer = allowed_by(other);
    return inner && outer && contains(*outer, *inner);
  }

  // K406, K407: what only the checked expression tells

  /// `rows` is the table whose rows the plan is evaluated for.
  void look_at(const PlanPtr& plan, const Type* rows) {
    if (!plan || !seen_.insert(plan.get()).second) return;
    const auto& args = plan->args;
    if (plan->op == PlanOp::where && !args[1]->outer.empty() && join_bounds(*args[1]).empty())
      warn(error_id::unlinked_tables, place_of(*args[1]), "every row is compared with every row of the other table", {},
           "link both by an equality or by their times: `stream == k.stream`, `start < k.end`");
    if (plan->op == PlanOp::compare) {
      fractions(*plan);
      words(*args[0], *args[1], rows);
      words(*args[1], *args[0], rows);
    }
    if (plan->op == PlanOp::in && args[1]->op == PlanOp::list)
      for (const PlanPtr& item : args[1]->args) words(*args[0], *item, rows);
    if (plan->op == PlanOp::match) pattern(*plan, rows);
    for (std::size_t i = 0; i < args.size(); ++i)
      look_at(args[i], i > 0 && args[0]->type.is(Kind::table) ? &args[0]->type : rows);
  }
  static Span place_of(const Plan& plan) { return plan.text->span(plan.range); }
  /// Whether a number is the result of a division or a mean, and so hardly ever equal to another one.
  bool fractional(const Plan& plan) const {
    if (plan.op == PlanOp::let && checked_.lets[plan.slot]) return fractional(*checked_.lets[plan.slot]);
    if (plan.op == PlanOp::divide) return true;
    return plan.op == PlanOp::call && plan.function->traits.hardly_ever_equal;
  }
  void fractions(const Plan& compare) {
    const bool equality = compare.compare == CompareOp::equal || compare.compare == CompareOp::not_equal;
    const auto zero = [](const Plan& side) {
      const auto* range = side.op == PlanOp::constant ? side.constant.as<Range>() : nullptr;
      return range && range->low == Number(0) && range->exact();
    };
    if (!equality || zero(*compare.args[0]) || zero(*compare.args[1])) return;
    for (const PlanPtr& side : compare.args)
      if (fractional(*side)) {
        warn(error_id::fraction_equality, place_of(compare),
             "a quotient or a mean is hardly ever equal to another number", {},
             "compare with < or >, or ask for a distance: a - b < 1%");
        return;
      }
  }
  /// The words that a column of the catalogue can hold; empty for all other plans.
  static std::span<const std::string_view> words_of_plan(const Plan& plan, const Type* rows) {
    const bool of_row = plan.op == PlanOp::column && rows != nullptr && !rows->schema;
    if (!plan.type.is(Kind::text) || !(of_row || plan.op == PlanOp::member)) return {};
    return catalogue_columns[plan.slot].traits.words;
  }
  static std::string listed(std::span<const std::string_view> words) {
    std::string out = "it is one of";
    for (const std::string_view word : words) out += (word == words.front() ? " " : ", ") + std::string(word);
    return out;
  }
  void words(const Plan& column, const Plan& value, const Type* rows) {
    const auto known = words_of_plan(column, rows);
    const auto* word = value.op == PlanOp::constant ? value.constant.as<std::string>() : nullptr;
    if (known.empty() || word == nullptr || std::find(known.begin(), known.end(), *word) != known.end()) return;
    const ColumnInfo& about = catalogue_columns[column.slot];
    warn(error_id::impossible_word, place_of(value),
         std::string(about.table) + "." + std::string(about.name) + " is never '" + *word + "'",
         did_you_mean(*word, {known.begin(), known.end()}), listed(known));
  }
  void pattern(const Plan& match, const Type* rows) {
    const auto known = words_of_plan(*match.args[0], rows);
    if (known.empty() ||
        std::any_of(known.begin(), known.end(), [&](std::string_view word) { return match.regex->found_in(word); }))
      return;
    const ColumnInfo& about = catalogue_columns[match.args[0]->slot];
    warn(error_id::impossible_word, place_of(match),
         "no word of " + std::string(about.table) + "." + std::string(about.name) + " matches this", {}, listed(known));
  }

  // K408: numbers in the place of what is not known

  void guesses(const SourceText& text, const Expr& expr) {
    const auto* call = std::get_if<Call>(&expr.node);
    const Function* function = call ? find_function(call->function) : nullptr;
    if (function && function->traits.falls_back && !call->arguments.empty()) {
      const Expr& last = *call->arguments.back();
      if (std::holds_alternative<NumberLiteral>(last.node))
        warn(error_id::unknown_as_number, text.span(last.range), "what was not recorded is taken for this number", {},
             "without it the rule is inconclusive where it cannot tell, and says what to record");
    }
    for_each_part(expr, [&](const ExprPtr& part) { guesses(text, *part); });
  }

  // K424: detours around a word of the language

  void wording(const SourceText& text, const Expr& expr) {
    if (const auto* call = std::get_if<Call>(&expr.node)) {
      const auto& args = call->arguments;
      if (call->function == "defined" && args.size() == 1)
        suggest(error_id::detour, text.span(expr.range), "there is a word for this", {},
                "write `" + state(args[0], IsState::known) + "`");
      if (call->function != "default" || args.size() != 2) return;
      if (const auto* otherwise = std::get_if<BoolLiteral>(&args[1]->node))
        suggest(error_id::detour, text.span(expr.range), "there is a word for this", {},
                "write `" + state(args[0], otherwise->value ? IsState::is_false : IsState::is_true, otherwise->value) +
                    "`");
    }
    const auto* binary = std::get_if<Binary>(&expr.node);
    const auto* choice = binary && binary->op == BinaryOp::divide ? std::get_if<If>(&binary->right->node) : nullptr;
    if (choice && choice->otherwise && is_number(*choice->then, 1) && is_number(*choice->otherwise, 0))
      suggest(error_id::detour, text.span(expr.range), "there is a word for this", {},
              "write `" + dump(Expr{If{choice->condition, binary->left, nullptr}, {}}) + "`");
  }
  static std::string state(const ExprPtr& operand, IsState state, bool negated = false) {
    return dump(Expr{Is{operand, state, negated}, {}});
  }
  static bool is_number(const Expr& expr, std::int64_t number) {
    const auto* literal = std::get_if<NumberLiteral>(&expr.node);
    return literal && literal->value == Number(number);
  }

  // K420 to K423: what a finished rule has

  void thresholds(const SourceText& text, const Expr& expr) {
    if (std::holds_alternative<And>(expr.node) || std::holds_alternative<Or>(expr.node) ||
        std::holds_alternative<Not>(expr.node))
      for_each_part(expr, [&](const ExprPtr& part) { thresholds(text, *part); });
    const auto* compare = std::get_if<Compare>(&expr.node);
    if (compare == nullptr || is_literal(*compare->left) == is_literal(*compare->right)) return;
    const Expr& literal = is_literal(*compare->left) ? *compare->left : *compare->right;
    const auto* number = std::get_if<NumberLiteral>(&literal.node);
    if (number == nullptr || number->value == Number(0) || (number->value == Number(1) && !number->dimension.ratio))
      return;
    suggest(error_id::literal_threshold, text.span(literal.range), "a threshold that users cannot change", {},
            "declare it under `params`, with a `doc` that says where it comes from, and write $name");
  }
  void completeness() {
    if (rule_.recommend.empty() && rule_.role != RuleRole::health)
      suggest(error_id::no_advice, rule_.span, "the rule says nothing of what to do", {}, "add `recommend`");
    if (!rule_.impact && !rule_.script && rule_.role == RuleRole::cause)
      suggest(error_id::no_impact, rule_.span, "the rule does not say how much time it explains", {},
              "add `impact`: without it a cause ranks behind all others");
    if (rule_.tests.empty() && !rule_.tests_apart)
      suggest(error_id::no_tests, rule_.span, "the rule has no tests", {},
              "add `tests`: one in which it fires, one in which it is clear, one in which it cannot tell");
  }

  const CheckedRule& checked_;
  const Rule& rule_;
  Diagnostics& warnings_;
  Diagnostics& style_;
  std::set<const Plan*> seen_;
};

}  // namespace

void lint_rule(const CheckedRule& rule, Diagnostics& warnings, Diagnostics& style) {
  Linter(rule, warnings, style).lint();
  lint_plain_braces(*rule.rule, warnings);
}

}  // namespace kdiag
