// SPDX-License-Identifier: Apache-2.0
// Prints and compares syntax trees.
#include "engine/language/expr.hpp"

#include <algorithm>
#include <type_traits>

#include "engine/language/literal_text.hpp"

namespace kdiag {
namespace {

// How tightly an expression binds: a part is put into parentheses where its place needs a tighter one.
enum class BindingLevel : std::uint8_t {
  query,
  conditional,
  either,
  both,
  negation,
  state,
  comparison,
  set,
  sum,
  product,
  sign,
  path
};

constexpr std::string_view text_of(BinaryOp op) {
  constexpr std::string_view texts[] = {" + ", " - ", " * ", " / ", " & ", " | "};
  return texts[static_cast<std::size_t>(op)];
}

constexpr std::string_view text_of(CompareOp op) {
  constexpr std::string_view texts[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  return texts[static_cast<std::size_t>(op)];
}

constexpr BindingLevel level_of(BinaryOp op) {
  constexpr BindingLevel levels[] = {BindingLevel::sum,     BindingLevel::sum, BindingLevel::product,
                                     BindingLevel::product, BindingLevel::set, BindingLevel::set};
  return levels[static_cast<std::size_t>(op)];
}

constexpr BindingLevel tighter(BindingLevel level) {
  return static_cast<BindingLevel>(static_cast<std::uint8_t>(level) + 1);
}

// --- Trees --------------------------------------------------------------------------------------------------------

class Printer {
 public:
  std::string print(const Expr& expr) {
    put(expr, BindingLevel::query);
    return std::move(out_);
  }

 private:
  void put(const Expr& expr, BindingLevel place) {
    const bool parentheses = level(expr) < place;
    if (parentheses) out_ += '(';
    std::visit([this](const auto& node) { write(node); }, expr.node);
    if (parentheses) out_ += ')';
  }
  void put(const ExprPtr& expr, BindingLevel place) { put(*expr, place); }

  static BindingLevel level(const Expr& expr) {
    return std::visit(
        [](const auto& node) {
          using T = std::decay_t<decltype(node)>;
          if constexpr (std::is_same_v<T, Where> || std::is_same_v<T, Group> || std::is_same_v<T, Select> ||
                        std::is_same_v<T, During> || std::is_same_v<T, As>)
            return BindingLevel::query;
          else if constexpr (std::is_same_v<T, If>) return BindingLevel::conditional;
          else if constexpr (std::is_same_v<T, Or>) return BindingLevel::either;
          else if constexpr (std::is_same_v<T, And>) return BindingLevel::both;
          else if constexpr (std::is_same_v<T, Not>) return BindingLevel::negation;
          else if constexpr (std::is_same_v<T, Is>) return BindingLevel::state;
          else if constexpr (std::is_same_v<T, Compare> || std::is_same_v<T, In> || std::is_same_v<T, Match>)
            return BindingLevel::comparison;
          else if constexpr (std::is_same_v<T, Binary>) return level_of(node.op);
          else if constexpr (std::is_same_v<T, Negate>) return BindingLevel::sign;
          else return BindingLevel::path;
        },
        expr.node);
  }

  void write(const NumberLiteral& node) { out_ += literal_text(node); }
  void write(const StringLiteral& node) {
    out_ += '"';
    for (char c : node.value) {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') (out_ += '\\') += c;
      else if (c == '\n') out_ += "\\n";
      else if (c == '\t') out_ += "\\t";
      else if (c == '\r') out_ += "\\r";
      else if (byte < 0x20 || byte == 0x7F) ((out_ += "\\x") += digits[byte >> 4U]) += digits[byte & 15U];
      else out_ += c;
    }
    out_ += '"';
  }
  void write(const BoolLiteral& node) { out_ += node.value ? "true" : "false"; }
  void write(const RegexLiteral& node) {
    out_ += '/';
    for (std::size_t i = 0; i < node.pattern.size(); ++i) {
      if (node.pattern[i] == '\\' && i + 1 < node.pattern.size()) out_ += node.pattern[i++];
      else if (node.pattern[i] == '/') out_ += '\\';
      out_ += node.pattern[i];
    }
    out_ += node.ignore_case ? "/i" : "/";
  }
  void write(const ParamRef& node) { (out_ += '$') += node.name; }
  void write(const NameRef& node) { out_ += node.name; }
  void write(const Member& node) {
    put(node.object, BindingLevel::path);
    (out_ += '.') += node.name;
  }
  void write(const Call& node) {
    (out_ += node.function) += '(';
    list(node.arguments);
    out_ += ')';
  }
  void write(const ListLiteral& node) {
    out_ += '[';
    list(node.items);
    out_ += ']';
  }
  void write(const Negate& node) {
    out_ += '-';
    put(node.operand, BindingLevel::sign);
  }
  void write(const Not& node) {
    out_ += "not ";
    put(node.operand, BindingLevel::negation);
  }
  void write(const And& node) { chain(node.operands, " and ", BindingLevel::negation); }
  void write(const Or& node) { chain(node.operands, " or ", BindingLevel::both); }
  void write(const Binary& node) {
    put(node.left, level_of(node.op));
    out_ += text_of(node.op);
    put(node.right, tighter(level_of(node.op)));
  }
  void write(const Compare& node) { infix(node.left, text_of(node.op), node.right); }
  void write(const In& node) { infix(node.item, node.negated ? " not in " : " in ", node.collection); }
  void write(const Match& node) {
    put(node.subject, BindingLevel::set);
    out_ += node.negated ? " !~ " : " =~ ";
    put(node.pattern, BindingLevel::path);
  }
  void write(const Is& node) {
    constexpr std::string_view states[] = {"known", "true", "false"};
    put(node.operand, BindingLevel::comparison);
    out_ += node.negated ? " is not " : " is ";
    out_ += states[static_cast<std::size_t>(node.state)];
  }
  void write(const If& node) {
    if (!node.otherwise) {
      put(node.then, BindingLevel::either);
      out_ += " if ";
      return put(node.condition, BindingLevel::either);
    }
    out_ += "if ";
    put(node.condition, BindingLevel::conditional);
    out_ += " then ";
    put(node.then, BindingLevel::conditional);
    out_ += " else ";
    put(node.otherwise, BindingLevel::conditional);
  }
  void write(const Where& node) {
    table(node.table);
    out_ += " where ";
    put(node.condition, BindingLevel::conditional);
  }
  void write(const Group& node) {
    table(node.table);
    out_ += " group by (";
    named(node.keys, true);
    out_ += ')';
    if (node.select.empty()) return;
    out_ += " select (";
    named(node.select, false);
    out_ += ')';
  }
  void write(const Select& node) {
    const auto* group = std::get_if<Group>(&node.table->node);
    const bool own = group != nullptr && group->select.empty();  // else the select would become the group's
    if (own) out_ += '(';
    table(node.table);
    out_ += own ? ") select (" : " select (";
    named(node.columns, false);
    out_ += ')';
  }
  void write(const During& node) {
    table(node.subject);
    out_ += " during ";
    put(node.intervals, BindingLevel::path);
  }
  void write(const As& node) {
    table(node.table);
    (out_ += " as ") += node.name;
  }

  /// What stands before a query operator: another query, or anything but a bare if-then-else.
  void table(const ExprPtr& expr) {
    put(expr, level(*expr) == BindingLevel::query ? BindingLevel::query : BindingLevel::either);
  }

  void infix(const ExprPtr& left, std::string_view op, const ExprPtr& right) {
    put(left, BindingLevel::set);
    out_ += op;
    put(right, BindingLevel::set);
  }
  void chain(const std::vector<ExprPtr>& operands, std::string_view op, BindingLevel place) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i > 0) out_ += op;
      put(operands[i], place);
    }
  }
  void list(const std::vector<ExprPtr>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      put(items[i], BindingLevel::query);
    }
  }
  void named(const std::vector<Named>& items, bool may_omit_names) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      if (!may_omit_names || items[i].name != implied_name(*items[i].value)) (out_ += items[i].name) += " = ";
      put(items[i].value, BindingLevel::conditional);
    }
  }

  std::string out_;
};

