// SPDX-License-Identifier: Apache-2.0
#include "cli/render_report.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <kdiag/code_hosts.hpp>
#include <kdiag/timings.hpp>

#include "cli/command.hpp"
#include "cli/terminal.hpp"

namespace kdiag::cli {
namespace {

constexpr std::size_t shown_costs = 10;  // judgement: a screen with the report above it

}  // namespace

std::string render_report(const Options& options, const Report& report, HtmlOptions judged) {
  judged.cancel = &interrupted;
  switch (options.format) {
    case Format::github: return to_github(report, &interrupted);
    case Format::gitlab: return to_gitlab(report, &interrupted);
    case Format::html: return to_html(report, judged);
    case Format::json: return to_json(report, &interrupted);
    case Format::markdown: return options.brief ? to_summary(report, &interrupted) : to_markdown(report, &interrupted);
    case Format::junit: return to_junit(report, &interrupted);
    case Format::sarif: return to_sarif(report, &interrupted);
    default: break;
  }
  const auto begin = std::chrono::steady_clock::now();
  TextOptions layout = text_options(options);
  layout.whole_comparison = options.verb == Verb::compare;
  layout.changes = options.top.value_or(layout.changes);
  std::string text = to_text(report, layout);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const std::size_t most = options.profile ? SIZE_MAX : shown_costs;
  if (report.timings) text += "\n" + timings_text(*report.timings, took.count(), most);
  return text;
}

}  // namespace kdiag::cli
