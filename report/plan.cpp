// SPDX-License-Identifier: Apache-2.0
// What to record next, as text, as JSON and as Markdown.
#include <kdiag/plan.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/ascii.hpp"
#include "report/phrases/plan_phrases.hpp"
#include "report/text/page.hpp"

namespace kdiag {
namespace {

using namespace report;

constexpr std::size_t plan_column = 12;  // where the texts of a recording start

const std::vector<RunPlan>& plans_of(const Report& report) {
  static const std::vector<RunPlan> none;
  return report.plan ? report.plan->runs : none;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(visible(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

void print_recording(Page& page, const PlannedRecording& recording, std::size_t number) {
  const std::string lead = " " + std::to_string(number) + "  ";
  page.heading(lead, lead.size(), recording.how, settles_phrase(recording), Style::strong);
  std::string head = "    " + page.paint(Style::faint, "Run") + "     ";
  for (const std::string& line : lines_of(recording.command)) {  // whole, since people copy it
    page.line(head + line);
    head.assign(plan_column, ' ');
  }
  page.field("Brings", 4, plan_column, words_of(join(recording.facts, ", ")));
  if (const std::string cost = cost_phrase(recording); !cost.empty())
    page.field("Cost", 4, plan_column, words_of(cost));
  if (!recording.settles.empty()) page.field("Settles", 4, plan_column, words_of(join(recording.settles, ", ")));
  page.line();
}

void print_open(Page& page, const RunPlan& plan) {
  if (plan.open.empty()) return;
  page.line(" " + page.paint(Style::strong, "no recording that is known settles"));
  for (const OpenRule& open : plan.open) page.field(open.rule + ":", 4, 6, words_of(open.reason));
}

std::string make_plan_text(const Report& report, const TextOptions& options) {
  Page page(options.width, options.color, options.cancel);
  if (plans_of(report).empty()) page.line("Nothing to record: no rule that applies lacks a fact.");
  bool apart = true;  // recordings end with a blank line
  for (const RunPlan& plan : plans_of(report)) {
    if (!apart) page.line();
    apart = plan.open.empty();
    page.field("", 0, 1, words_of(plan_summary(report, plan)));
    page.line();
    for (std::size_t i = 0; i < plan.recordings.size(); ++i) print_recording(page, plan.recordings[i], i + 1);
    print_open(page, plan);
  }
  return page.take();
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.array(name, Layout::line, [&] {
    for (const std::string& text : texts) json.value(text);
  });
}

void write_recording(JsonWriter& json, const PlannedRecording& recording) {
  json.object([&] {
    json.member("how", recording.how);
    json.member("command", recording.command);
    json.text_or_null("overhead", recording.overhead);
    json.text_or_null("size", recording.size);
    json.text_or_null("source", recording.source);
    write_texts(json, "facts", recording.facts);
    write_texts(json, "settles", recording.settles);
  });
}

std::string make_plan_json(const Report& report, const std::atomic<bool>* cancel) {
  JsonWriter json(cancel);
  json.object([&] {
    json.member("schema", "kdiag.plan/1");
    json.member("version", report.version);
    json.list("plans", plans_of(report), [&](const RunPlan& plan) {
      json.object([&] {
        write_texts(json, "runs", plan.runs);
        json.list("recordings", plan.recordings,
                  [&](const PlannedRecording& recording) { write_recording(json, recording); });
        json.list("open", plan.open, [&](const OpenRule& open) {
          json.object(Layout::line, [&] {
            json.member("rule", open.rule);
            json.member("reason", open.reason);
          });
        });
      });
    });
  });
  return json.take();
}

std::string make_plan_markdown(const Report& report, CancelFlag cancel) {
  std::string out = "# What to record next\n\n";
  if (plans_of(report).empty()) out += "Nothing: no rule that applies lacks a fact.\n";
  for (const RunPlan& plan : plans_of(report)) {
    out += markdown(plan_summary(report, plan)) + "\n\n";
    for (const PlannedRecording& recording : plan.recordings) {
      stop_if(cancel);
      out += "## " + markdown(recording.how) + "\n\n```\n" + join(lines_of(recording.command), "\n") + "\n```\n\n";
      out += "- **Brings:** " + markdown(join(recording.facts, ", ")) + "\n";
      if (const std::string cost = cost_phrase(recording); !cost.empty()) out += "- **Cost:** " + markdown(cost) + "\n";
      out += "- **Settles:** " +
             markdown(recording.settles.empty() ? settles_phrase(recording) : join(recording.settles, ", ")) + "\n\n";
    }
    if (!plan.open.empty()) out += "## No recording that is known settles\n\n";
    for (const OpenRule& open : plan.open) out += "- " + markdown(open.rule + ": " + open.reason) + "\n";
    if (!plan.open.empty()) out += "\n";
  }
  return out;
}

}  // namespace

std::string plan_text(const Report& report, const TextOptions& options) {
  return unless_interrupted([&] { return in_ascii(make_plan_text(report, options), options.ascii); });
}

std::string plan_json(const Report& report, const std::atomic<bool>* cancel) {
  return unless_interrupted([&] { return make_plan_json(report, cancel); });
}

std::string plan_markdown(const Report& report, const std::atomic<bool>* cancel) {
  return unless_interrupted([&] { return make_plan_markdown(report, cancel); });
}

}  // namespace kdiag
