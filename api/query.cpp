// SPDX-License-Identifier: Apache-2.0
#include "api/query.hpp"

#include <algorithm>

#include <kdiag/format.hpp>

#include "engine/baselines.hpp"
#include "engine/render.hpp"
#include "report/json_writer.hpp"
#include "report/table.hpp"

namespace kdiag {
namespace {

using report::JsonWriter;
using report::Layout;

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::nothing: return "nothing";
    case Kind::boolean: return "bool";
    case Kind::text: return "text";
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

void write_value(JsonWriter& json, const Value& value, const Type& type, const RunContext& run) {
  if (const auto* table = value.as<TableRows>()) {
    report::write_rows(json, report::table_of(to_rows(*table, run, table->size())));
  } else if (const auto* set = value.as<TimeRange>()) {
    json.array(Layout::line, [&] {
      for (const Interval& i : set->high->intervals())
        json.array(Layout::line, [&] {
          json.value(i.start);
          json.value(i.end);
        });
    });
  } else if (const auto* series = value.as<Series>()) {
    json.array(Layout::line, [&] {
      for (const auto& [span, v] : series->spans)
        json.array(Layout::line, [&, s = span, x = v] {
          json.value(s.start);
          json.value(s.end);
          json.value(x);
        });
    });
  } else if (const auto* list = value.as<List>()) {
    json.array(Layout::line, [&] {
      for (const Value& item : *list) write_value(json, item, item.as<Range>() ? types::number() : types::text(), run);
    });
  } else {
    report::write_value(json, to_entry(value, type, run));
  }
}

void write_answer(JsonWriter& json, const Value& value, const Type& type, const RunContext& run,
                  const std::string* run_id) {
  json.object([&] {
    if (run_id) json.member("run", *run_id);
    json.member("type", kind_name(type.kind));
    // An instant is a time to programs; that it cannot be added concerns expressions alone.
    json.member("dimension", type.numeric() && type.dimension.is_instant() ? std::string("time")
                             : type.numeric() || type.is(Kind::series)     ? dimension_name(type.dimension)
                             : type.is(Kind::intervals)                    ? std::string("time")
                                                                           : std::string());
    const auto* range = value.as<Range>();
    const bool partial = range && !range->exact();
    json.key("value");
    if (partial || !value.known()) json.null();
    else write_value(json, value, type, run);
    json.member("unit", type.numeric() || type.is(Kind::series) ? base_unit_name(type.dimension)
                        : type.is(Kind::intervals)              ? std::string("ns")
                                                                : std::string());
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
    if (partial) {
      json.key("low");
      report::write_value(json, to_entry(of(range->low), type, run));
      json.key("high");
      report::write_value(json, to_entry(of(range->high), type, run));
    }
    if (!value.known() || partial)
      json.array("unknown", Layout::line, [&] {
        if (partial) json.value("partial data: the value lies between low and high");
        for (const Cause& cause : value.causes())
          json.value(cause.fact.empty() ? cause.reason : cause.fact + " " + cause.reason);
      });
  });
}

std::string table_as_text(const report::Table& table, const QueryOptions& options) {
  std::string out;
  for (const std::string& line : report::table_lines(table, options.width, options.max_rows)) out += line + "\n";
  if (table.rows.empty()) out += "(no rows)\n";
  if (table.rows.size() > options.max_rows)
    out += "(" + std::to_string(table.rows.size() - options.max_rows) + " more rows)\n";
  return out;
}

std::string as_text(const Value& value, const Type& type, const RunContext& run, const QueryOptions& options) {
  if (const auto* table = value.as<TableRows>())
    return table_as_text(report::table_of(to_rows(*table, run, table->size())), options);
  return render_value(value, type, run) + "\n";
}

/// A value as rows: of tables theirs, of intervals and series their spans, of lists their items, of all else one with
/// the value, or both of its ends when the data is partial.
report::Table as_table(const Value& value, const Type& type, const RunContext& run) {
  const auto number = [](std::int64_t n, std::string_view unit) { return ValueEntry{n, std::string(unit)}; };
  if (const auto* table = value.as<TableRows>()) return report::table_of(to_rows(*table, run, table->size()));
  report::Table out;
  if (const auto* set = value.as<TimeRange>()) {
    out.columns = {"start", "end"};
    for (const Interval& i : set->high->intervals()) out.rows.push_back({number(i.start, "ns"), number(i.end, "ns")});
  } else if (const auto* series = value.as<Series>()) {
    out.columns = {"start", "end", "value"};
    for (const auto& [span, v] : series->spans)
      out.rows.push_back({number(span.start, "ns"), number(span.end, "ns"), ValueEntry{v, ""}});
  } else if (const auto* list = value.as<List>()) {
    out.columns = {"value"};
    for (const Value& item : *list)
      out.rows.push_back({to_entry(item, item.as<Range>() ? types::number() : types::text(), run)});
  } else {
    const auto* range = value.as<Range>();
    const bool partial = range && !range->exact();
    out.columns = {"value", "low", "high", "unit"};
    const auto end = [&](const Number& n) { return to_entry(of(n), type, run); };
    const ValueEntry exact = partial || !value.known() ? ValueEntry{} : to_entry(value, type, run);
    out.rows.push_back({exact,
                        partial ? end(range->low)
                        : range ? exact
                                : ValueEntry{},
                        partial ? end(range->high)
                        : range ? exact
                                : ValueEntry{},
                        ValueEntry{type.numeric() ? base_unit_name(type.dimension) : std::string(), "text"}});
  }
  return out;
}

/// Adds a run's rows to those of the runs before it, whose columns may be others.
void append_rows(report::Table& all, const report::Table& rows, const std::string* run_id) {
  const auto place = [&all](const std::string& name) {
    const auto found = std::find(all.columns.begin(), all.columns.end(), name);
    if (found == all.columns.end()) return all.columns.push_back(name), all.columns.size() - 1;
    return static_cast<std::size_t>(found - all.columns.begin());
  };
  std::vector<std::size_t> places;
  if (run_id) place("run");
  for (const std::string& name : rows.columns) places.push_back(place(name));
  for (const auto& row : rows.rows) {
    std::vector<ValueEntry> cells(all.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) cells[places[i]] = row[i];
    if (run_id) cells[place("run")] = {*run_id, "text"};
    all.rows.push_back(std::move(cells));
  }
  for (auto& row : all.rows) row.resize(all.columns.size());
}

}  // namespace

QueryAnswer answer_query(const LoadedFacts& facts, const Library& library, const Plan& plan,
                         const QueryOptions& options) {
  QueryAnswer answer;
  JsonWriter json;
  report::Table rows;
  const bool several = facts.runs.size() > 1;
  const Baselines baselines(facts, options.baseline ? &options.baseline->loaded() : nullptr, options.cancel);
  const auto answer_run = [&](std::size_t place) {
    const RunFacts& run_facts = facts.runs[place];
    const RunContext run(baselines.judged(place), baselines.of(place), options.cancel);
    SubjectFacts subject_facts(run, Subject{}, library.shared.size());
    const std::vector<PlanPtr> no_lets;
    Evaluator evaluator(run, library, no_lets, subject_facts);
    Value value;
    try {
      value = evaluator.eval(plan);
    } catch (const BudgetExceeded& budget) {
      value = unknown_reason(budget.reason);
    }
    const auto* range = value.as<Range>();
    if (!value.known() || (range && !range->exact())) answer.unknown = true;
    if (several) answer.text += "run " + run_facts.id + (value.as<TableRows>() ? ":\n" : ": ");
    answer.text += as_text(value, plan.type, run, options);
    write_answer(json, value, plan.type, run, several ? &run_facts.id : nullptr);
    append_rows(rows, as_table(value, plan.type, run), several ? &run_facts.id : nullptr);
  };
  if (several) {
    json.array(Layout::lines, [&] {
      for (std::size_t place = 0; place < facts.runs.size(); ++place) answer_run(place);
    });
  } else {
    for (std::size_t place = 0; place < facts.runs.size(); ++place) answer_run(place);
  }
  answer.json = json.take();
  answer.csv = report::table_csv(rows);
  return answer;
}

}  // namespace kdiag
