// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/verify_text.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <variant>

namespace kdiag {
namespace {

constexpr std::size_t longest_text = 200;  // two lines of a report; more nobody reads or types (judgement)

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The byte behind a string or a regular expression that begins at `at`.
std::size_t literal_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// The expression without its comments and line breaks.
std::string on_one_line(std::string_view text) {
  std::string out;
  bool regex_next = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || (c == '/' && regex_next)) {
      const std::size_t end = literal_end(text, at);
      out += text.substr(at, end - at);
      at = end;
      regex_next = false;
    } else if (c == '\n' || c == '\r') {
      while (at < text.size() && is_blank(text[at])) ++at;
      out.erase(out.find_last_not_of(' ') + 1);
      if (!out.empty() && at < text.size()) out += ' ';
    } else {
      if (!is_blank(c)) regex_next = c == '~';
      out += c;
      ++at;
    }
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

/// Whether an expression means the same wherever it stands: no operator binds its parts to what is around it.
bool is_closed(const Expr& expr) {
  return std::holds_alternative<Call>(expr.node) || std::holds_alternative<NameRef>(expr.node) ||
         std::holds_alternative<Member>(expr.node) || std::holds_alternative<NumberLiteral>(expr.node) ||
         std::holds_alternative<StringLiteral>(expr.node) || std::holds_alternative<ParamRef>(expr.node) ||
         std::holds_alternative<ListLiteral>(expr.node);
}

class Writer {
 public:
  Writer(const Rule& rule, const std::vector<PlanPtr>& lets) : rule_(rule), lets_(lets) {}

  std::string text_of(const Expression& expression, const Plan& plan) {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> uses;  // begin: end, slot
    std::set<const Plan*> seen;
    find_uses(plan, expression.text, uses, seen);
    const std::string& text = expression.text.text;
    if (uses.empty()) return on_one_line(text);
    std::string out;
    std::size_t at = 0;
    for (const auto& [begin, use] : uses) {
      const auto& [end, slot] = use;
      out += text.substr(at, begin - at) + let_text(text, begin, end, slot);
      at = end;
    }
    out += text.substr(at);
    return on_one_line(out);
  }

 private:
  static void find_uses(const Plan& plan, const SourceText& text,
                        std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>& uses,
                        std::set<const Plan*>& seen) {
    if (!seen.insert(&plan).second) return;
    if (plan.op == PlanOp::let) {
      // By what it says: lets may have been checked as part of another copy of the rule.
      if (plan.text != nullptr && plan.text->text == text.text) uses[plan.range.begin] = {plan.range.end, plan.slot};
      return;
    }
    for (const PlanPtr& arg : plan.args)
      if (arg) find_uses(*arg, text, uses, seen);
  }

  std::string let_text(const std::string& around, std::uint32_t begin, std::uint32_t end, std::uint32_t slot) {
    const std::string name = around.substr(begin, end - begin);
    const auto let =
        std::find_if(rule_.let.begin(), rule_.let.end(), [&](const NamedExpression& one) { return one.name == name; });
    if (let == rule_.let.end() || !lets_[slot] || !let->value.tree) return name;
    const std::string text = text_of(let->value, *lets_[slot]);
    return is_closed(*let->value.tree) || is_whole_argument(around, begin, end) ? text : "(" + text + ")";
  }

  /// Whether brackets or commas stand on both sides.
  static bool is_whole_argument(std::string_view text, std::size_t begin, std::size_t end) {
    while (begin > 0 && is_blank(text[begin - 1])) --begin;
    while (end < text.size() && is_blank(text[end])) ++end;
    return begin > 0 && end < text.size() && (text[begin - 1] == '(' || text[begin - 1] == ',') &&
           (text[end] == ')' || text[end] == ',');
  }

  const Rule& rule_;
  const std::vector<PlanPtr>& lets_;
};

}  // namespace

std::string verify_text(const Expression& expression, const Plan& plan, const Rule& rule,
                        const std::vector<PlanPtr>& lets) {
  std::string written_out = Writer(rule, lets).text_of(expression, plan);
  return written_out.size() <= longest_text ? written_out : on_one_line(expression.text.text);
}

}  // namespace kdiag