// --- Equality -----------------------------------------------------------------------------------------------------

bool same(const ExprPtr& a, const ExprPtr& b) { return a == b || equal(*a, *b); }
bool same(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ExprPtr& x, const ExprPtr& y) { return same(x, y); });
}
bool same(const std::vector<Named>& a, const std::vector<Named>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Named& x, const Named& y) { return x.name == y.name && same(x.value, y.value); });
}
bool same(const RegexLiteral& a, const RegexLiteral& b) {
  return a.pattern == b.pattern && a.ignore_case == b.ignore_case;
}
bool same(const NumberLiteral& a, const NumberLiteral& b) {
  return a.value.exact() == b.value.exact() && a.value == b.value && a.dimension == b.dimension &&
         a.dimension.ratio == b.dimension.ratio;
}
bool same(const StringLiteral& a, const StringLiteral& b) { return a.value == b.value; }
bool same(const BoolLiteral& a, const BoolLiteral& b) { return a.value == b.value; }
bool same(const ParamRef& a, const ParamRef& b) { return a.name == b.name; }
bool same(const NameRef& a, const NameRef& b) { return a.name == b.name; }
bool same(const Member& a, const Member& b) { return a.name == b.name && same(a.object, b.object); }
bool same(const Call& a, const Call& b) { return a.function == b.function && same(a.arguments, b.arguments); }
bool same(const ListLiteral& a, const ListLiteral& b) { return same(a.items, b.items); }
bool same(const Negate& a, const Negate& b) { return same(a.operand, b.operand); }
bool same(const Not& a, const Not& b) { return same(a.operand, b.operand); }
bool same(const And& a, const And& b) { return same(a.operands, b.operands); }
bool same(const Or& a, const Or& b) { return same(a.operands, b.operands); }
bool same(const Binary& a, const Binary& b) { return a.op == b.op && same(a.left, b.left) && same(a.right, b.right); }
bool same(const Compare& a, const Compare& b) { return a.op == b.op && same(a.left, b.left) && same(a.right, b.right); }
bool same(const In& a, const In& b) {
  return a.negated == b.negated && same(a.item, b.item) && same(a.collection, b.collection);
}
bool same(const Match& a, const Match& b) {
  return a.negated == b.negated && same(a.subject, b.subject) && same(a.pattern, b.pattern);
}
bool same(const Is& a, const Is& b) {
  return a.state == b.state && a.negated == b.negated && same(a.operand, b.operand);
}
bool same(const If& a, const If& b) {
  const bool both_else = a.otherwise && b.otherwise;
  return same(a.condition, b.condition) && same(a.then, b.then) &&
         (both_else ? same(a.otherwise, b.otherwise) : !a.otherwise && !b.otherwise);
}
bool same(const Where& a, const Where& b) { return same(a.table, b.table) && same(a.condition, b.condition); }
bool same(const Group& a, const Group& b) {
  return same(a.table, b.table) && same(a.keys, b.keys) && same(a.select, b.select);
}
bool same(const Select& a, const Select& b) { return same(a.table, b.table) && same(a.columns, b.columns); }
bool same(const During& a, const During& b) { return same(a.subject, b.subject) && same(a.intervals, b.intervals); }
bool same(const As& a, const As& b) { return a.name == b.name && same(a.table, b.table); }

