// SPDX-License-Identifier: Apache-2.0
// Where reading goes on behind an element of an array that is no JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters {

/// An element that is longer than this is looked at by itself: it may have lost a bracket or a quote and would swallow
/// what follows. Judgement: longer than nearly all real events, and short enough to be read again for each broken one.
inline constexpr std::size_t long_element_bytes = 16 * 1024;

struct ElementCheck {
  enum class State : std::uint8_t {
    complete,    ///< an object or array, as lenient as events are read
    incomplete,  ///< the text ends in it
    broken,      ///< whatever follows, it is none
  };
  State state = State::incomplete;
  std::size_t at = 0;  ///< just behind it when complete; the first byte that cannot stand there when broken
};

/// What begins with the text, which should be an object or array. Time: of what it looks at, once.
ElementCheck check_element(std::string_view text);

/// The place of the next element behind a broken one, with which `text` begins; `error` is where check_element() said
/// that it breaks. Nothing when there is none in this text.
std::optional<std::size_t> find_next_element(std::string_view text, std::size_t error);

/// The place of an element that stands within a broken one, because a bracket is missing before it or a quote is too
/// many. `element` is all of the broken one. Nothing when there is no such place.
std::optional<std::size_t> find_swallowed_element(std::string_view element);

}  // namespace kdiag::adapters
