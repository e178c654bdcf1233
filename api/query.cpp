// SPDX-License-Identifier: Apache-2.0
#include "api/query.hpp"

#include <algorithm>

#include <kdiag/format.hpp>

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

std::string as_text(const Value& value, const Type& type, const RunContext& run) {
  if (const auto* table = value.as<TableRows>())
    return report::table_text(report::table_of(to_rows(*table, run, table->size())));
  return render_value(value, type, run) + "\n";
}

}  // namespace

QueryAnswer answer_query(const LoadedFacts& facts, const Library& library, const Plan& plan) {
  QueryAnswer answer;
  JsonWriter json;
  const bool several = facts.runs.size() > 1;
  const auto answer_run = [&](const RunFacts& run_facts) {
    RunContext run(*run_facts.store);
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
    if (several) answer.text += "run " + run_facts.id + ": ";
    answer.text += as_text(value, plan.type, run);
    write_answer(json, value, plan.type, run, several ? &run_facts.id : nullptr);
  };
  if (several) {
    json.array(Layout::lines, [&] {
      for (const RunFacts& run : facts.runs) answer_run(run);
    });
  } else {
    for (const RunFacts& run : facts.runs) answer_run(run);
  }
  answer.json = json.take();
  return answer;
}

}  // namespace kdiag
