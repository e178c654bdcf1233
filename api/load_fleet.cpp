// SPDX-License-Identifier: Apache-2.0
// Loading many ranks: each trace becomes its summary first, and the summaries one run.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/fleet.hpp>
#include <kdiag/input.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "base/interrupt.hpp"
#include "base/packed_text.hpp"
#include "base/parallel.hpp"
#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "ingest/read_inputs.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

/// A member with its summary.
struct RankFile {
  FleetMember member;
  std::string summary;  ///< made of a recording; empty where the member is one
  std::string content;  ///< by which copies are known
  std::string error;    ///< why there is none
};

/// The bytes of a summary; without them why there are none.
Result<std::string> read_summary(const std::string& path, CancelFlag cancel) {
  std::string bytes;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const int failed = error ? error.value() : read_text_file(path, size, bytes, cancel);
  if (failed != 0) return load_error(note_id::read_failed, std::generic_category().message(failed));
  if (!is_whole_frame(bytes)) return load_error(note_id::read_failed, "the summary is cut or damaged; write it again");
  return bytes;
}

void fill(RankFile& rank, const RuleSet& rules, const LoadOptions& options) {
  if (rank.member.inputs.empty()) {
    const Result<std::string> bytes = read_summary(rank.member.path, options.cancel);
    if (bytes) rank.content = sha256(*bytes);
    else rank.error = bytes.error().front().title;
    return;
  }
  Result<Summary> summary = summarize(rank.member.inputs, rules, options);
  if (summary) {
    rank.summary = std::move(summary->bytes);
    rank.content = sha256(rank.summary);
  } else if (summary.error().front().id == refusal_id::interrupted) {
    throw Interrupted{};
  } else {
    rank.error = summary.error().front().title;
  }
}

}  // namespace

bool holds_summary(const std::string& path) { return static_cast<bool>(read_summary(path, nullptr)); }

Result<Fleet> load_fleet(std::span<const std::string> paths, const FleetOptions& options) {
  FleetMembers found = fleet_members(paths);
  std::vector<RankFile> ranks;
  for (FleetMember& member : found.members) ranks.push_back({std::move(member), {}, {}, {}});
  LoadOptions alone = options.load;
  alone.threads = 1;
  alone.progress = nullptr;
  alone.log = nullptr;
  RuleOptions of_recordings{.threads = options.load.threads, .cancel = options.load.cancel};
  of_recordings.builtin = std::any_of(ranks.begin(), ranks.end(), [](const RankFile& rank) {
    return !rank.member.inputs.empty();  // summaries have been judged
  });
  const Result<RuleSet> rules = builtin_rules(of_recordings);
  if (!rules) return rules.error();
  try {
    parallel_for(ranks.size(), options.jobs, [&](std::size_t i) {
      stop_if(options.load.cancel);
      fill(ranks[i], *rules, alone);
    });
  } catch (const Interrupted&) {
    return cancelled_error();
  }
  std::vector<std::string> copies, unreadable = std::move(found.unreadable);
  std::set<std::string> contents;
  std::vector<TraceInput> inputs;
  for (const RankFile& rank : ranks) {
    const std::string& path = rank.member.path;
    if (!rank.error.empty()) unreadable.push_back(path + ": " + rank.error);
    else if (!contents.insert(rank.content).second) copies.push_back(path);
    else if (rank.summary.empty()) inputs.push_back(TraceInput::path(path));
    else inputs.push_back(TraceInput::memory(path, rank.summary));
  }
  // Where nothing can be summarised, files are judged as they are, and what is wrong with each is said as of any input.
  Result<Facts> facts = inputs.empty() ? load_traces(paths, options.load) : load_inputs(inputs, options.load);
  if (!facts) return std::move(facts.error());
  if (inputs.empty()) unreadable.clear();
  return Fleet{std::move(*facts), std::move(copies), std::move(unreadable), std::move(found.skipped)};
}

}  // namespace kdiag
