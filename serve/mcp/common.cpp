// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/common.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

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

namespace {

[[noreturn]] void no_cursor(const std::string& cursor) {
  throw ToolError("'" + inert(cursor) + "' is no cursor of this tool: pass on `next_cursor` of its last answer");
}

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && at == end ? std::optional(out) : std::nullopt;
}

/// What stands before and behind the colon of a cursor.
std::pair<std::string_view, std::optional<std::size_t>> halves(std::string_view cursor) {
  const std::size_t colon = cursor.find(':');
  if (colon == std::string_view::npos) return {cursor, std::nullopt};
  return {cursor.substr(0, colon), number_in(cursor.substr(colon + 1))};
}

}  // namespace

std::pair<std::string, std::size_t> cursor_of(const Call& call, std::initializer_list<std::string_view> lists) {
  const std::string cursor = call.arguments.text("cursor");
  if (cursor.empty()) return {};
  const auto [list, at] = halves(cursor);
  if (!at || std::find(lists.begin(), lists.end(), list) == lists.end()) no_cursor(cursor);
  return {std::string(list), *at};
}

std::pair<std::size_t, std::size_t> place_and_row_of(const Call& call) {
  const std::string cursor = call.arguments.text("cursor");
  if (cursor.empty()) return {};
  const auto [place, row] = halves(cursor);
  const auto number = number_in(place);
  if (!number || !row) no_cursor(cursor);
  return {*number, *row};
}

void stop_if_told(const Call& call) {
  if (call.stop) throw ToolError("the call was stopped before it had an answer");
}

namespace {

std::pair<Json, std::string> input_entry(const Workspace& workspace, const InputEntry& input) {
  constexpr std::size_t most_notes = 2;  // judgement: what is odd of a whole run is told by each of its files
  const std::string path = inert(workspace.roots.shown(input.path), 80);
  Json notes = Json::array();
  std::size_t odd = 0;
  std::string text = "input " + path + " (" + (input.adapter.empty() ? std::string("not read") : input.adapter) + ")";
  for (const NoteEntry& note : input.notes) {
    if (note.severity == NoteSeverity::info || ++odd > most_notes) continue;
    const std::string said = inert(workspace.roots.without_roots(note.text), 100);
    notes.push_back({{"id", note.id}, {"text", said}});
    text += "; note " + note.id + ": " + said;
  }
  Json item = {{"path", path}, {"format", input.adapter}, {"notes", notes}};
  if (odd > most_notes) {
    item["notes_left_out"] = odd - most_notes;
    text += "; and " + std::to_string(odd - most_notes) + " more notes (kdiag facts)";
  }
  return {std::move(item), std::move(text)};
}

}  // namespace

void tell_inputs(const Workspace& workspace, const std::vector<InputEntry>& inputs, Answer& answer) {
  constexpr std::size_t most_inputs = 3;  // judgement: a head that is shorter than the answer
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(inputs.size(), most_inputs); ++i) {
    auto [item, text] = input_entry(workspace, inputs[i]);
    list.push_back(std::move(item));
    answer.say(text);
  }
  answer.set("inputs", std::move(list));
  if (inputs.size() > most_inputs) answer.say_more("inputs", inputs.size() - most_inputs, most_inputs);
}

void add_inputs(const Workspace& workspace, const std::vector<InputEntry>& inputs, std::size_t first, Answer& answer) {
  answer.list("inputs");
  for (std::size_t i = first; i < inputs.size(); ++i) {
    const auto [item, text] = input_entry(workspace, inputs[i]);
    if (!answer.add("inputs", item, text)) return answer.stop_at("inputs", i, inputs.size());
  }
}

Json inputs_schema() {
  return Json::parse(R"json({
    "type": "array",
    "items": {
      "type": "object",
      "required": ["path", "format", "notes"],
      "properties": {
        "path": {"type": "string"}, "format": {"type": "string"},
        "notes": {"type": "array", "items": {
          "type": "object", "required": ["id", "text"],
          "properties": {"id": {"type": "string"}, "text": {"type": "string"}}}},
        "notes_left_out": {"type": "integer"}
      }
    }
  })json");
}

}  // namespace kdiag::serve::mcp
