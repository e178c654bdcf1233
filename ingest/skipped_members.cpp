// SPDX-License-Identifier: Apache-2.0
#include "ingest/skipped_members.hpp"

#include <algorithm>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "engine/facts/note_table.hpp"
#include "ingest/collect_sink.hpp"

namespace kdiag {
namespace {

constexpr std::uint64_t most_names = 3;  // judgement: enough to see what they are

/// Errors that say what a file is, not what is wrong with it.
constexpr std::string_view no_traces[] = {refusal_id::empty,           refusal_id::git_lfs_pointer,
                                          refusal_id::nsys_report,     refusal_id::container,
                                          refusal_id::utf16,           refusal_id::unknown_format,
                                          refusal_id::format_not_read, refusal_id::too_many_layers,
                                          refusal_id::ncu_report,      refusal_id::no_accelerator_recording};

/// The title of such an error as a reason: "this is an nsys log, which ..." -> "an nsys log".
std::string reason_of(const Diagnostic& error) {
  if (error.id == refusal_id::unknown_format) return "no trace that kdiag knows";  // its title quotes the file
  std::string_view title = error.title;
  for (const std::string_view begin : {"this is ", "this input is ", "this "})
    if (title.starts_with(begin)) {
      title.remove_prefix(begin.size());
      break;
    }
  constexpr std::string_view unread = ", which this version of kdiag does not read";
  if (title.ends_with(unread)) title.remove_suffix(unread.size());
  return std::string(title);
}

}  // namespace

void SkippedMembers::add(std::string_view reason, std::string_view name) {
  auto found = by_reason_.find(reason);
  if (found == by_reason_.end()) found = by_reason_.emplace(std::string(reason), Names{}).first;
  Names& names = found->second;
  if (names.count < most_names) names.first.append(names.count > 0 ? ", " : "").append(name);
  else if (names.count == most_names) names.first += ", ...";
  ++names.count;
}

bool SkippedMembers::add(const Diagnostics& errors, std::string_view name) {
  if (errors.size() != 1) return false;
  const Diagnostic& error = errors.front();
  if (std::find(std::begin(no_traces), std::end(no_traces), error.id) == std::end(no_traces)) return false;
  add(reason_of(error), name);
  return true;
}

std::vector<NoteEntry> SkippedMembers::notes() const {
  std::vector<NoteEntry> notes;
  for (const auto& [reason, names] : by_reason_)
    notes.push_back(reason == hidden_reason
                        ? make_note(note_id::hidden_files_skipped, names.first, names.count)
                        : make_note(note_id::files_skipped, reason + ": " + names.first, names.count));
  return notes;
}

std::string SkippedMembers::summary() const {
  std::string text;
  for (const auto& [reason, names] : by_reason_)
    text += (text.empty() ? "" : "; ") + reason + ": " + std::to_string(names.count) + " (" + names.first + ")";
  return text;
}

}  // namespace kdiag
