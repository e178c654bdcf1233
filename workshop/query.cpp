// SPDX-License-Identifier: Apache-2.0
#include "workshop/query.hpp"

#include <algorithm>
#include <functional>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/interrupt.hpp"
#include "base/json_writer.hpp"
#include "engine/eval/render.hpp"
#include "engine/judge/baselines.hpp"
#include "report/phrases/table.hpp"

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

/// What stops the making of a text once the host asked to.
report::StopCheck stop_check_of(const RunContext& run) {
  return [&run] { run.stop_if_cancelled(); };
}

/// The first rows of a table, at most `limit`, piece by piece: a whole one can be larger than the facts. A table
/// without rows is one piece, which has no columns.
void for_each_piece(const TableRows& table, const RunContext& run, std::size_t limit,
                    const std::function<void(const report::Table&)>& use) {
  constexpr std::size_t rows_at_once = 1024;
  const std::size_t rows = std::min(limit, table.size());
  for (std::size_t first = 0; first == 0 || first < rows; first += rows_at_once)
    use(report::table_of(to_rows(table, run, std::min(rows_at_once, rows - first), first)));
}

void write_value(JsonWriter& json, const Value& value, const Type& type, const RunContext& run) {
  if (const auto* table = value.as<TableRows>()) {
    json.array(Layout::lines, [&] {
      for_each_piece(*table, run, report::unlimited,
                     [&](const report::Table& piece) { report::write_rows(json, piece, stop_check_of(run)); });
    });
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

std::string table_as_text(const TableRows& table, const RunContext& run, const QueryOptions& options) {
  report::Cells cells;
  const std::size_t most = options.max_rows;  // none: the heading alone
  for_each_piece(table, run, std::max<std::size_t>(most, 1), [&](const report::Table& piece) {
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

std::string as_text(const Value& value, const Type& type, const RunContext& run, const QueryOptions& options) {
  if (const auto* table = value.as<TableRows>()) return table_as_text(*table, run, options);
  return visible(render_value(value, type, run)) + "\n";
}

/// A value that is no table as rows: of intervals and series their spans, of lists their items, of all else one with
/// the value, or both of its ends when the data is partial.
report::Table as_table(const Value& value, const Type& type, const RunContext& run) {
  const auto number = [](std::int64_t n, std::string_view unit) { return ValueEntry{n, std::string(unit)}; };
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

/// The CSV of an answer: the rows of one run as they come, those of several with the columns of all.
class CsvAnswer {
 public:
  explicit CsvAnswer(bool several) : several_(several) {}

  void add(const Value& value, const Type& type, const RunContext& run, const std::string& run_id) {
    const auto add_piece = [&](const report::Table& piece) {
      if (several_) append(piece, run_id, run);
      else if (out_.empty()) out_ = report::table_csv(piece, stop_check_of(run));
      else out_ += report::rows_csv(piece, stop_check_of(run));
    };
    if (const auto* table = value.as<TableRows>()) for_each_piece(*table, run, report::unlimited, add_piece);
    else add_piece(as_table(value, type, run));
  }

  std::string take(CancelFlag cancel) && {
    if (!several_ && !out_.empty()) return std::move(out_);
    for (auto& row : all_.rows) row.resize(all_.columns.size());
    return report::table_csv(all_, [cancel] { stop_if(cancel); });
  }

 private:
  /// A run's rows behind those of the runs before it, whose columns may be others.
  void append(const report::Table& piece, const std::string& run_id, const RunContext& run) {
    const auto place = [this](const std::string& name) {
      const auto found = std::find(all_.columns.begin(), all_.columns.end(), name);
      if (found == all_.columns.end()) return all_.columns.push_back(name), all_.columns.size() - 1;
      return static_cast<std::size_t>(found - all_.columns.begin());
    };
    std::vector<std::size_t> places;
    const std::size_t run_place = place("run");
    for (const std::string& name : piece.columns) places.push_back(place(name));
    for (const auto& row : piece.rows) {
      run.stop_if_cancelled();
      std::vector<ValueEntry> cells(all_.columns.size());
      for (std::size_t i = 0; i < row.size(); ++i) cells[places[i]] = row[i];
      cells[run_place] = {run_id, "text"};
      all_.rows.push_back(std::move(cells));
    }
  }

  bool several_;
  std::string out_;    ///< of one run
  report::Table all_;  ///< of several
};

}  // namespace

QueryAnswer answer_query(const LoadedFacts& facts, const Library& library, const Plan& plan,
                         const QueryOptions& options) {
  QueryAnswer answer;
  JsonWriter json;
  const bool several = facts.runs.size() > 1;
  CsvAnswer csv(several);
  const Baselines baselines(facts, options.baseline ? &options.baseline->loaded() : nullptr, options.cancel);
  const auto answer_run = [&](std::size_t place) {
    const RunFacts& run_facts = facts.runs[place];
    const RunContext run(baselines.judged(place), baselines.of(place), options.cancel);
    SubjectFacts subject_facts(run, Subject{}, library.shared);
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
    if (options.text && several) answer.text += "run " + run_facts.id + (value.as<TableRows>() ? ":\n" : ": ");
    if (options.text) answer.text += as_text(value, plan.type, run, options);
    if (options.json) write_answer(json, value, plan.type, run, several ? &run_facts.id : nullptr);
    if (options.csv) csv.add(value, plan.type, run, run_facts.id);
  };
  if (several) {
    json.array(Layout::lines, [&] {
      for (std::size_t place = 0; place < facts.runs.size(); ++place) answer_run(place);
    });
  } else {
    for (std::size_t place = 0; place < facts.runs.size(); ++place) answer_run(place);
  }
  if (options.json) answer.json = json.take();
  if (options.csv) answer.csv = std::move(csv).take(options.cancel);
  return answer;
}

}  // namespace kdiag
