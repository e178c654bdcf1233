// SPDX-License-Identifier: Apache-2.0
// kdiag summarize: the summary of a trace, or of each rank's trace in turn.
#include <kdiag/fleet.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/read_traces.hpp"
#include "cli/timeline.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

namespace fs = std::filesystem;

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

/// Whether a summary is there, whole, and no older than its trace.
bool is_made(const FleetMember& member, const std::string& summary) {
  std::error_code unknown;
  const fs::file_time_type made = fs::last_write_time(summary, unknown);
  if (unknown) return false;
  const fs::file_time_type recorded = fs::last_write_time(member.path, unknown);
  return !unknown && recorded <= made && holds_summary(summary);
}

/// Summarises one rank into a file; the exit code.
int summarize_member(const Options& options, const RuleSet& rules, const FleetMember& member, const std::string& file) {
  Result<Summary> summary = summarize(member.inputs, rules, options.load);
  if (!summary) {
    for (Diagnostic& error : summary.error())
      if (error.labels.empty()) error.title = member.path + ": " + error.title;  // says of which rank it is
    if (!interrupted) complain(options, summary.error());
    return exit_code::usage;
  }
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);  // what cannot be made cannot be written to
  if (const std::optional<std::string> failed = write_output(summary->bytes, file)) {
    complain(options, *failed);
    return exit_code::usage;
  }
  return say_losses(options, *summary);
}

/// Why no summaries can be made of these recordings, before any is: none is there, or two would have one file.
std::optional<std::string> refusal_of(const Options& options, const std::vector<const FleetMember*>& recordings) {
  if (recordings.empty()) return "there is no trace to summarise in what was given";
  std::map<std::string_view, std::string_view> paths;
  for (const FleetMember* member : recordings) {
    const auto [other, is_new] = paths.emplace(member->name, member->path);
    if (!is_new)
      return std::string(other->second) + " and " + member->path + " would have one summary, " + options.into + "/" +
             member->name + ".kds: summarise them one by one, each with a folder of its own as --into";
  }
  return std::nullopt;
}

/// Summarises this process's part of the ranks, going on behind those that fail.
int summarize_ranks(Options& options, const RuleSet& rules) {
  const FleetMembers found = fleet_members(options.files);
  for (const std::string& why : found.unreadable) warn(options, "left out: " + why);
  std::vector<const FleetMember*> recordings;
  for (const FleetMember& member : found.members)
    if (!member.inputs.empty()) recordings.push_back(&member);
  if (const std::optional<std::string> refused = refusal_of(options, recordings)) {
    complain(options, *refused);
    return exit_code::usage;
  }
  std::unique_ptr<Progress> progress = show_progress(options);
  int code = found.unreadable.empty() ? exit_code::ok : exit_code::usage;
  std::size_t made = 0, kept = 0, failed = 0;
  for (std::size_t i = options.part.index; i < recordings.size() && !interrupted; i += options.part.count) {
    const std::string file = options.into + "/" + recordings[i]->name + ".kds";
    if (is_made(*recordings[i], file)) {
      ++kept;
      continue;
    }
    const int one = summarize_member(options, rules, *recordings[i], file);
    code = worst({code, one});
    ++(one == exit_code::usage ? failed : made);
  }
  progress.reset();
  if (interrupted) return exit_code::interrupted;
  std::string told = std::to_string(made) + " summarised, " + std::to_string(kept) + " kept";
  if (failed > 0) told += ", " + std::to_string(failed) + " failed";
  return print(options, options.quiet ? std::string() : told + "\n", code);
}

}  // namespace

int summarize_traces(Options& options) {
  if (options.into.empty() && refuses_terminal(options, "a summary")) return exit_code::usage;
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules || !load_maps(options)) return exit_code::rules;
  if (!options.into.empty()) return summarize_ranks(options, *rules);
  std::unique_ptr<Progress> progress = show_progress(options);
  const Result<Summary> summary = summarize(options.files, *rules, options.load);
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
