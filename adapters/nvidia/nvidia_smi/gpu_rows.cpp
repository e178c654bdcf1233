// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/gpu_rows.hpp"

#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/units.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

/// A mask, a count, "16x" lanes, "Yes" and "No".
std::optional<double> plain_number(std::string_view cell) {
  if (cell == "Yes") return 1;
  if (cell == "No") return 0;
  if (cell.ends_with('x')) cell.remove_suffix(1);
  const bool hex = cell.starts_with("0x");
  if (hex) cell.remove_prefix(2);
  const auto mask = hex ? parse_hexadecimal<std::uint64_t>(cell) : parse_number<std::uint64_t>(cell);
  if (!mask) return std::nullopt;
  return static_cast<double>(*mask);
}

/// A cell as a number in the base unit of its column. The cell's own unit counts before the header's.
std::optional<double> cell_value(const QueryColumn& column, std::string_view cell) {
  if (column.dimension == Unit::none) return plain_number(cell);
  const auto number = parse_measured(cell);
  if (!number) return std::nullopt;
  const auto base = to_base_unit(number->value, number->unit.empty() ? column.unit : number->unit, column.dimension);
  return base && can_be_read(*base, column.dimension) ? base : std::nullopt;
}

}  // namespace

void GpuRows::start_table(QueryHeader header) {
  header_ = std::move(header);
  combines_reasons_ = header_->find(QueryRole::reason) && !header_->has_series("throttle_reasons");
  if (combines_reasons_ && !header_->reasons_complete()) {
    combines_reasons_ = false;
    sink_.note(note_id::few_clock_reasons);
  }
  for (const QueryColumn& column : header_->columns())
    if (column.role == QueryRole::unknown) sink_.note(note_id::unknown_log_column, column.name);
}

std::string_view GpuRows::cell(std::span<const std::string_view> cells, QueryRole role) const {
  const auto place = header_->find(role);
  return place ? cells[*place] : std::string_view{};
}

void GpuRows::add(std::int64_t gpu, std::int64_t time, std::span<const std::string_view> cells) {
  const std::string_view model = cell(cells, QueryRole::name);
  const DeviceMaker named = maker_of_model(model);  // other makers' tools have the same columns: ixsmi
  facts.made_by(named.vendor.empty() ? header_->maker() : named);
  facts.add_device(gpu);
  facts.set_name(gpu, model);
  facts.set(gpu, column("devices.uuid"), cell(cells, QueryRole::uuid));
  facts.set(gpu, column("devices.uuid"), cell(cells, QueryRole::bus_id));  // where there is no uuid
  for (const std::vector<std::size_t>& columns : header_->facts()) {
    const QueryColumn& fact = header_->columns()[columns.front()];
    const auto value = first_value(columns, cells);
    if (!value) continue;
    if (fact.role == QueryRole::sample) facts.add(fact.series, gpu, time, *value);
    else facts.set(gpu, fact.column, *value);
  }
  if (combines_reasons_)
    if (const auto mask = combined_reasons(cells)) facts.add("throttle_reasons", gpu, time, *mask);
}

std::optional<double> GpuRows::first_value(const std::vector<std::size_t>& columns,
                                           std::span<const std::string_view> cells) {
  for (std::size_t place : columns) {
    if (is_missing_word(cells[place])) continue;
    if (const auto value = cell_value(header_->columns()[place], cells[place])) return value;
    sink_.note(note_id::malformed_value, header_->columns()[place].name);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> GpuRows::combined_reasons(std::span<const std::string_view> cells) const {
  std::uint32_t mask = 0;
  for (std::size_t place = 0; place < cells.size(); ++place) {
    const std::uint32_t bit = header_->columns()[place].reason;
    if (bit == 0) continue;
    if (cells[place] == "Active") mask |= bit;
    else if (cells[place] != "Not Active") return std::nullopt;
  }
  return mask;
}

}  // namespace kdiag::adapters
