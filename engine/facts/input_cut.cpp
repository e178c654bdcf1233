// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/input_cut.hpp"

#include <algorithm>
#include <string_view>

#include <kdiag/note_ids.hpp>

namespace kdiag {

bool input_was_cut(const FactStore& store) {
  constexpr std::string_view cuts[] = {note_id::input_cut,        note_id::stream_damaged,  note_id::read_failed,
                                       note_id::database_damaged, note_id::unpacks_too_far, note_id::unpack_limit,
                                       note_id::unpack_memory};
  for (std::size_t row = 0; row < store.rows(table("notes")); ++row)
    if (std::find(std::begin(cuts), std::end(cuts), store.text(column("notes.id"), row)) != std::end(cuts)) return true;
  return false;
}

}  // namespace kdiag