// --- Parts --------------------------------------------------------------------------------------------------------

using PartAction = std::function<void(const ExprPtr&)>;

void parts(const std::vector<ExprPtr>& list, const PartAction& action) {
  for (const ExprPtr& item : list) action(item);
}
void parts(const std::vector<Named>& list, const PartAction& action) {
  for (const Named& item : list) action(item.value);
}

template <class Leaf>
void parts_of(const Leaf&, const PartAction&) {}
void parts_of(const Member& e, const PartAction& action) { action(e.object); }
void parts_of(const Call& e, const PartAction& action) { parts(e.arguments, action); }
void parts_of(const ListLiteral& e, const PartAction& action) { parts(e.items, action); }
void parts_of(const Negate& e, const PartAction& action) { action(e.operand); }
void parts_of(const Not& e, const PartAction& action) { action(e.operand); }
void parts_of(const And& e, const PartAction& action) { parts(e.operands, action); }
void parts_of(const Or& e, const PartAction& action) { parts(e.operands, action); }
void parts_of(const Binary& e, const PartAction& action) { parts({e.left, e.right}, action); }
void parts_of(const Compare& e, const PartAction& action) { parts({e.left, e.right}, action); }
void parts_of(const In& e, const PartAction& action) { parts({e.item, e.collection}, action); }
void parts_of(const Match& e, const PartAction& action) { parts({e.subject, e.pattern}, action); }
void parts_of(const Is& e, const PartAction& action) { action(e.operand); }
void parts_of(const If& e, const PartAction& action) {
  if (e.otherwise) parts({e.condition, e.then, e.otherwise}, action);
  else parts({e.then, e.condition}, action);  // as they stand in the text
}
void parts_of(const Where& e, const PartAction& action) { parts({e.table, e.condition}, action); }
void parts_of(const Group& e, const PartAction& action) {
  action(e.table);
  parts(e.keys, action);
  parts(e.select, action);
}
void parts_of(const Select& e, const PartAction& action) {
  action(e.table);
  parts(e.columns, action);
}
void parts_of(const During& e, const PartAction& action) { parts({e.subject, e.intervals}, action); }
void parts_of(const As& e, const PartAction& action) { action(e.table); }

}  // namespace

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::less: return CompareOp::greater;
    case CompareOp::less_equal: return CompareOp::greater_equal;
    case CompareOp::greater: return CompareOp::less;
    case CompareOp::greater_equal: return CompareOp::less_equal;
    default: return op;
  }
}

void for_each_part(const Expr& expr, const std::function<void(const ExprPtr&)>& action) {
  std::visit([&action](const auto& node) { parts_of(node, action); }, expr.node);
}

std::string dump(const Expr& expr) { return Printer().print(expr); }

bool equal(const Expr& a, const Expr& b) {
  if (a.node.index() != b.node.index()) return false;
  return std::visit([&b](const auto& node) { return same(node, std::get<std::decay_t<decltype(node)>>(b.node)); },
                    a.node);
}

std::string_view row_name(const Expr& table) {
  if (const auto* as = std::get_if<As>(&table.node)) return as->name;
  if (const auto* where = std::get_if<Where>(&table.node)) return row_name(*where->table);
  if (const auto* during = std::get_if<During>(&table.node)) return row_name(*during->subject);
  return {};
}

std::string_view implied_name(const Expr& expr) {
  if (const auto* name = std::get_if<NameRef>(&expr.node)) return name->name;
  if (const auto* member = std::get_if<Member>(&expr.node)) return member->name;
  return {};
}

}  // namespace kdiag
