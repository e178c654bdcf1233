// SPDX-License-Identifier: Apache-2.0
// A trend as text, as Markdown and as JSON.
#include <kdiag/trend.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/markdown_table.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag {
namespace {

constexpr std::size_t width = 100, longest_bar = 30, shown_parts = 3;
constexpr double least_part = 0.05;  // of a change, for a part to be named (judgement)

std::string rounded(double p) { return format_number(std::round(p * 1000) / 1000); }

/// "idle.host_sync +1.2 ms, compute +0.1 ms"
std::string parts_phrase(const TrendChange& change) {
  std::vector<std::string> parts;
  const auto whole = static_cast<double>(std::abs(change.after_ns - change.before_ns));
  for (const TrendPart& part : change.parts) {
    const std::int64_t delta = part.after_ns - part.before_ns;
    if (parts.size() == shown_parts || std::abs(static_cast<double>(delta)) < least_part * whole) break;
    parts.push_back(visible(part.name) + " " + report::signed_duration(delta));
  }
  return join(parts, ", ");
}

/// "+17 %" where a new level begins with that run, else nothing.
std::string change_at(const Trend& trend, std::size_t run) {
  const auto change = std::find_if(trend.changes.begin(), trend.changes.end(),
                                   [run](const TrendChange& one) { return one.first == run; });
  return change == trend.changes.end() ? "" : report::signed_share(change->change);
}

/// The runs in order, a bar for each cycle, and a mark where a new level begins.
std::string runs_table(const Trend& trend) {
  std::int64_t longest = 1;
  for (const TrendRun& run : trend.runs) longest = std::max(longest, run.cycle_ns.value_or(0));
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < trend.runs.size(); ++i) {
    const TrendRun& run = trend.runs[i];
    const double share = static_cast<double>(run.cycle_ns.value_or(0)) / static_cast<double>(longest);
    cells.push_back(
        {shorten_middle(visible(run.path), 40), run.cycle_ns ? format_duration(*run.cycle_ns) : "",
         run.cycle_ns ? std::string(static_cast<std::size_t>(std::lround(share * longest_bar)), '=') : "left out",
         change_at(trend, i)});
  }
  std::string out;
  for (const std::string& line : report::align_columns(std::move(cells), {false, true, false, true}, width - 3))
    out += "   " + line + "\n";
  return out;
}

}  // namespace

std::string to_text(const Trend& trend) {
  std::string out = " " + report::verdict_word(trend.verdict) + " " + visible(trend.reason) + "\n";
  for (const TrendChange& change : trend.changes) {
    out += "    " + visible(trend.runs[change.first].path) + ": " + format_duration(change.before_ns) + " -> " +
           format_duration(change.after_ns) + ", " + report::signed_share(change.change) + " (p " + rounded(change.p) +
           ")";
    const std::string parts = parts_phrase(change);
    out += parts.empty() ? "\n" : "; " + parts + "\n";
  }
  out += "\n" + runs_table(trend);
  for (const TrendRun& run : trend.runs)
    if (!run.cycle_ns) out += "   left out " + visible(run.path) + ": " + visible(run.left_out) + "\n";
  return out;
}

std::string to_markdown(const Trend& trend) {
  std::string out = "**" + report::verdict_word(trend.verdict) + "** " + markdown(trend.reason) + "\n\n";
  if (!trend.changes.empty())
    out += report::table_head({"since", "before", "after", "change", "p", "most of it"},
                              {false, true, true, true, true, false});
  for (const TrendChange& change : trend.changes)
    out += report::table_row({markdown(trend.runs[change.first].path), format_duration(change.before_ns),
                              format_duration(change.after_ns), report::signed_share(change.change), rounded(change.p),
                              markdown(parts_phrase(change))});
  if (!trend.changes.empty()) out += "\n";
  out += report::table_head({"run", "cycle", "level"}, {false, true, true});
  for (std::size_t i = 0; i < trend.runs.size(); ++i) {
    const TrendRun& run = trend.runs[i];
    out += report::table_row({markdown(run.path),
                              run.cycle_ns ? format_duration(*run.cycle_ns) : "left out: " + markdown(run.left_out),
                              change_at(trend, i)});
  }
  return out;
}

std::string to_json(const Trend& trend) {
  JsonWriter json;
  json.object([&] {
    json.member("schema", "kdiag.trend/1");
    json.member("version", version());
    json.member("verdict", name_of(trend.verdict));
    json.member("reason", trend.reason);
    json.text_or_null("basis", name_of(trend.basis));
    json.text_or_null("name", trend.name);
    json.list("runs", trend.runs, [&](const TrendRun& run) {
      json.object(Layout::line, [&] {
        json.member("path", run.path);
        json.member("cycle_ns", run.cycle_ns);
        json.member("cycles", run.cycles);
        json.text_or_null("left_out", run.left_out);
      });
    });
    json.list("changes", trend.changes, [&](const TrendChange& change) {
      json.object([&] {
        json.member("run", static_cast<std::int64_t>(change.first));
        json.member("path", trend.runs[change.first].path);
        json.member("before_ns", change.before_ns);
        json.member("after_ns", change.after_ns);
        json.member("change", change.change);
        json.member("p", change.p);
        json.list("parts", change.parts, [&](const TrendPart& part) {
          json.object(Layout::line, [&] {
            json.member("name", part.name);
            json.member("before_ns", part.before_ns);
            json.member("after_ns", part.after_ns);
          });
        });
      });
    });
  });
  return json.take();
}

}  // namespace kdiag
