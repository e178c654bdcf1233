// SPDX-License-Identifier: Apache-2.0
// kd.finding{...}: what a script says passes the checks that expressions of a rule pass.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include <lua.hpp>

#include "base/edit_distance.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "engine/eval/render.hpp"
#include "lua/kd_library.hpp"
#include "lua/objects.hpp"
#include "lua/quantity.hpp"

namespace kdiag::lua {
namespace {

// As for other rules: language.md, limits.
constexpr std::size_t longest_message = 16 * 1024;
constexpr std::size_t most_evidence_rows = 1000;
constexpr std::size_t most_evidence = 100;  // names (judgement)

constexpr std::string_view keys[] = {"severity", "title",      "message",  "impact",
                                     "gain",     "confidence", "location", "evidence"};

/// The error of a key: "kd.finding: `impact` needs a time, ...".
int wrong(lua_State* L, const char* key, const char* what) { return luaL_error(L, "kd.finding: `%s` %s", key, what); }

/// Leaves when a key is none of those of a finding.
void check_keys(lua_State* L) {
  if (luaL_getmetafield(L, 1, "__index") != LUA_TNIL)
    luaL_error(L, "functions of kd are called with a dot: kd.finding{...}");
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "kd.finding takes a table with names");
    const char* const key = lua_tostring(L, -2);
    if (std::find(std::begin(keys), std::end(keys), key) != std::end(keys)) continue;
    Sandbox& sandbox = Sandbox::of(L);
    sandbox.attempt([&] {
      const std::string near = did_you_mean(key, {std::begin(keys), std::end(keys)});
      sandbox.set_error("kd.finding has no `" + std::string(key) + "`" + (near.empty() ? "" : ": " + near));
    });
    sandbox.raise(L);
  }
}

/// The text of a key of the table at index 1; empty when there is none. It stays on the stack.
std::string_view text_of(lua_State* L, const char* key) {
  const int type = lua_getfield(L, 1, key);
  if (type == LUA_TNIL) return {};
  if (type != LUA_TSTRING) wrong(L, key, "needs a text");
  std::size_t size = 0;
  const char* const text = lua_tolstring(L, -1, &size);
  if (size > longest_message) wrong(L, key, "is longer than 16 KiB");
  return {text, size};
}

/// A time at an index of the stack, between two ends.
Range time_at(lua_State* L, int index, const char* key) {
  Quantity q;
  const bool zero = lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == 0;
  if (!read_quantity(L, index, q) || !(q.dimension.is_time() || zero))
    wrong(L, key, "needs a time such as kd.q(3, 'ms'), {low, high} or intervals; column:quantity(x) makes one of x");
  if (q.value.low < Number(0)) wrong(L, key, "is less than nothing");
  return q.value;
}

/// impact and gain: a time, {low, high} or intervals. Sets `set` to the value of intervals.
std::optional<Range> claim_at(lua_State* L, const char* key, const Value*& set) {
  const int type = lua_getfield(L, 1, key);
  const int at = lua_gettop(L);
  if (type == LUA_TNIL) return {};
  if (type == LUA_TTABLE) {
    lua_rawgeti(L, at, 1);
    lua_rawgeti(L, at, 2);
    const Range claim{time_at(L, -2, key).low, time_at(L, -1, key).high};
    if (claim.high < claim.low) wrong(L, key, "is {low, high}, in this order");
    return claim;
  }
  if (const Answer* const answer = answer_at(L, at)) {
    if (answer->side != Side::run) wrong(L, key, "needs time of this run, not of the baseline");
    if (!answer->type.is(Kind::intervals) && !answer->type.is(Kind::claim))
      wrong(L, key, "needs a time such as kd.q(3, 'ms'), {low, high} or intervals");
    set = &answer->value;
    return Range{};
  }
  return time_at(L, at, key);
}

void read_claim(lua_State* L, const char* key, std::optional<Claim> ScriptFinding::*member) {
  const Value* set = nullptr;
  const std::optional<Range> amount = claim_at(L, key, set);
  if (!amount) return;
  ScriptRun& run = ScriptRun::of(L);
  const bool good = run.sandbox().attempt([&] {
    run.finding.*member = set != nullptr ? claim_of(*set) : Claim{*amount, nullptr};
  });
  if (!good) run.sandbox().raise(L);
}

void read_severity(lua_State* L) {
  const std::string_view text = text_of(L, "severity");
  if (text.empty()) return;
  for (const Severity severity : {Severity::info, Severity::low, Severity::medium, Severity::high, Severity::critical})
    if (text == name_of(severity)) {
      ScriptRun::of(L).finding.severity = severity;
      return;
    }
  wrong(L, "severity", "is one of critical, high, medium, low, info");
}

void read_confidence(lua_State* L) {
  if (lua_getfield(L, 1, "confidence") == LUA_TNIL) return;
  Quantity q;
  if (!read_quantity(L, -1, q) || !q.dimension.plain() || !(q.value.low.real() >= 0) || !(q.value.high.real() <= 1))
    wrong(L, "confidence", "needs a number from 0 to 1");
  ScriptRun::of(L).finding.confidence = q.value.low.real();
}

