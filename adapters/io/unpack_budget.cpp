// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/unpack_budget.hpp"

#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/io/byte_source.hpp"

namespace kdiag::adapters {

Diagnostic UnpackBudget::error() const {
  if (is_bomb())
    return input_error(note_id::unpacks_too_far,
                       "this unpacks to more than 500 times its size and was not read to its end",
                       "No recording packs so well. If you trust it, unpack it by hand and pass what is inside.");
  return input_error(note_id::unpack_limit,
                     "the inputs unpack to more than " + std::to_string(most_) +
                         " bytes, the limit that is set, and this was not read to its end",
                     "Raise the limit (kdiag --max-unpacked), or unpack it by hand and pass what is inside.");
}

}  // namespace kdiag::adapters
