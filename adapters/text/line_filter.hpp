// SPDX-License-Identifier: Apache-2.0
// An input of which each line is read as something else: without what stands in front of it, or not at all.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// What is read in the place of a line, which comes without its end; empty for a line that is left out, whose end
/// stays, so that line numbers do. `last`: no line end follows. May remember earlier lines, which come in order.
using LineFilter = std::function<std::string_view(std::string_view line, bool last)>;

/// The input with its lines as the filter gives them; a copy of it sees those of the head. `input` must outlive it, and
/// must not have been read from.
std::unique_ptr<Input> with_lines(Input& input, LineFilter filter);

}  // namespace kdiag::adapters
