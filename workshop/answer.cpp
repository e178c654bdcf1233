// SPDX-License-Identifier: Apache-2.0
#include "workshop/answer.hpp"

#include <algorithm>
#include <optional>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "engine/eval/eval.hpp"
#include "engine/eval/range.hpp"
#include "engine/eval/render.hpp"

namespace kdiag {
namespace {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::nothing: return "nothing";
    case Kind::boolean: return "bool";
    case Kind::text:
    case Kind::regex: return "text";
    case Kind::number: return "number";
    case Kind::list: return "list";
    case Kind::table: return "table";
    case Kind::reference: return "row";
    case Kind::series: return "series";
    case Kind::intervals: return "intervals";
    case Kind::claim: return "claim";
  }
  return "";
}

}  // namespace

report::StopCheck stop_check_of(const RunContext& run) {
  return [&run] { run.stop_if_cancelled(); };
}

std::pair<std::size_t, std::size_t> wanted(const AnswerRows& rows, std::size_t size) {
  const std::size_t first = std::min(rows.first, size);
  return {first, first + std::min(rows.most, size - first)};
}

void for_each_piece(const TableRows& table, const RunContext& run, const AnswerRows& rows,
                    const std::function<void(const report::Table&)>& use) {
  constexpr std::size_t rows_at_once = 1024;
  const auto [begin, end] = wanted(rows, table.size());
  for (std::size_t at = begin; at == begin || at < end; at += rows_at_once)
    use(report::table_of(to_rows(table, run, std::min(rows_at_once, end - at), at)));
}

namespace {

void write_each(JsonWriter& json, const AnswerRows& rows, std::size_t size,
                const std::function<void(std::size_t at)>& write) {
  json.array(Layout::line, [&] {
    const auto [begin, end] = wanted(rows, size);
    for (std::size_t at = begin; at < end; ++at) write(at);
  });
}

void write_value(JsonWriter& json, const Value& value, const Type& type, const RunContext& run,
                 const AnswerRows& rows) {
  if (const auto* table = value.as<TableRows>()) {
    json.array(Layout::lines, [&] {
      for_each_piece(*table, run, rows,
                     [&](const report::Table& piece) { report::write_rows(json, piece, stop_check_of(run)); });
    });
  } else if (const auto* set = value.as<TimeRange>()) {
    const auto& parts = set->high->intervals();
    write_each(json, rows, parts.size(), [&](std::size_t at) {
      json.array(Layout::line, [&] {
        json.value(parts[at].start);
        json.value(parts[at].end);
      });
    });
  } else if (const auto* series = value.as<Series>()) {
    write_each(json, rows, series->spans.size(), [&](std::size_t at) {
      const auto& [span, number] = series->spans[at];
      json.array(Layout::line, [&, s = span, x = number] {
        json.value(s.start);
        json.value(s.end);
        json.value(x);
      });
    });
  } else if (const auto* list = value.as<List>()) {
    write_each(json, rows, list->size(), [&](std::size_t at) {
      const Value& item = (*list)[at];
      write_value(json, item, item.as<Range>() ? types::number() : types::text(), run, all_rows);
    });
  } else {
    report::write_value(json, to_entry(value, type, run));
  }
}

/// An amount of time that a rule claims, as a number: what it is a claim of may be told as text alone.
std::optional<Range> claimed(const Value& value, const Type& type) {
  if (!type.is(Kind::claim)) return {};
  const std::optional<Claim> claim = claim_of(value);
  return claim ? std::optional(claim->amount) : std::nullopt;
}

/// What a value is a quantity of, and in which unit it is written.
std::pair<std::string, std::string> measure_of(const Type& type) {
  if (type.is(Kind::intervals) || type.is(Kind::claim)) return {"time", "ns"};
  if (!type.numeric() && !type.is(Kind::series)) return {};
  // An instant is a time to programs; that it cannot be added concerns expressions alone.
  return {type.numeric() && type.dimension.is_instant() ? std::string("time") : dimension_name(type.dimension),
          base_unit_name(type.dimension)};
}

}  // namespace

