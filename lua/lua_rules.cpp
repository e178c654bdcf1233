// SPDX-License-Identifier: Apache-2.0
#include "lua/lua_rules.hpp"

#include <algorithm>
#include <charconv>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "dsl/read_rule.hpp"
#include "lua/lua_script.hpp"
#include "lua/rule_table.hpp"

namespace kdiag::lua {
namespace {

/// The line that a message of Lua begins with, "t.lua:3: ...", and the message without it; the file's begin otherwise.
struct Place {
  Span span;
  std::string message;
};
Place place_of(const SourcePtr& source, std::string_view reason) {
  constexpr std::size_t id = 6;  // "K750: "
  std::string_view text = reason.substr(std::min(reason.size(), id));
  Place out{{source, 0, 0}, std::string(text)};
  const std::string_view name = chunk_name(*source);
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != ':') return out;
  text.remove_prefix(name.size() + 1);
  std::size_t line = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return out;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line && begin < source->text.size(); ++i)
    begin = std::min(source->text.find('\n', begin), source->text.size() - 1) + 1;
  begin = std::min(source->text.find_first_not_of(" \t", begin), source->text.size());
  out.span = {source, begin, std::min(source->text.find('\n', begin), source->text.size()) - begin};
  out.message = std::string(std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end)).substr(1));
  out.message.erase(0, out.message.find_first_not_of(' '));
  return out;
}

/// The table of a script that says what it should; nothing, and an error, otherwise.
std::optional<TableValue> table_of(const SourcePtr& source, const LuaLimits& limits, Diagnostics& diagnostics,
                                   CancelFlag cancel) {
  ReadTable read = read_table(*source, limits, cancel);
  if (!read.reason.empty()) {
    Place place = place_of(source, read.reason);
    // What the parser says ends in the token that it met, or names what is missing.
    const bool syntax = place.message.find(" near ") != std::string::npos;
    diagnostics.push_back(make_error(syntax ? error_id::invalid_lua : error_id::script_result, place.span,
                                     place.message, {}, syntax ? "" : "docs/lua.md shows what a script returns"));
    return {};
  }
  const auto detect = std::find_if(read.table.members.begin(), read.table.members.end(),
                                   [](const auto& member) { return member.name == "detect"; });
  if (detect == read.table.members.end() || detect->value.kind != TableValue::Kind::function) {
    diagnostics.push_back(make_error(error_id::script_result, {source, 0, 0}, "the script returns no function `detect`",
                                     {}, "return { detect = function(kd) ... end }"));
    return {};
  }
  read.table.members.erase(detect);
  return std::move(read.table);
}

// --- The table as a rule --------------------------------------------------------------------------------------------

/// Makes the tree that the reader of YAML rules reads. A value of a table has no place of its own: all point at the
/// rule's id.
class TreeMaker {
 public:
  explicit TreeMaker(Span place) : place_(std::move(place)) {}

  YamlNode node(const TableValue& value) const {
    YamlNode out;
    out.span = place_;
    if (value.kind == TableValue::Kind::list) {
      out.kind = YamlNode::Kind::sequence;
      for (const TableValue& item : value.items) out.items.push_back(node(item));
    } else if (value.kind == TableValue::Kind::names) {
      // An empty table says nothing of what it is; in tests of rules it is a table of facts without rows.
      out.kind = value.members.empty() ? YamlNode::Kind::sequence : YamlNode::Kind::mapping;
      for (const auto& [name, member] : value.members) out.members.push_back({text(name), node(member)});
    } else {
      out = text(value.text);
    }
    return out;
  }

  YamlNode text(const std::string& value) const {
    YamlNode out;
    out.kind = YamlNode::Kind::scalar;
    out.style = ScalarStyle::plain;
    out.span = place_;
    out.text.text = value;
    out.text.source = place_.source;
    out.text.whole = place_;
    return out;
  }

