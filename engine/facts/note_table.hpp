// SPDX-License-Identifier: Apache-2.0
// The notes that inputs can earn: one table of id, severity, text and advice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <kdiag/report.hpp>

namespace kdiag {

struct NoteInfo {
  std::string_view id;  ///< K6xx
  NoteSeverity severity;
  std::string_view text;  ///< one sentence; the note's detail follows in parentheses
  std::string_view help;  ///< what the user can do; may be empty
};

std::span<const NoteInfo> note_table();
bool is_note(std::string_view id);
/// The row of an id; a bug (assertion) when there is none.
const NoteInfo& note_info(std::string_view id);

/// The severity of a word; nothing when it is none.
std::optional<NoteSeverity> note_severity_of(std::string_view word);

/// A note as reports show it: what happened, the detail in parentheses, and what to do.
NoteEntry make_note(std::string_view id, std::string_view detail, std::uint64_t count = 1);

}  // namespace kdiag