void write_answer(JsonWriter& json, const Value& value, const Type& type, const RunContext& run, const AnswerRows& rows,
                  const std::function<void()>& first) {
  json.object([&] {
    if (first) first();
    const auto [dimension, unit] = measure_of(type);
    json.member("type", kind_name(type.kind));
    json.member("dimension", dimension);
    const std::optional<Range> claim = claimed(value, type);
    const auto* range = claim ? &*claim : value.as<Range>();
    const Type number = claim ? types::number(dimensions::time) : type;
    const bool between = range && !range->exact();
    json.key("value");
    if (between || !value.known()) json.null();
    else if (claim) report::write_value(json, to_entry(of(claim->low), number, run));
    else write_value(json, value, type, run, rows);
    json.member("unit", unit);
    json.member("coverage", value.coverage);
    json.array("providers", Layout::line, [&] {
      std::vector<std::string_view> seen;
      for (const std::uint16_t c : value.columns) {
        const std::string_view provider = run.store().provider(ColumnId{c});
        if (provider.empty() || std::find(seen.begin(), seen.end(), provider) != seen.end()) continue;
        seen.push_back(provider);
        json.value(provider);
      }
    });
    if (between) {
      json.key("low");
      report::write_value(json, to_entry(of(range->low), number, run));
      json.key("high");
      report::write_value(json, to_entry(of(range->high), number, run));
    }
    const bool partial = between && !claim;  // what is claimed between two ends is as the rule wants it
    if (!value.known() || partial)
      json.array("unknown", Layout::line, [&] {
        if (partial) json.value("partial data: the value lies between low and high");
        for (const Cause& cause : value.causes())
          json.value(cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason);
      });
  });
}

std::size_t size_of(const Value& value) {
  if (const auto* table = value.as<TableRows>()) return table->size();
  if (const auto* set = value.as<TimeRange>()) return set->high->intervals().size();
  if (const auto* series = value.as<Series>()) return series->spans.size();
  const auto* list = value.as<List>();
  return list != nullptr ? list->size() : 0;
}

bool is_unknown(const Value& value, const Type& type) {
  const auto* range = value.as<Range>();
  return !value.known() || (!type.is(Kind::claim) && range && !range->exact());
}

std::string rows_as_text(const TableRows& table, const RunContext& run, const AnswerRows& rows) {
  report::Cells cells;
  for_each_piece(table, run, rows, [&](const report::Table& piece) { cells.add(piece, stop_check_of(run)); });
  std::string out;
  for (const std::string& line : cells.take_lines(report::unlimited, stop_check_of(run)))
    out += (out.empty() ? "" : "\n") + line;
  return out.empty() ? "(no rows)" : out;
}

namespace {

std::string table_as_text(const TableRows& table, const RunContext& run, const QueryOptions& options) {
  report::Cells cells;
  const std::size_t most = options.max_rows;  // none: the heading alone
  for_each_piece(table, run, {.first = 0, .most = std::max<std::size_t>(most, 1)}, [&](const report::Table& piece) {
    cells.add(most > 0 ? piece : report::Table{piece.columns, {}}, stop_check_of(run));
  });
  cells.put_quantities_first();
  std::string out;
  for (const std::string& line : cells.take_lines(options.width, stop_check_of(run))) out += line + "\n";
  const bool undecided = table.maybe && !table.maybe->empty();
  if (table.size() == 0 && !undecided) out += "(no rows)\n";
  if (undecided)
    out += "(" + format_count(static_cast<std::int64_t>(table.maybe->size())) +
           " undecided: " + visible(describe(table.causes)) + ")\n";
  if (table.size() > options.max_rows) out += "(" + std::to_string(table.size() - options.max_rows) + " more rows)\n";
  return out;
}

}  // namespace

std::string as_text(const Value& value, const Type& type, const RunContext& run, const QueryOptions& options) {
  if (const auto* table = value.as<TableRows>()) return table_as_text(*table, run, options);
  return visible(render_value(value, type, run)) + "\n";
}

}  // namespace kdiag
