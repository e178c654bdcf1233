// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/render.hpp"

#include <algorithm>

#include <kdiag/format.hpp>

#include "base/regex.hpp"
#include "engine/language/expr.hpp"

namespace kdiag {
namespace {

ValueEntry number_entry(Number n, Dimension dimension, const RunContext& run) {
  ValueEntry entry;
  const bool several = dimension.quotient && n > Number(1);  // 3 copies a step are no 300 %
  entry.unit = several ? "1" : base_unit_name(dimension);
  if (!n.finite()) return entry;
  if (dimension.is_time() || dimension.is_instant()) entry.value = n.rounded();
  else if (n.exact()) entry.value = n.integer();
  else entry.value = n.real();
  if (dimension.is_instant() && run.start()) entry.since_start_ns = n.rounded() - *run.start();
  return entry;
}

std::string render_number(Number n, Dimension dimension, const RunContext& run) {
  return format_value(number_entry(n, dimension, run));
}

std::string render_range(const Range& range, Dimension dimension, const RunContext& run) {
  if (range.exact()) return render_number(range.low, dimension, run);
  if (!range.low.finite() && !range.high.finite()) return "unknown (partial data)";
  if (!range.high.finite()) return "at least " + render_number(range.low, dimension, run);
  if (!range.low.finite()) return "at most " + render_number(range.high, dimension, run);
  if (dimension.is_time()) return format_duration_range(range.low.rounded(), range.high.rounded());
  const bool several = dimension.quotient && range.high > Number(1);
  if (dimension.plain() && dimension.ratio && !several) return format_share_range(range.low.real(), range.high.real());
  return render_number(range.low, dimension, run) + " to " + render_number(range.high, dimension, run);
}

ValueEntry text_entry(std::string text) { return {.value = std::move(text), .unit = "text"}; }

/// A cell of a catalogue table as an entry.
ValueEntry cell_entry(const FactStore& store, ColumnId column, std::uint32_t row, const RunContext& run) {
  const ColumnInfo& about = info(column);
  const Dimension dimension = type_of(about).dimension;
  ValueEntry none{.value = {},
                  .unit = about.type == ColumnType::string || about.type == ColumnType::reference ? "text"
                          : about.type == ColumnType::boolean                                     ? "bool"
                                                              : base_unit_name(dimension)};
  switch (about.type) {
    case ColumnType::integer:
      return store.integer(column, row) == absent_integer
                 ? none
                 : number_entry(Number(store.integer(column, row)), dimension, run);
    case ColumnType::small_integer:
      return store.small(column, row) == absent_small
                 ? none
                 : number_entry(Number(std::int64_t{store.small(column, row)}), dimension, run);
    case ColumnType::real: {
      const double value = store.real(column, row);
      return value != value ? none : number_entry(Number(value), dimension, run);
    }
    case ColumnType::boolean:
      if (store.index(column, row) == absent_index) return none;
      return {.value = store.index(column, row) != 0, .unit = "bool"};
    case ColumnType::string:
      return store.index(column, row) == absent_index ? none : text_entry(std::string(store.text(column, row)));
    case ColumnType::reference:
      return store.index(column, row) == absent_index
                 ? none
                 : text_entry(run.label(RowRef{target_of(column), store.index(column, row)}));
  }
  return none;
}

}  // namespace

std::string describe(const Causes& causes) {
  std::string out;
  for (const Cause& cause : causes) {
    if (!out.empty()) out += "; ";
    out += cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason;
  }
  return out.empty() ? "unknown" : out;
}

std::string render_value(const Value& value, const Type& type, const RunContext& run) {
  if (!value.known()) return "unknown (" + describe(value.causes()) + ")";
  if (const auto* b = value.as<bool>()) return *b ? "true" : "false";
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* regex = value.as<RegexPtr>())
    return dump({RegexLiteral{(*regex)->pattern(), (*regex)->ignore_case()}, {}});
  if (const auto* range = value.as<Range>()) return render_range(*range, type.dimension, run);
  if (const auto* row = value.as<RowRef>()) return run.label(*row);
  if (const auto* list = value.as<List>()) {
    std::string out = "[";
    for (const Value& item : *list) {
      const Type item_type = item.as<Range>() ? types::number(dimensions::time) : Type{};
      out += (out.size() > 1 ? ", " : "") + render_value(item, item_type, run);
    }
    return out + "]";
  }
  if (const auto* table = value.as<TableRows>()) {
    std::string out = format_count(static_cast<std::int64_t>(table->size())) + (table->size() == 1 ? " row" : " rows");
    if (table->maybe) out += " and " + format_count(static_cast<std::int64_t>(table->maybe->size())) + " undecided";
    if (table->open) out += ", some lost";
    return out;
  }
  if (const auto* set = value.as<TimeRange>()) {
    const Range length{Number(set->low->length()), Number(set->high->length())};
    return render_range(length, dimensions::time, run) + " in " +
           format_count(static_cast<std::int64_t>(set->high->intervals().size())) +
           (set->high->intervals().size() == 1 ? " interval" : " intervals");
  }
  if (const auto* claim = value.as<Claim>()) return render_range(claim->amount, dimensions::time, run);
  if (const auto* series = value.as<Series>())
    return format_count(static_cast<std::int64_t>(series->spans.size())) +
           (series->spans.size() == 1 ? " span of " : " spans of ") + series->name;
  return "unknown";
}

