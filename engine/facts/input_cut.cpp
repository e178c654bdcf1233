// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/input_cut.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <kdiag/note_ids.hpp>

namespace kdiag {
namespace {

bool has_note(const FactStore& store, std::span<const std::string_view> ids) {
  for (std::size_t row = 0; row < store.rows(table("notes")); ++row)
    if (std::find(ids.begin(), ids.end(), store.text(column("notes.id"), row)) != ids.end()) return true;
  return false;
}

}  // namespace

bool input_was_cut(const FactStore& store) {
  constexpr std::string_view cuts[] = {note_id::input_cut,        note_id::stream_damaged,  note_id::read_failed,
                                       note_id::database_damaged, note_id::unpacks_too_far, note_id::unpack_limit,
                                       note_id::unpack_memory};
  return has_note(store, cuts);
}

bool table_was_shortened(const FactStore& store) {
  constexpr std::string_view shortened[] = {note_id::rows_not_printed};
  return has_note(store, shortened);
}

}  // namespace kdiag