void read_location(lua_State* L) {
  if (lua_getfield(L, 1, "location") == LUA_TNIL) return;
  RowOfRun frame;
  if (!read_row(L, -1, frame) || frame.row.table != table("frames") || frame.side != Side::run)
    wrong(L, "location", "needs a row of frames of this run: kd.eval('site(...)') gives one");
  ScriptRun::of(L).finding.location = frame.row;
}

void read_texts(lua_State* L) {
  const std::string_view title = text_of(L, "title");
  const std::string_view message = text_of(L, "message");
  ScriptRun& run = ScriptRun::of(L);
  const bool good = run.sandbox().attempt([&] {
    if (!run.charge_output(title.size() + message.size())) return;
    run.finding.title = title;
    run.finding.message = message;
  });
  if (!good) run.sandbox().raise(L);
}

// --- Evidence -------------------------------------------------------------------------------------------------------

std::size_t shown_bytes(const EvidenceEntry& entry) {
  const auto bytes = [](const ValueEntry& value) {
    const auto* text = std::get_if<std::string>(&value.value);
    return text != nullptr ? text->size() : sizeof(double);
  };
  if (const auto* value = std::get_if<ValueEntry>(&entry)) return bytes(*value);
  std::size_t out = 0;
  for (const RowEntry& row : std::get<std::vector<RowEntry>>(entry))
    for (const auto& [name, value] : row) out += name.size() + bytes(value);
  return out;
}

/// A value at the top of the stack, as C++ sees it.
struct Shown {
  std::optional<Quantity> number;
  std::optional<bool> truth;
  std::optional<std::string_view> text;
  std::optional<RowOfRun> row;
  const Answer* answer = nullptr;
};
static_assert(std::is_trivially_destructible_v<Shown>);

Shown shown_at_top(lua_State* L) {
  Shown out;
  Quantity number;
  RowOfRun row;
  if (lua_isboolean(L, -1)) out.truth = lua_toboolean(L, -1) != 0;
  else if (lua_type(L, -1) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* const text = lua_tolstring(L, -1, &size);
    out.text = std::string_view(text, size);
  } else if (read_quantity(L, -1, number)) out.number = number;
  else if (read_row(L, -1, row)) out.row = row;
  else out.answer = answer_at(L, -1);
  if (!out.number && !out.truth && !out.text && !out.row && out.answer == nullptr)
    luaL_error(L, "kd.finding: `evidence` shows numbers, truths, texts, rows and what kd.eval gives, no %s of Lua",
               luaL_typename(L, -1));
  return out;
}

EvidenceEntry entry_of(const Shown& shown, const ScriptRun& script) {
  const RunContext& run = script.context(shown.row ? shown.row->side : shown.answer ? shown.answer->side : Side::run);
  if (shown.number) return to_entry(of(shown.number->value), types::number(shown.number->dimension), run);
  if (shown.truth) return to_entry(of(*shown.truth), types::boolean(), run);
  if (shown.text) return to_entry(of(std::string(*shown.text)), types::text(), run);
  if (shown.row) return to_entry(of(run.label(shown.row->row)), types::text(), run);
  if (const auto* table = shown.answer->value.as<TableRows>()) return to_rows(*table, run, most_evidence_rows);
  return to_entry(shown.answer->value, shown.answer->type, run);
}

void read_evidence(lua_State* L) {
  const int type = lua_getfield(L, 1, "evidence");
  if (type == LUA_TNIL) return;
  if (type != LUA_TTABLE) wrong(L, "evidence", "needs a table: name = value");
  const int table = lua_gettop(L);
  ScriptRun& run = ScriptRun::of(L);
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) wrong(L, "evidence", "has names, not places: name = value");
    std::size_t size = 0;
    const char* const text = lua_tolstring(L, -2, &size);
    const std::string_view name(text, size);
    const Shown shown = shown_at_top(L);
    const bool good = run.sandbox().attempt([&] {
      if (!is_name(name))
        return run.sandbox().set_error("kd.finding: '" + std::string(name) + "' is no name of evidence");
      if (run.finding.evidence.size() == most_evidence) return run.sandbox().set_error("kd.finding: too much evidence");
      EvidenceEntry entry = entry_of(shown, run);
      if (run.charge_output(name.size() + shown_bytes(entry)))
        run.finding.evidence.emplace_back(name, std::move(entry));
    });
    if (!good) run.sandbox().raise(L);
  }
  std::sort(run.finding.evidence.begin(), run.finding.evidence.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace

int kd_finding(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkstack(L, 40, nullptr);  // texts stay on it while C++ looks at them
  if (run.fired)
    return luaL_error(L, "a rule finds one thing about a subject: `for_each` judges it for each device, step, ...");
  lua_settop(L, 1);
  run.finding = {};  // of one that was wrong
  check_keys(L);
  read_texts(L);
  read_severity(L);
  read_claim(L, "impact", &ScriptFinding::impact);
  read_claim(L, "gain", &ScriptFinding::gain);
  read_confidence(L);
  read_location(L);
  read_evidence(L);
  run.fired = true;
  return 0;
}

}  // namespace kdiag::lua
