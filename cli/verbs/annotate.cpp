// SPDX-License-Identifier: Apache-2.0
// kdiag annotate TRACE: the trace with its findings as rows.
#include <kdiag/timeline.hpp>

#include <optional>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/policy.hpp"
#include "cli/read_traces.hpp"
#include "cli/timeline.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {

int annotate_file(Options& options) {
  if (refuses_terminal(options, "an annotated trace")) return exit_code::usage;
  if (options.files.front() == "-") {
    complain(options, "a trace to annotate is read twice, which standard input cannot be; name a file");
    return exit_code::usage;
  }
  ReadAhead<Facts> traces(options, options.files,
                          [&options](const LoadOptions& load) { return load_traces(options.files, load); });
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // whose mistakes are said first
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = traces.take(code);
  if (!facts) return code;
  const std::optional<RuleSet> chosen = rules_for_devices(options, *rules, *facts, options.files);
  if (!chosen) return exit_code::rules;
  const Report report = diagnose(*facts, *chosen, {.threads = options.load.threads, .cancel = &interrupted});
  OutputStream output(options.output);
  const Status status =
      annotate_trace(options.files.front(), report, [&output](std::string_view piece) { return output.write(piece); },
                     {.gzip = options.output.ends_with(".gz"), .cancel = &interrupted, .facts = *facts});
  if (interrupted) return exit_code::interrupted;
  if (!status) {
    complain(options, status.error());
    return exit_code::usage;
  }
  return finish(options, output, unreadable(options, *facts));
}

}  // namespace kdiag::cli
