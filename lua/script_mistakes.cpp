// SPDX-License-Identifier: Apache-2.0
#include "lua/script_mistakes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/checking/fact_presence.hpp"
#include "lua/kd_library.hpp"
#include "lua/lua_tokens.hpp"

namespace kdiag::lua {
namespace {

/// The texts of a call that stand in it, by what they are for; what the script makes as it runs is not among them.
struct CallTexts {
  std::optional<SourceText> first, second, where, by;
  bool complete = true;  ///< nothing of the call is made as the script runs
};

class UseOfKd {
 public:
  UseOfKd(SourcePtr source, const ScriptScope& scope)
      : source_(std::move(source)), scope_(scope.names), tokens_(lua_tokens(source_->text)) {}

  Diagnostics mistakes() && {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (is(i, "kd") && binds(i)) return {};
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i)
      if (is(i, "kd") && !is_member(i) && tokens_[i + 2].kind == LuaToken::Kind::name) look_at(i + 1);
    for (Diagnostic& mistake : out_)
      if (mistake.context.empty()) mistake.context = scope_.context;
    return std::move(out_);
  }

 private:
  std::string_view text(std::size_t i) const {
    if (i >= tokens_.size()) return {};
    return std::string_view(source_->text)
        .substr(tokens_[i].range.begin, tokens_[i].range.end - tokens_[i].range.begin);
  }
  bool is(std::size_t i, std::string_view word) const { return text(i) == word; }
  bool is_member(std::size_t i) const { return i > 0 && (is(i - 1, ".") || is(i - 1, ":")); }
  /// Whether a name gets another value here.
  bool binds(std::size_t i) const { return is(i + 1, "=") || (i > 0 && (is(i - 1, "local") || is(i - 1, "for"))); }
  Span span(std::size_t i) const {
    return {source_, tokens_[i].range.begin, std::size_t{tokens_[i].range.end} - tokens_[i].range.begin};
  }

  /// `.name` or `:name` behind kd.
  void look_at(std::size_t sign) {
    const std::size_t name = sign + 1;
    if (is(sign, ":"))
      return refuse(name, "functions of kd are called with a dot", {}, "kd." + std::string(text(name)) + "(...)");
    if (!is(sign, ".") || !known(name, "kd", kd_names())) return;
    const bool member = is(name + 1, ".") && name + 2 < tokens_.size();
    if (is(name, "param")) {
      if (member) look_at_param(name + 2);
    } else if (is(name, "baseline")) {
      if (member && known(name + 2, "kd.baseline", kd_questions())) look_at_call(name + 2);
    } else {
      look_at_call(name);
    }
  }

  void refuse(std::size_t token, std::string title, std::string label = {}, std::string help = {}) {
    out_.push_back(
        make_error(error_id::unknown_name, span(token), std::move(title), std::move(label), std::move(help)));
  }

  bool known(std::size_t name, std::string_view whose, const std::vector<std::string_view>& names) {
    if (std::find(names.begin(), names.end(), text(name)) != names.end()) return true;
    refuse(name, std::string(whose) + " has no '" + std::string(text(name)) + "'", did_you_mean(text(name), names),
           "docs/lua.md lists what it has");
    return false;
  }

  void look_at_param(std::size_t name) {
    if (scope_.params.find(text(name)) != scope_.params.end()) return;
    std::vector<std::string_view> names;
    for (const auto& [param, value] : scope_.params) names.push_back(param);
    out_.push_back(make_error(error_id::unknown_param, span(name),
                              "unknown parameter '" + std::string(text(name)) + "'", did_you_mean(text(name), names),
                              names.empty() ? "declare it under `params`" : ""));
  }

  // --- Calls --------------------------------------------------------------------------------------------------------

  /// A text that stands whole between brackets and commas: nothing is appended to it.
  std::optional<SourceText> argument(std::size_t i) const {
    if (i >= tokens_.size() || !tokens_[i].content || !(is(i + 1, ",") || is(i + 1, ")") || is(i + 1, "}"))) return {};
    const TextRange content = *tokens_[i].content;
    const std::size_t size = content.end - content.begin;
    return SourceText{source_->text.substr(content.begin, size), source_, TextOrigin(content.begin, size + 1),
                      Span{source_, content.begin, size}};
  }

