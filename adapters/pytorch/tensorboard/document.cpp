// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/tensorboard/document.hpp"

#include <algorithm>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {

TbView tb_view(const JsonValue& document) {
  const auto has = [&document](std::string_view key) {
    return std::any_of(document.members.begin(), document.members.end(),
                       [key](const JsonMember& member) { return member.key == key; });
  };
  if (has("steps") && (has("performance") || has("environments"))) return TbView::overview;
  if (std::any_of(std::begin(tb_operation_keys), std::end(tb_operation_keys), has)) return TbView::operation;
  if (has("total")) {
    const auto& rows = document["total"]["rows"].items;
    const bool tensor_core_pie = !rows.empty() && tb_cell(rows.front(), 0).text.ends_with("Using Tensor Cores");
    return tensor_core_pie ? TbView::other : TbView::kernel;
  }
  if (has("metadata") && has("data")) {
    const JsonValue& data = document["data"];
    if (data.kind == JsonValue::Kind::array) return TbView::operation_table;
    return tb_column(data, "Total Duration (us)") ? TbView::kernel_table : TbView::other;
  }
  const bool memory = has("metadata") && has("columns");
  const bool module = has("columns") && has("data");
  const bool tree = has("left") || has("children");
  return memory || module || tree ? TbView::other : TbView::unknown;
}

std::optional<std::size_t> tb_column(const JsonValue& table, std::string_view name) {
  const auto& columns = table["columns"].items;
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [name](const JsonValue& column) { return column["name"].text == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

const JsonValue& tb_cell(const JsonValue& row, std::optional<std::size_t> column) {
  static const JsonValue none;
  return column && *column < row.items.size() ? row.items[*column] : none;
}

std::optional<std::int64_t> tb_time(const JsonValue& us) {
  if (us.kind != JsonValue::Kind::number && us.kind != JsonValue::Kind::string) return std::nullopt;
  return to_ns(Token{us.text}, 1000);
}

std::optional<double> tb_percent(const JsonValue& value) {
  const auto number = parse_measured(value.text);
  if (!number) return std::nullopt;
  return to_base_unit(number->value, number->unit.empty() ? "%" : number->unit, Unit::ratio);
}

}  // namespace kdiag::adapters
