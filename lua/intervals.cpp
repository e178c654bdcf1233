// SPDX-License-Identifier: Apache-2.0
// Sets of time.
#include <cstddef>
#include <utility>

#include <lua.hpp>

#include "lua/handles.hpp"
#include "lua/objects.hpp"
#include "lua/quantity.hpp"

namespace kdiag::lua {
namespace {

const TimeRange& check_intervals(lua_State* L, int index) {
  Sandbox::of(L).enter(L);
  luaL_checkudata(L, index, intervals_type);
  return *object_at(L, index).value.as<TimeRange>();
}

int combine_intervals(lua_State* L, PlanOp op) {
  const TimeRange& a = check_intervals(L, 1);
  const TimeRange& b = check_intervals(L, 2);
  const Side side = object_at(L, 1).side;
  if (side != object_at(L, 2).side) return luaL_error(L, "intervals of two runs have no common clock");
  const std::size_t work = a.high->intervals().size() + b.high->intervals().size();
  Sandbox::of(L).charge(work);
  Sandbox::of(L).enter(L);
  const Value& left = object_at(L, 1).value;
  const Value& right = object_at(L, 2).value;
  std::size_t size = 0;
  Handle& handle = push_handle(L, intervals_type, [&] {
    Answer out;
    out.type = types::intervals();
    out.side = side;
    const TimeRange set = combine(a, b, op);
    size = set.high->intervals().size();
    if (!set.exact()) out.value.doubts = doubts_of({&left, &right});
    out.value.data = set;
    return out;
  });
  handle.size = size;
  return 1;
}

int unite(lua_State* L) { return combine_intervals(L, PlanOp::unite); }
int intersect(lua_State* L) { return combine_intervals(L, PlanOp::intersect); }
int without(lua_State* L) { return combine_intervals(L, PlanOp::subtract); }

/// set:length(): a time, between two ends when the set is.
int intervals_length(lua_State* L) {
  const TimeRange& set = check_intervals(L, 1);
  Quantity out{.value = {set.low->length(), set.high->length()}, .dimension = dimensions::time};
  ScriptRun& run = ScriptRun::of(L);
  const Causes& doubts = object_at(L, 1).value.doubts;
  if (!out.value.exact() && !run.sandbox().attempt([&] { out.doubts = run.add_doubts(doubts); }))
    return run.sandbox().raise(L);
  push_number(L, out);
  return 1;
}

/// set:at(i): start and end in ns on the clock of the run.
int interval_at(lua_State* L) {
  const TimeRange& set = check_intervals(L, 1);
  const Interval& interval = set.high->intervals()[check_place(L, 2, set.high->intervals().size())];
  lua_pushinteger(L, interval.start);
  lua_pushinteger(L, interval.end);
  return 2;
}

}  // namespace

void open_intervals(lua_State* L) {
  constexpr luaL_Reg methods[] = {{"length", intervals_length}, {"at", interval_at}, {nullptr, nullptr}};
  constexpr luaL_Reg operators[] = {{"__bor", unite}, {"__band", intersect}, {"__sub", without}, {nullptr, nullptr}};
  open_type(L, intervals_type, methods);
  luaL_setfuncs(L, operators, 0);
  lua_pop(L, 1);
}

int push_intervals(lua_State* L, const Interval* intervals, std::size_t count) {
  std::size_t size = 0;
  Handle& handle = push_handle(L, intervals_type, [&] {
    Answer out;
    out.type = types::intervals();
    IntervalSet set = IntervalSet::of({intervals, intervals + count});
    size = set.intervals().size();
    out.value.data = TimeRange::of(std::move(set));
    return out;
  });
  handle.size = size;
  return 1;
}

}  // namespace kdiag::lua
