// SPDX-License-Identifier: Apache-2.0
#include "ingest/assign_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <kdiag/note_ids.hpp>

#include "engine/facts/note_table.hpp"
#include "ingest/capture.hpp"
#include "ingest/names/rank_in_name.hpp"

namespace kdiag {
namespace {

/// How much of the paths is the same in all: whole folders.
std::size_t common_folders(std::span<Reading* const> files) {
  const std::string& first = files.front()->entry.path;
  std::size_t same = first.size();
  for (const Reading* file : files) {
    const std::string& path = file->entry.path;
    const auto differs = std::mismatch(first.begin(), first.end(), path.begin(), path.end()).first;
    same = std::min(same, static_cast<std::size_t>(differs - first.begin()));
  }
  const std::size_t slash = first.rfind('/', same == 0 ? 0 : same - 1);
  return slash == std::string::npos || slash >= same ? 0 : slash + 1;
}

}  // namespace

void assign_rank_by_name(Reading& reading, std::string_view name) {
  const auto rank = rank_in_name(name);
  if (!rank) return;
  bool stated = false;
  for (Fragment& fragment : reading.fragments)
    if (!fragment.info.telemetry && ranks_of(fragment).empty()) {
      fragment.info.rank = *rank;
      stated = true;
    }
  if (stated) reading.entry.notes.push_back(make_note(note_id::rank_from_name, "rank " + std::to_string(*rank)));
}

void assign_ranks_by_names(std::span<Reading* const> files) {
  if (files.size() < 2) return;
  const std::size_t common = common_folders(files);
  std::set<std::int64_t> ranks;
  for (const Reading* file : files) {
    const auto rank = rank_in_name(std::string_view(file->entry.path).substr(common));
    if (!rank || !ranks.insert(*rank).second) return;
  }
  for (Reading* file : files) assign_rank_by_name(*file, std::string_view(file->entry.path).substr(common));
}

}  // namespace kdiag