ValueEntry to_entry(const Value& value, const Type& type, const RunContext& run) {
  if (const auto* b = value.as<bool>()) return {.value = *b, .unit = "bool"};
  if (const auto* range = value.as<Range>(); range && range->exact())
    return number_entry(range->low, type.dimension, run);
  if (!value.known())
    return {.value = {},
            .unit = type.numeric()           ? base_unit_name(type.dimension)
                    : type.is(Kind::boolean) ? "bool"
                                             : "text"};
  return text_entry(render_value(value, type, run));
}

std::vector<RowEntry> to_rows(const TableRows& table, const RunContext& run, std::size_t limit, std::size_t first) {
  std::vector<RowEntry> out;
  const std::size_t begin = std::min(first, table.size());
  const std::size_t end = begin + std::min(limit, table.size() - begin);
  const auto at = [&](std::size_t i) { return table.rows ? (*table.rows)[i] : static_cast<std::uint32_t>(i); };
  for (std::size_t i = begin; i < end; ++i) {
    run.stop_if_cancelled();
    RowEntry row;
    if (table.derived) {
      const auto& columns = table.derived->schema->columns;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::string& name = columns[c].first;
        const Type& type = columns[c].second;
        const RowValues& values = table.derived->columns[c];
        row.emplace_back(
            name,
            std::visit(
                [&, r = at(i)](const auto& data) -> ValueEntry {
                  using T = typename std::decay_t<decltype(data)>::value_type;
                  if constexpr (std::is_same_v<T, double>)
                    return data[r] != data[r] ? ValueEntry{{}, base_unit_name(type.dimension)}
                                              : number_entry(Number(data[r]), type.dimension, run);
                  else if constexpr (std::is_same_v<T, std::int64_t>)
                    return data[r] == absent_integer ? ValueEntry{{}, base_unit_name(type.dimension)}
                                                     : number_entry(Number(data[r]), type.dimension, run);
                  else if constexpr (std::is_same_v<T, std::uint8_t>)
                    return data[r] == tri_unknown ? ValueEntry{{}, "bool"} : ValueEntry{data[r] == tri_true, "bool"};
                  else if (data[r] == absent_index) return ValueEntry{{}, "text"};
                  else if (type.is(Kind::text)) return text_entry(std::string(run.string(data[r])));
                  else return text_entry(run.label(RowRef{type.table, data[r]}));
                },
                values.data));
      }
    } else {
      const ColumnRange range = columns_of(table.base);
      for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
        if (catalogue_columns[c].traits.transient || !run.store().has(ColumnId{c})) continue;
        row.emplace_back(std::string(catalogue_columns[c].name), cell_entry(run.store(), ColumnId{c}, at(i), run));
      }
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace kdiag
