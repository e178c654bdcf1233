// SPDX-License-Identifier: Apache-2.0
#include "engine/language/value.hpp"

#include <algorithm>
#include <iterator>

namespace kdiag {

void merge_causes(Causes& into, const Causes& more) {
  for (const Cause& cause : more) {
    const auto known =
        std::find_if(into.begin(), into.end(), [&](const Cause& other) { return other.says_the_same(cause); });
    if (known == into.end()) into.push_back(cause);
    else if (cause.instead_of.empty()) known->instead_of.clear();
  }
}

void merge_alternative(Causes& into, Causes more) {
  // Of several facts that the first source lacks the first stands for all of them.
  if (!into.empty())
    for (Cause& cause : more) cause.instead_of = into.front().fact;
  merge_causes(into, more);
}

Value unknown(Causes causes) { return {.data = Unknown{std::move(causes)}, .columns = {}}; }
Value unknown_fact(std::string fact, std::string reason) { return unknown({{std::move(fact), std::move(reason)}}); }
Value unknown_reason(std::string reason) { return unknown({{"", std::move(reason)}}); }

Causes doubts_of(std::initializer_list<const Value*> values) {
  Causes out;
  for (const Value* value : values) {
    const auto* range = value->as<Range>();
    if (range == nullptr || !range->exact()) merge_causes(out, value->doubts);
  }
  if (out.empty()) out.push_back({"", "partial data: both answers are possible"});
  return out;
}

void inherit(Value& into, const Value& from) {
  into.coverage = std::min(into.coverage, from.coverage);
  into.compared = into.compared || from.compared;
  merge_causes(into.doubts, from.doubts);
  if (const auto* table = from.as<TableRows>()) merge_causes(into.doubts, table->causes);
  if (from.columns.empty()) return;
  std::vector<std::uint16_t> merged;
  std::set_union(into.columns.begin(), into.columns.end(), from.columns.begin(), from.columns.end(),
                 std::back_inserter(merged));
  into.columns = std::move(merged);
}

}  // namespace kdiag
