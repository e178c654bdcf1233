// SPDX-License-Identifier: Apache-2.0
#include "workshop/query.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/interrupt.hpp"
#include "base/json_writer.hpp"
#include "engine/eval/render.hpp"
#include "report/phrases/table.hpp"
#include "workshop/answer.hpp"

namespace kdiag {
namespace {

/// Of several places which one; a run is its own subject.
void write_place(JsonWriter& json, const AskedPlace& place) {
  json.member("run", place.run_id);
  if (place.subject.kind == SubjectKind::run) return;
  json.member("subject", place.run->label(place.subject));
}

std::string place_text(const AskedPlace& place) {
  return "run " + place.run_id +
         (place.subject.kind == SubjectKind::run ? "" : ", " + visible(place.run->label(place.subject)));
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

  void add(const Value& value, const Type& type, const AskedPlace& asked) {
    const RunContext& run = *asked.run;
    const auto add_piece = [&](const report::Table& piece) {
      if (several_) append(piece, asked);
      else if (out_.empty()) out_ = report::table_csv(piece, stop_check_of(run));
      else out_ += report::rows_csv(piece, stop_check_of(run));
    };
    if (const auto* table = value.as<TableRows>()) for_each_piece(*table, run, all_rows, add_piece);
    else add_piece(as_table(value, type, run));
  }

  std::string take(CancelFlag cancel) && {
    if (!several_ && !out_.empty()) return std::move(out_);
    for (auto& row : all_.rows) row.resize(all_.columns.size());
    return report::table_csv(all_, [cancel] { stop_if(cancel); });
  }

 private:
  /// The rows of a place behind those of the places before it, whose columns may be others.
  void append(const report::Table& piece, const AskedPlace& asked) {
    const auto place = [this](const std::string& name) {
      const auto found = std::find(all_.columns.begin(), all_.columns.end(), name);
      if (found == all_.columns.end()) return all_.columns.push_back(name), all_.columns.size() - 1;
      return static_cast<std::size_t>(found - all_.columns.begin());
    };
    std::vector<std::size_t> places;
    const std::size_t run_place = place("run");
    const bool of_run = asked.subject.kind == SubjectKind::run;
    const std::size_t subject_place = of_run ? run_place : place("subject");
    for (const std::string& name : piece.columns) places.push_back(place(name));
    for (const auto& row : piece.rows) {
      asked.run->stop_if_cancelled();
      std::vector<ValueEntry> cells(all_.columns.size());
      for (std::size_t i = 0; i < row.size(); ++i) cells[places[i]] = row[i];
      cells[run_place] = {asked.run_id, "text"};
      if (!of_run) cells[subject_place] = {asked.run->label(asked.subject), "text"};
      all_.rows.push_back(std::move(cells));
    }
  }

  bool several_;
  std::string out_;    ///< of one run
  report::Table all_;  ///< of several
};

Value evaluated(const AskedPlace& place, const Library& library, const std::vector<PlanPtr>& lets, const Plan& plan) {
  SubjectFacts subject_facts(*place.run, place.subject, library.shared);
  Evaluator evaluator(*place.run, library, lets, subject_facts);
  try {
    return evaluator.eval(plan);
  } catch (const BudgetExceeded& budget) {
    return unknown_reason(budget.reason);
  }
}

}  // namespace

QueryAnswer answer_query(const AskedPlaces& places, const Library& library, const std::vector<PlanPtr>& lets,
                         const Plan& plan, const QueryOptions& options) {
  QueryAnswer answer;
  JsonWriter json;
  const bool several = places.all().size() > 1;
  CsvAnswer csv(several);
  const auto answer_one = [&](const AskedPlace& place) {
    const RunContext& run = *place.run;
    const Value value = evaluated(place, library, lets, plan);
    answer.unknown = answer.unknown || is_unknown(value, plan.type);
    const std::function<void()> name_place = [&] { write_place(json, place); };
    if (options.text && several) answer.text += place_text(place) + (value.as<TableRows>() ? ":\n" : ": ");
    if (options.text) answer.text += as_text(value, plan.type, run, options);
    if (options.json)
      write_answer(json, value, plan.type, run, all_rows, several ? name_place : std::function<void()>());
    if (options.csv) csv.add(value, plan.type, place);
  };
  if (several) {
    json.array(Layout::lines, [&] {
      for (const AskedPlace& place : places.all()) answer_one(place);
    });
  } else {
    for (const AskedPlace& place : places.all()) answer_one(place);
  }
  if (options.json) answer.json = json.take();
  if (options.csv) answer.csv = std::move(csv).take(options.cancel);
  return answer;
}

PlaceAnswer answer_place(const Value& value, const Type& type, const RunContext& run, const AnswerRows& rows) {
  PlaceAnswer out;
  JsonWriter json;
  write_answer(json, value, type, run, rows);
  out.json = json.take();
  const auto* table = value.as<TableRows>();
  if (table != nullptr) out.text = rows_as_text(*table, run, rows);
  else out.text = visible(render_value(value, type, run));
  const std::size_t size = size_of(value);
  out.rows_left_out = size - wanted(rows, size).second;
  out.unknown = is_unknown(value, type);
  return out;
}

PlaceAnswers answer_places(const AskedPlaces& places, const Library& library, const std::vector<PlanPtr>& lets,
                           const Plan& plan, const AnswerRows& rows, const PlaceRange& range) {
  const std::span<const AskedPlace> wanted = places.part(range);
  PlaceAnswers out{.places = {}, .left_out = places.behind(wanted)};
  for (const AskedPlace& place : wanted) {
    out.places.push_back(answer_place(evaluated(place, library, lets, plan), plan.type, *place.run, rows));
    out.places.back().run = place.run_id;
    out.places.back().subject = subject_entry(place);
  }
  return out;
}

}  // namespace kdiag
