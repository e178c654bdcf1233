// SPDX-License-Identifier: Apache-2.0
// What several tools take, and how they begin.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "serve/mcp/answer.hpp"
#include "serve/mcp/tools.hpp"

namespace kdiag::serve::mcp {

namespace argument {
inline constexpr Argument traces{
    "traces", Argument::Kind::texts, true,
    "Files or folders of one run, below the server's root: a trace, or the files of several ranks and of telemetry. "
    "FILE#2 is the second run of a file."};
inline constexpr Argument rules{"rules", Argument::Kind::texts, false,
                                "Rule files below the server's root that judge beside the built-in rules."};
inline constexpr Argument baseline{"baseline", Argument::Kind::texts, false,
                                   "Files of a run of the same work when it was good, for what compares."};
inline constexpr Argument rank{"rank", Argument::Kind::number, false, "Only this rank.", 0, 1'000'000};
inline constexpr Argument device{"device", Argument::Kind::number, false, "Only this device.", 0, 1'000'000};
inline constexpr Argument first_step{"first_step",     Argument::Kind::number, false, "Only from this step on.", 0,
                                     1'000'000'000'000};
inline constexpr Argument last_step{"last_step", Argument::Kind::number, false, "Only up to this step.",
                                    0,           1'000'000'000'000};
inline constexpr Argument max_tokens{
    "max_tokens",
    Argument::Kind::number,
    false,
    "Tokens that the text may have, and the structured data, too, at three ASCII bytes a token (default: 4000).",
    least_tokens,
    most_tokens};
inline constexpr Argument cursor{"cursor", Argument::Kind::text, false,
                                 "next_cursor of the last answer to the same call: what it left out."};
}  // namespace argument

/// An answer of as many tokens as the call allows.
Answer new_answer(const Call& call);

/// The traces, and the baseline, that the call names.
LoadedTraces traces_of(Workspace& workspace, const Call& call);

/// A list and the place in it from which a cursor goes on: {"findings", 5} of "findings:5"; {"", 0} without one. Throws
/// ToolError when it is none of the lists.
std::pair<std::string, std::size_t> cursor_of(const Call& call, std::initializer_list<std::string_view> lists);

/// The place among the runs or subjects from which a cursor of query goes on, and the row there: {3, 40} of "3:40", {0,
/// 0} without one. Throws ToolError when it is no such cursor.
std::pair<std::size_t, std::size_t> place_and_row_of(const Call& call);

/// Throws ToolError once the call was stopped: what was computed until then may lack something.
void stop_if_told(const Call& call);

/// What the first inputs of some facts are, with what was odd about them; of more the cursor is said.
void tell_inputs(const Workspace& workspace, const std::vector<InputEntry>& inputs, Answer& answer);
/// The inputs from a place on, as far as there is room.
void add_inputs(const Workspace& workspace, const std::vector<InputEntry>& inputs, std::size_t first, Answer& answer);

/// The schema of the inputs of an answer.
Json inputs_schema();

}  // namespace kdiag::serve::mcp
