// SPDX-License-Identifier: Apache-2.0
// kdiag trend RUN...: when a program became slower or faster over many runs.
#include <kdiag/trend.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/read_traces.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {

int show_trend(Options& options) {
  if (!load_maps(options)) return exit_code::rules;
  std::unique_ptr<Progress> progress = show_progress(options);
  const Result<Trend> found = trend(options.files, {.load = options.load, .anchor = options.compare.anchor});
  progress.reset();
  if (!found) {
    if (!interrupted) complain(options, found.error());
    return interrupted ? exit_code::interrupted : exit_code::usage;
  }
  const auto unreadable = std::count_if(found->runs.begin(), found->runs.end(), std::mem_fn(&TrendRun::unreadable));
  const bool none = unreadable == std::ssize(found->runs);
  if (none) complain(options, found->runs.empty() ? "there is no run" : "none of the runs can be read");
  const std::optional<Severity> severity = severity_of(*found);
  const bool failed = options.fail_on && severity && *severity >= *options.fail_on;
  const bool open = options.strict && found->verdict == Verdict::inconclusive;
  const std::string out = options.format == Format::json       ? to_json(*found)
                          : options.format == Format::markdown ? to_markdown(*found)
                                                               : to_text(*found);
  return print(options, out,
               worst({failed ? exit_code::findings : exit_code::ok, open ? exit_code::inconclusive : exit_code::ok,
                      none || (options.strict && unreadable > 0) ? exit_code::usage : exit_code::ok}));
}

}  // namespace kdiag::cli
