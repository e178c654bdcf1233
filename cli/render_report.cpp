// SPDX-License-Identifier: Apache-2.0
#include "cli/render_report.hpp"

#include <unistd.h>

#include <chrono>

#include <kdiag/timings.hpp>

#include "cli/command.hpp"

namespace kdiag::cli {

std::string render_report(const Options& options, const Report& report, HtmlOptions judged) {
  judged.cancel = &interrupted;
  switch (options.format) {
    case Format::html: return to_html(report, judged);
    case Format::json: return to_json(report, &interrupted);
    case Format::markdown: return to_markdown(report, &interrupted);
    case Format::junit: return to_junit(report, &interrupted);
    case Format::sarif: return to_sarif(report, &interrupted);
    default: break;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::string text = to_text(report, {.color = options.output.empty() && colors_wanted(options, STDOUT_FILENO),
                                      .all = options.all,
                                      .whole_comparison = options.verb == Verb::compare,
                                      .changes = options.top.value_or(TextOptions{}.changes),
                                      .cancel = &interrupted});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (report.timings) text += "\n" + timings_text(*report.timings, took.count());
  return text;
}

}  // namespace kdiag::cli
