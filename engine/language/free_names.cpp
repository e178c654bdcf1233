// SPDX-License-Identifier: Apache-2.0
#include "engine/language/free_names.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Columns = std::vector<std::string_view>;  // they live as long as the expressions and the catalogue

bool contains(const Columns& columns, std::string_view name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

Columns columns_of_table(TableId table) {
  Columns out;
  const ColumnRange range = columns_of(table);
  out.reserve(range.count + std::size_t{1});
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) out.push_back(catalogue_columns[c].name);
  if (contains(out, "dur")) out.push_back("end");
  return out;
}

class Collector {
 public:
  Collector(bool with_calls, const Definitions& definitions) : with_calls_(with_calls), definitions_(definitions) {}

  void visit(const ExprPtr& expr, const Columns& row) {
    if (!expr) return;
    std::visit([&](const auto& node) { visit_node(*expr, node, row); }, expr->node);
  }

  std::set<std::string> take() && { return std::move(names_); }

 private:
  template <class Node>
  void visit_node(const Expr& expr, const Node& node, const Columns& row) {
    if constexpr (std::is_same_v<Node, NameRef>) {
      const bool of_rows = std::find(row_names_.begin(), row_names_.end(), node.name) != row_names_.end();
      if (!contains(row, node.name) && !of_rows) names_.insert(node.name);
    } else if constexpr (std::is_same_v<Node, Where>) {
      visit(node.table, row);
      const RowName name(*this, node.table);
      visit(node.condition, columns_of(node.table));
    } else if constexpr (std::is_same_v<Node, Select>) {
      visit(node.table, row);
      const RowName name(*this, node.table);
      for (const Named& column : node.columns) visit(column.value, columns_of(node.table));
    } else if constexpr (std::is_same_v<Node, Group>) {
      visit(node.table, row);
      const RowName name(*this, node.table);
      Columns inner = columns_of(node.table);
      for (const Named& key : node.keys) visit(key.value, inner);
      for (const Named& key : node.keys) inner.push_back(key.name);
      for (const Named& column : node.select) visit(column.value, inner);
    } else if constexpr (std::is_same_v<Node, Call>) {
      if (with_calls_) names_.insert(node.function);
      // What follows a table is evaluated for its rows; a call without a table takes the rows around it.
      const Columns of_rows = node.arguments.empty() ? Columns() : columns_of(node.arguments.front());
      if (node.arguments.empty()) return;
      visit(node.arguments.front(), row);
      const RowName name(*this, node.arguments.front());
      for (std::size_t i = 1; i < node.arguments.size(); ++i) visit(node.arguments[i], of_rows.empty() ? row : of_rows);
    } else {
      for_each_part(expr, [&](const ExprPtr& part) { visit(part, row); });
    }
  }

  /// The columns of the rows of a table expression; empty when it is none, or when that cannot be told from its text.
  Columns columns_of(const ExprPtr& expr) {
    if (!expr) return {};
    if (const auto* name = std::get_if<NameRef>(&expr->node)) return columns_of_name(name->name);
    if (const auto* where = std::get_if<Where>(&expr->node)) return columns_of(where->table);
    if (const auto* during = std::get_if<During>(&expr->node)) return columns_of(during->subject);
    if (const auto* as = std::get_if<As>(&expr->node)) return columns_of(as->table);
    if (const auto* member = std::get_if<Member>(&expr->node)) {  // all.kernels
      const auto* all = std::get_if<NameRef>(&member->object->node);
      const TableId table = find_table(member->name);
      return all != nullptr && all->name == "all" && table.valid() ? columns_of_table(table) : Columns();
    }
    if (const auto* call = std::get_if<Call>(&expr->node)) {
      const Function* function = find_function(call->function);
      const bool of_its_table = function != nullptr && function->traits.keeps_rows;
      return of_its_table && !call->arguments.empty() ? columns_of(call->arguments.front()) : Columns();
    }
    Columns out;
    const auto add = [&](const std::vector<Named>& columns) {
      for (const Named& column : columns) out.push_back(column.name);
    };
    if (const auto* select = std::get_if<Select>(&expr->node)) add(select->columns);
    if (const auto* group = std::get_if<Group>(&expr->node)) {
      add(group->keys);
      add(group->select);
      if (group->select.empty()) out.push_back("count");
    }
    return out;
  }

  Columns columns_of_name(const std::string& name) {
    constexpr int deepest = 32;  // names behind names; a circle of them is an error of its own
    if (depth_ < deepest)
      if (const ExprPtr definition = definitions_(name)) {
        ++depth_;
        Columns out = columns_of(definition);
        --depth_;
        return out;
      }
    const TableId table = find_table(name);
    return table.valid() ? columns_of_table(table) : Columns();
  }

  /// While it lives, the name that `as` gave to a table's rows is no free one.
  class RowName {
   public:
    RowName(Collector& collector, const ExprPtr& table)
        : names_(collector.row_names_), name_(table ? row_name(*table) : std::string_view()) {
      if (!name_.empty()) names_.push_back(name_);
    }
    ~RowName() {
      if (!name_.empty()) names_.pop_back();
    }
    RowName(const RowName&) = delete;
    RowName& operator=(const RowName&) = delete;

   private:
    std::vector<std::string_view>& names_;
    const std::string_view name_;
  };

  const bool with_calls_;
  const Definitions& definitions_;
  std::set<std::string> names_;
  std::vector<std::string_view> row_names_;
  int depth_ = 0;
};

}  // namespace

std::set<std::string> free_names(const ExprPtr& expr, bool with_calls, const Definitions& definitions) {
  Collector collector(with_calls, definitions);
  collector.visit(expr, {});
  return std::move(collector).take();
}

}  // namespace kdiag
