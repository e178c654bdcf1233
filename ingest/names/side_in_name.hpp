// SPDX-License-Identifier: Apache-2.0
// Which side of a comparison a path says that it is: "normal_perf_data", "after-fix/rank0.json".
#pragma once

#include <cstdint>
#include <string_view>

namespace kdiag {

enum class NamedSide : std::uint8_t { unknown, normal, abnormal };

/// By whole words, where letters meet digits, capitals and other characters: normal, before, base(line), good, old,
/// ref(erence), healthy, control, original, expected against abnormal, after, test, new, candidate, bad, current,
/// faulty, fixed and their like. Unknown when words of both sides stand in the name, or none.
///
/// Example: side_in_name("cpu/normal_perf_data") == NamedSide::normal, side_in_name("abnormal2") == NamedSide::abnormal
NamedSide side_in_name(std::string_view name);

enum class NamedOrder : std::uint8_t {
  unknown,   ///< the names do not say it
  as_given,  ///< the first is the normal one
  reversed,  ///< the second is
};

/// Of two paths, by that part of them in which they differ. It is enough that one of them says what it is.
NamedOrder order_in_names(std::string_view first, std::string_view second);

}  // namespace kdiag
