// SPDX-License-Identifier: Apache-2.0
// Whose dialect of the Trace Event Format a text is in, from its first events.
#pragma once

#include <span>
#include <string_view>

namespace kdiag::adapters {

/// Whether an event within the text has one of these categories.
bool has_category(std::string_view text, std::span<const std::string_view> categories);

/// Whether Ascend's profilers wrote it. Their host rows are in Kineto's manner, but with times as strings and operators
/// without id. Their device rows may come after the head.
bool is_ascend(std::string_view text);

}  // namespace kdiag::adapters