  /// `ratio = 1.5` and `limit = "20us"`: the type of a parameter is that of its default.
  YamlNode param(const TableValue& value) const {
    if (value.kind != TableValue::Kind::text) return node(value);
    YamlNode out;
    out.kind = YamlNode::Kind::mapping;
    out.span = place_;
    out.members.push_back({text("type"), text(type_of_default(value))});
    out.members.push_back({text("default"), text(value.text)});
    return out;
  }

 private:
  static std::string type_of_default(const TableValue& value) {
    if (value.number) return "number";
    if (value.text == "true" || value.text == "false") return "bool";
    SourceText source;
    source.text = value.text;
    const Result<ExprPtr> tree = parse_expression(source);
    const auto* negated = tree ? std::get_if<Negate>(&(*tree)->node) : nullptr;
    const Expr* const value_tree = negated != nullptr ? negated->operand.get() : tree ? tree->get() : nullptr;
    const auto* literal = value_tree != nullptr ? std::get_if<NumberLiteral>(&value_tree->node) : nullptr;
    if (literal == nullptr) return "string";
    if (literal->dimension.ratio) return "ratio";
    if (literal->dimension == dimensions::bytes) return "bytes";
    if (literal->dimension.plain()) return "string";  // "3" is a text, 3 a number
    return dimension_name(literal->dimension);
  }

  Span place_;
};

/// Where the id stands in the text; the file's begin otherwise.
Span place_of_id(const SourcePtr& source, const TableValue& table) {
  for (const auto& [name, value] : table.members)
    if (name == "id" && value.kind == TableValue::Kind::text && !value.text.empty())
      if (const std::size_t at = source->text.find(value.text); at != std::string::npos)
        return {source, at, value.text.size()};
  return {source, 0, 0};
}

/// Keys that scripts call otherwise than YAML does.
std::string yaml_key(const std::string& name) {
  if (name == "id") return "rule";
  if (name == "needs") return "requires";
  return name;
}

}  // namespace

bool available() { return true; }

std::shared_ptr<const Script> trusted_script(SourcePtr source, const LuaLimits& limits) {
  return std::make_shared<const LuaScript>(std::move(source), limits);
}

std::shared_ptr<const Script> check_script(SourcePtr source, const LuaLimits& limits, Diagnostics& diagnostics,
                                           CancelFlag cancel) {
  const auto table = table_of(source, limits, diagnostics, cancel);
  if (!table) return nullptr;
  if (!table->members.empty()) {
    diagnostics.push_back(make_error(error_id::script_result, {source, 0, 0},
                                     "the script returns `" + table->members.front().name + "` beside `detect`", {},
                                     "everything else of the rule stands in the file whose `script:` names it"));
    return nullptr;
  }
  return trusted_script(std::move(source), limits);
}

std::optional<Rule> read_rule_table(const SourcePtr& source, const LuaLimits& limits, Diagnostics& diagnostics,
                                    CancelFlag cancel) {
  const auto table = table_of(source, limits, diagnostics, cancel);
  if (!table) return {};
  const TreeMaker make(place_of_id(source, *table));
  YamlNode root;
  root.kind = YamlNode::Kind::mapping;
  root.span = place_of_id(source, *table);
  for (const auto& [name, value] : table->members) {
    if (value.kind == TableValue::Kind::names && value.members.empty()) continue;  // nothing is said
    YamlNode node = make.node(value);
    if (name == "params")
      for (std::size_t i = 0; i < node.members.size(); ++i) node.members[i].value = make.param(value.members[i].value);
    root.members.push_back({make.text(yaml_key(name)), std::move(node)});
  }
  root.members.push_back({make.text("script"), make.text(std::string(chunk_name(*source)))});
  NodeReader reader(diagnostics);
  Rule rule = read_rule(root, reader);
  rule.block = {source, 0, source->text.size()};
  rule.script = trusted_script(source, limits);
  return rule;
}

}  // namespace kdiag::lua
