// SPDX-License-Identifier: Apache-2.0
// kdiag summarize: the summary of a trace.
#include <kdiag/fleet.hpp>

#include <memory>

#include "cli/command.hpp"
#include "cli/timeline.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

/// Says what of traces their summary lacks, and returns the exit code that says so.
int say_losses(const Options& options, const Summary& summary) {
  bool lost = false;
  for (const InputEntry& input : summary.inputs)
    for (const NoteEntry& note : input.notes) {
      if (note.severity < NoteSeverity::data_loss) continue;
      lost = true;
      warn(options, input.path + ": " + note.text, note.id);
    }
  return worst({unreadable(options, summary.inputs), options.strict && lost ? exit_code::inconclusive : exit_code::ok});
}

}  // namespace

int summarize_traces(Options& options) {
  if (refuses_terminal(options, "a summary")) return exit_code::usage;
  if (!load_maps(options)) return exit_code::rules;
  std::unique_ptr<Progress> progress = show_progress(options);
  const Result<Summary> summary = summarize(options.files, options.load);
  progress.reset();
  if (interrupted) return exit_code::interrupted;
  if (!summary) {
    complain(options, summary.error());
    return exit_code::usage;
  }
  const int code = say_losses(options, *summary);
  OutputStream output(options.output);
  output.write(summary->bytes);
  return finish(options, output, code);
}

}  // namespace kdiag::cli
