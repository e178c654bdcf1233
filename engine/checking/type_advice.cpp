// SPDX-License-Identifier: Apache-2.0
#include "engine/checking/type_advice.hpp"

#include "engine/language/value.hpp"

namespace kdiag {

std::string_view advice_on(const Type& type) {
  switch (type.kind) {
    case Kind::intervals: return "length(...) is the time of a set of intervals, rows(...) a table of them";
    case Kind::series: return "time_avg(...) is the mean of a series over time, max(...) its highest value";
    case Kind::table: return "count(table) is the number of its rows, spans(table) the set of their time";
    default: return {};
  }
}

std::string advice_on_row(std::string_view written, const Type& row, const Plan& text) {
  const auto* named = text.op == PlanOp::constant ? text.constant.as<std::string>() : nullptr;
  const std::string_view key = info(row.table).traits.key;
  if (named != nullptr && !key.empty()) {
    const std::size_t digits = named->find_last_not_of("0123456789") + 1;  // of "GPU 0"
    if (digits < named->size())
      return "compare its " + std::string(key) + ": `" + std::string(written) + " == " + named->substr(digits) + "`";
  }
  if (!find_column(info(row.table).name, "name").valid()) return {};
  return "compare its name: `" + std::string(written) + ".name`";
}

}  // namespace kdiag
