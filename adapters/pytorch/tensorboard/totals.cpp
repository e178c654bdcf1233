// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/tensorboard/totals.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "adapters/pytorch/tensorboard/document.hpp"

namespace kdiag::adapters {
namespace {

using Value = std::optional<std::int64_t>;

Value sum_of(Value a, Value b) {
  std::int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

Value not_negative(Value value, FactSink& sink) {
  if (!value || *value >= 0) return value;
  sink.note(note_id::negative_duration);
  return std::nullopt;
}

/// Of operators only the host's own time may be negative: the plugin subtracts children that outlast their parent.
Value possible(Value value, std::size_t place, FactSink& sink) {
  return place == TbTotals::host_self ? value : not_negative(value, sink);
}

/// Adds a row of a kernel that differs in operator, grid or block.
void merge_kernel(TbTotals::Values& into, const TbTotals::Values& row) {
  using T = TbTotals;
  into[T::kernel_calls] = sum_of(into[T::kernel_calls], row[T::kernel_calls]);
  into[T::total] = sum_of(into[T::total], row[T::total]);
  into[T::shortest] =
      into[T::shortest] && row[T::shortest] ? std::min(into[T::shortest], row[T::shortest]) : std::nullopt;
  into[T::longest] = into[T::longest] && row[T::longest] ? std::max(into[T::longest], row[T::longest]) : std::nullopt;
  const Value calls = into[T::kernel_calls];
  into[T::mean] = into[T::total] && calls && *calls > 0 ? Value((*into[T::total] + *calls / 2) / *calls) : std::nullopt;
}

}  // namespace

std::pair<TbTotals::Values&, bool> TbTotals::values_of(const std::string& name, std::size_t count) {
  const auto [found, added] = places_.try_emplace(name, entries_.size());
  if (added) entries_.push_back({name, Values(count)});
  return {entries_[found->second].values, added};
}

TbTotals TbTotals::operators(const JsonValue& operation_table, FactSink& sink) {
  constexpr std::array<std::string_view, op_values> keys = {"calls", "host_self_duration", "host_total_duration",
                                                            "device_self_duration", "device_total_duration"};
  TbTotals out;
  for (const JsonValue& row : operation_table["data"].items) {
    sink.count_events(1);
    const std::string& name = row["name"].text;
    if (name.empty()) {
      sink.note(note_id::malformed_value, "operator");
      continue;
    }
    const auto [values, added] = out.values_of(name, op_values);
    for (std::size_t i = 0; i < op_values; ++i) {
      const Value value = possible(i == op_calls ? row[keys[i]].integer() : tb_time(row[keys[i]]), i, sink);
      values[i] = added ? value : sum_of(values[i], value);
    }
  }
  return out;
}

TbTotals TbTotals::operators_of_pies(const JsonValue& operation, FactSink& sink) {
  TbTotals out;
  for (std::size_t i = 0; i < std::size(tb_operation_keys); ++i)
    for (const JsonValue& row : operation[tb_operation_keys[i]]["rows"].items) {
      const std::string& name = tb_cell(row, 0).text;
      const Value time = possible(tb_time(tb_cell(row, 1)), host_self + i, sink);
      if (name.empty() || !time) sink.note(note_id::malformed_value, "operator");
      else out.values_of(name, op_values).first[host_self + i] = time;
    }
  sink.count_events(out.entries_.size());
  return out;
}

TbTotals TbTotals::kernels(const JsonValue& table, FactSink& sink) {
  const bool pie = !tb_column(table, "Total Duration (us)");
  const auto name_column = tb_column(table, pie ? "name" : "Name");
  std::array<std::optional<std::size_t>, kernel_values> columns;
  columns[kernel_calls] = tb_column(table, "Calls");
  columns[total] = tb_column(table, pie ? "value" : "Total Duration (us)");
  columns[shortest] = tb_column(table, "Min Duration (us)");
  columns[longest] = tb_column(table, "Max Duration (us)");
  columns[mean] = tb_column(table, "Mean Duration (us)");
  TbTotals out;
  for (const JsonValue& row : table["rows"].items) {
    sink.count_events(1);
    const std::string& name = tb_cell(row, name_column).text;
    Values values(kernel_values);
    for (std::size_t i = 0; i < kernel_values; ++i) {
      const JsonValue& cell = tb_cell(row, columns[i]);
      values[i] = i == kernel_calls ? cell.integer() : tb_time(cell);
      if (i != total) values[i] = not_negative(values[i], sink);
    }
    if (name.empty() || !values[total]) {
      sink.note(note_id::malformed_value, "kernel");
    } else if (*values[total] < 0) {
      sink.note(note_id::negative_duration);
    } else if (const auto [have, added] = out.values_of(name, kernel_values); added) {
      have = std::move(values);
    } else {
      merge_kernel(have, values);
    }
  }
  return out;
}

}  // namespace kdiag::adapters
