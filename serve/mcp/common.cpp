// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/common.hpp"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "serve/mcp/inert.hpp"
#include "serve/mcp/tool_error.hpp"

namespace kdiag::serve::mcp {

Answer new_answer(const Call& call) {
  return Answer(static_cast<std::size_t>(call.arguments.number("max_tokens").value_or(usual_tokens)));
}

LoadedTraces traces_of(Workspace& workspace, const Call& call) {
  ScopeOptions scope;
  scope.rank = call.arguments.number("rank");
  scope.device = call.arguments.number("device");
  const auto first = call.arguments.number("first_step"), last = call.arguments.number("last_step");
  if (first || last) scope.steps = {first.value_or(INT64_MIN), last.value_or(INT64_MAX)};
  if (scope.steps && scope.steps->first > scope.steps->second) throw ToolError("'first_step' lies behind 'last_step'");
  return workspace.traces.load(call.arguments.texts("traces"), call.arguments.texts("baseline"), scope, call.stop,
                               call.progress);
}

std::pair<std::string, std::size_t> cursor_of(const Call& call, std::initializer_list<std::string_view> lists) {
  const std::string cursor = call.arguments.text("cursor");
  if (cursor.empty()) return {};
  const std::size_t colon = cursor.find(':');
  const std::string list = cursor.substr(0, colon);
  std::size_t at = 0;
  const char* const end = cursor.data() + cursor.size();
  const bool numbered = colon != std::string::npos && std::from_chars(cursor.data() + colon + 1, end, at).ptr == end &&
                        colon + 1 < cursor.size();
  if (!numbered || std::find(lists.begin(), lists.end(), list) == lists.end())
    throw ToolError("'" + inert(cursor) + "' is no cursor of this tool: pass on `next_cursor` of its last answer");
  return {list, at};
}

void stop_if_told(const Call& call) {
  if (call.stop) throw ToolError("the call was stopped before it had an answer");
}

void tell_inputs(const Workspace& workspace, const std::vector<InputEntry>& inputs, Answer& answer) {
  constexpr std::size_t most_inputs = 3, most_notes = 2;  // judgement: a head that is shorter than the answer
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(inputs.size(), most_inputs); ++i) {
    const InputEntry& input = inputs[i];
    Json notes = Json::array();
    std::string text = "input " + inert(workspace.roots.shown(input.path), 80) + " (" +
                       (input.adapter.empty() ? std::string("not read") : input.adapter) + ")";
    for (const NoteEntry& note : input.notes) {
      if (note.severity == NoteSeverity::info || notes.size() == most_notes) continue;
      notes.push_back({{"id", note.id}, {"text", inert(note.text, 100)}});
      text += "; note " + note.id + ": " + inert(note.text, 100);
    }
    list.push_back(
        {{"path", inert(workspace.roots.shown(input.path), 80)}, {"format", input.adapter}, {"notes", notes}});
    answer.say(text);
  }
  answer.set("inputs", std::move(list));
  if (inputs.size() > most_inputs) {
    answer.set("inputs_left_out", inputs.size() - most_inputs);
    answer.say("and " + std::to_string(inputs.size() - most_inputs) + " more inputs");
  }
}

}  // namespace kdiag::serve::mcp