  /// `{where = "...", by = "..."}`
  void take_options(std::size_t i, CallTexts& out) const {
    for (++i; !is(i, "}");) {
      const bool where = is(i, "where");
      auto given = argument(i + 2);
      if (!(where || is(i, "by")) || !is(i + 1, "=") || !given) {
        out.complete = false;
        return;
      }
      (where ? out.where : out.by) = std::move(given);
      i += is(i + 3, ",") ? 4 : 3;
    }
  }

  /// `("first", "second", {options})`
  CallTexts texts_of_call(std::size_t open) const {
    CallTexts out;
    if (!is(open, "(")) return out;
    std::size_t i = open + 1;
    for (auto* const text : {&out.first, &out.second}) {
      *text = argument(i);
      if (!*text) break;
      if (!is(++i, ",")) return out;
      ++i;
    }
    if (is(i, "{")) take_options(i, out);
    else out.complete = false;
    return out;
  }

  void look_at_call(std::size_t name) {
    CallTexts texts = texts_of_call(name + 1);
    if (!texts.first) return;
    if (is(name, "eval") || is(name, "get")) return static_cast<void>(checked(parsed(*texts.first), *texts.first));
    if (is(name, "has")) return look_at_presence(*texts.first);
    if (is(name, "series")) return look_at_series(*texts.first);
    const bool column = is(name, "column");
    if (!column && !is(name, "rows") && !is(name, "spans")) return;
    if (!column && texts.second) texts.where = std::exchange(texts.second, std::nullopt);
    ExprPtr rows = table_of(*texts.first);
    if (rows && texts.where) rows = filtered(rows, *texts.where);
    if (!rows || !column || !texts.complete) return;
    for (const auto& value : {texts.second, texts.by})
      if (value) look_at_value(rows, *value);
  }

  ExprPtr parsed(const SourceText& text) {
    auto tree = parse_expression(text);
    if (tree) return std::move(*tree);
    out_.insert(out_.end(), tree.error().begin(), tree.error().end());
    return nullptr;
  }

  /// The plan of a tree; null after an error, and of none. What is new in the tree stands in `text`: its other parts
  /// were checked before.
  PlanPtr checked(const ExprPtr& tree, const SourceText& text) {
    if (!tree) return nullptr;
    kept_.push_back(std::make_unique<const Expression>(Expression{tree, text}));
    return check_expression(*kept_.back(), scope_, out_);
  }

  ExprPtr table_of(const SourceText& text) {
    ExprPtr tree = parsed(text);
    const PlanPtr plan = checked(tree, text);
    if (!plan) return nullptr;
    if (plan->type.is(Kind::table)) return tree;
    out_.push_back(make_error(error_id::wrong_type, text.whole, "this is no table", describe(plan->type)));
    return nullptr;
  }

  ExprPtr filtered(const ExprPtr& rows, const SourceText& where) {
    const ExprPtr condition = parsed(where);
    if (!condition) return nullptr;
    ExprPtr tree = make_expr(Where{rows, condition}, condition->range);
    return checked(tree, where) ? tree : nullptr;
  }

  void look_at_value(const ExprPtr& rows, const SourceText& text) {
    if (ExprPtr value = parsed(text))
      checked(make_expr(Select{rows, {{"value", value->range, value}}}, value->range), text);
  }

  void look_at_presence(const SourceText& fact) {
    presence_of({fact.text, fact.whole}, {0, static_cast<std::uint32_t>(fact.text.size())}, scope_.context, out_);
  }

  void look_at_series(const SourceText& name) {
    const TextRange whole{0, static_cast<std::uint32_t>(name.text.size())};
    checked(make_expr(Call{"series", whole, {make_expr(StringLiteral{name.text}, whole)}}, whole), name);
  }

  SourcePtr source_;
  const CheckScope& scope_;
  std::vector<LuaToken> tokens_;
  std::vector<std::unique_ptr<const Expression>> kept_;  ///< that plans point into
  Diagnostics out_;
};

}  // namespace

Diagnostics script_mistakes(const SourcePtr& source, const ScriptScope& scope) {
  return UseOfKd(source, scope).mistakes();
}

}  // namespace kdiag::lua
