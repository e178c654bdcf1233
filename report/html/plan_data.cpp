// SPDX-License-Identifier: Apache-2.0
#include "report/html/plan_data.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <kdiag/plan.hpp>

#include "base/escape.hpp"
#include "report/html/shown.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/plan_phrases.hpp"

namespace kdiag::report {
namespace {

void write_names(JsonWriter& json, std::string_view name, const std::vector<std::string>& names, std::size_t limit) {
  json.array(name, Layout::line, [&] {
    for (std::size_t i = 0; i < std::min(limit, names.size()); ++i) json.value(shown(names[i]));
    if (names.size() > limit) json.value("and " + std::to_string(names.size() - limit) + " more");
  });
}

void write_planned(JsonWriter& json, const PlannedRecording& recording, const PageLimits& limits) {
  json.object(Layout::line, [&] {
    sentence(json, "how", recording.how);
    json.text_or_null("command", shorten_middle(visible_lines(recording.command), longest_sentence));
    json.member("settled", shown(settles_phrase(recording)));
    sentence(json, "cost", cost_phrase(recording));
    write_names(json, "facts", recording.facts, limits.lines);
    write_names(json, "settles", recording.settles, limits.lines);
  });
}

void write_run_plan(JsonWriter& json, const Report& report, const RunPlan& plan, const PageLimits& limits) {
  const std::size_t recordings = std::min(limits.lines, plan.recordings.size());
  const std::size_t open = std::min(limits.lines, plan.open.size());
  json.object(Layout::line, [&] {
    sentence(json, "summary", plan_summary(report, plan));
    json.array("recordings", Layout::line, [&] {
      for (std::size_t i = 0; i < recordings; ++i) write_planned(json, plan.recordings[i], limits);
    });
    json.array("open", Layout::line, [&] {
      for (std::size_t i = 0; i < open; ++i)
        json.object(Layout::line, [&] {
          json.member("rule", shown(plan.open[i].rule));
          sentence(json, "reason", plan.open[i].reason);
        });
    });
    json.member("left_out", static_cast<std::int64_t>(plan.recordings.size() - recordings + plan.open.size() - open));
  });
}

}  // namespace

std::string plan_data(const Report& report, const PageLimits& limits, CancelFlag stop) {
  static const std::vector<RunPlan> none;
  const std::vector<RunPlan>& plans = report.plan ? report.plan->runs : none;
  const std::size_t count = std::min(limits.runs, plans.size());
  JsonWriter json(stop);
  json.object(Layout::line, [&] {
    json.member("product", product_phrase(report));
    json.array("plans", Layout::line, [&] {
      for (std::size_t i = 0; i < count; ++i) write_run_plan(json, report, plans[i], limits);
    });
    json.member("plans_left_out", static_cast<std::int64_t>(plans.size() - count));
  });
  return json.take();
}

}  // namespace kdiag::report
