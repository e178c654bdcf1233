// SPDX-License-Identifier: Apache-2.0
// Documents of PyTorch Profiler's TensorBoard plugin: which view one is, and how to read its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {

/// The plugin's views; `other` are those without facts for rules (distributed, memory, module, tree, diff, pies).
enum class TbView : std::uint8_t { overview, operation, operation_table, kernel, kernel_table, other, unknown };

/// Keys of the operation view: tables of name and time.
inline constexpr std::string_view tb_operation_keys[] = {"host_self_time", "host_total_time", "device_self_time",
                                                         "device_total_time"};

TbView tb_view(const JsonValue& document);

/// The place of a column in a table `{"columns": [{"name": ...}], "rows": [[...]]}`.
std::optional<std::size_t> tb_column(const JsonValue& table, std::string_view name);
/// A cell of a table's row; a null value where there is none.
const JsonValue& tb_cell(const JsonValue& row, std::optional<std::size_t> column);

/// A time in us as ns.
std::optional<std::int64_t> tb_time(const JsonValue& us);
/// A percentage such as "9.18 %" or 9.18 as ratio.
std::optional<double> tb_percent(const JsonValue& value);

}  // namespace kdiag::adapters
