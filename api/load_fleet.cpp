// SPDX-License-Identifier: Apache-2.0
// Loading many ranks: each trace becomes its summary first, and the summaries one run.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/fleet.hpp>
#include <kdiag/input.hpp>
#include <kdiag/refusal_ids.hpp>

#include "base/interrupt.hpp"
#include "base/packed_text.hpp"
#include "base/parallel.hpp"
#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "ingest/read_inputs.hpp"
#include "ingest/walk_folder.hpp"

namespace kdiag {
namespace {

constexpr std::string_view summary_ending = ".kds";

/// What stands directly in folders, in the order of numbers; all else as it is.
std::vector<std::string> members_of(std::span<const std::string> paths) {
  std::vector<std::string> members;
  for (const std::string& path : paths) {
    std::error_code failed;
    std::filesystem::directory_iterator folder(path, failed);
    if (failed) {
      members.push_back(path);
      continue;
    }
    const std::size_t first = members.size();
    for (; !failed && folder != std::filesystem::directory_iterator(); folder.increment(failed))
      if (!folder->path().filename().string().starts_with('.')) members.push_back(folder->path().string());
    std::sort(members.begin() + static_cast<std::ptrdiff_t>(first), members.end(), natural_less);
  }
  return members;
}

/// One rank's recording, or its summary.
struct RankFile {
  std::string path;
  std::string summary;  ///< made of a recording; empty where the file is one
  std::string content;  ///< by which copies are known
  std::string error;    ///< why there is none
};

void fill(RankFile& member, const LoadOptions& options) {
  if (member.path.ends_with(summary_ending)) {
    std::string bytes;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(member.path, error);
    const int failed = error ? error.value() : read_text_file(member.path, size, bytes, options.cancel);
    if (failed != 0) member.error = std::generic_category().message(failed);
    else if (!is_whole_frame(bytes)) member.error = "the summary is cut or damaged; write it again";
    else member.content = sha256(bytes);
    return;
  }
  Result<std::string> summary = summarize({&member.path, 1}, options);
  if (summary) {
    member.summary = std::move(*summary);
    member.content = sha256(member.summary);
  } else if (summary.error().front().id == refusal_id::interrupted) {
    throw Interrupted{};
  } else {
    member.error = summary.error().front().title;
  }
}

}  // namespace

Result<Fleet> load_fleet(std::span<const std::string> paths, const FleetOptions& options) {
  std::vector<RankFile> members;
  std::vector<std::string> files = members_of(paths);
  std::sort(files.begin(), files.end(),
            natural_less);  // of a rank that was recorded twice the same one is taken each time
  for (std::string& path : files) members.push_back({std::move(path), {}, {}, {}});
  LoadOptions alone = options.load;
  alone.threads = 1;
  alone.progress = nullptr;
  alone.log = nullptr;
  try {
    parallel_for(members.size(), options.jobs, [&](std::size_t i) {
      stop_if(options.load.cancel);
      fill(members[i], alone);
    });
  } catch (const Interrupted&) {
    return cancelled_error();
  }
  std::vector<std::string> copies, unreadable;
  std::set<std::string> contents;
  std::vector<TraceInput> inputs;
  for (const RankFile& member : members) {
    if (!member.error.empty()) unreadable.push_back(member.path + ": " + member.error);
    else if (!contents.insert(member.content).second) copies.push_back(member.path);
    else if (member.summary.empty()) inputs.push_back(TraceInput::path(member.path));
    else inputs.push_back(TraceInput::memory(member.path, member.summary));
  }
  // Where nothing can be summarised, files are judged as they are, and what is wrong with each is said as of any input.
  Result<Facts> facts = inputs.empty() ? load_traces(paths, options.load) : load_inputs(inputs, options.load);
  if (!facts) return std::move(facts.error());
  if (inputs.empty()) unreadable.clear();
  return Fleet{std::move(*facts), std::move(copies), std::move(unreadable)};
}

}  // namespace kdiag
