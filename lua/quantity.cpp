// SPDX-License-Identifier: Apache-2.0
#include "lua/quantity.hpp"

#include <cmath>
#include <new>
#include <optional>

#include <lua.hpp>

#include "engine/eval/render.hpp"
#include "engine/language/dimension_product.hpp"
#include "lua/safe_library.hpp"
#include "lua/script_run.hpp"

namespace kdiag::lua {
namespace {

constexpr const char* quantity_type = "quantity";

/// A number of Lua, which is a plain one; zero fits any dimension.
bool is_bare_zero(lua_State* L, int index) { return lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == 0; }

/// Both operands of a metamethod.
struct Operands {
  Quantity a, b;
};
Operands operands(lua_State* L, const char* what) {
  Sandbox::of(L).enter(L);
  Operands out;
  for (const int i : {1, 2})
    if (!read_quantity(L, i, i == 1 ? out.a : out.b))
      luaL_error(L, "cannot %s a %s and a quantity", what, luaL_typename(L, i));
  // As in the language: a bare 0 fits any dimension.
  if (is_bare_zero(L, 1)) out.a.dimension = out.b.dimension;
  if (is_bare_zero(L, 2)) out.b.dimension = out.a.dimension;
  return out;
}

std::string describe_dimension(Dimension dimension) { return dimension_name(dimension); }

/// Leaves the C function: two dimensions do not go together.
int mismatch(lua_State* L, const char* what, const Operands& args) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.attempt([&] {
    sandbox.set_error(std::string("cannot ") + what + " " + describe_dimension(args.a.dimension) + " and " +
                      describe_dimension(args.b.dimension));
  });
  return sandbox.raise(L);
}

/// Pushes a result, unless it is none: what the language calls unknown ends the script.
int push_result(lua_State* L, const std::optional<Range>& value, Dimension dimension, const Operands& args,
                const char* otherwise) {
  const char* why = otherwise;
  if (value && !value->low.is_nan() && !value->high.is_nan()) {
    const auto too_long = [](Number n) { return !n.exact() && n.finite() && std::abs(n.real()) > 9.2e18; };
    const bool overflow = dimension.is_time() && (too_long(value->low) || too_long(value->high));
    why = overflow ? "time overflow" : nullptr;
  } else if (value) {
    why = "not a number";
  }
  ScriptRun& run = ScriptRun::of(L);
  Sandbox& sandbox = Sandbox::of(L);
  Quantity out{.value = value.value_or(Range{}), .dimension = dimension};
  const bool good = sandbox.attempt([&] {
    if (why != nullptr) return sandbox.give_up({{"", why}});
    if (!out.value.exact()) out.doubts = run.join_doubts(args.a.doubts, args.b.doubts);
  });
  if (!good) return sandbox.raise(L);
  push_quantity(L, out);
  return 1;
}

int sum(lua_State* L, const char* what, int sign) {
  const Operands args = operands(L, what);
  const Dimension a = args.a.dimension;
  const Dimension b = args.b.dimension;
  Dimension out = a;
  if (a.is_instant() || b.is_instant()) {
    const bool moved =
        sign > 0 ? a.is_instant() != b.is_instant() && (a.is_time() || b.is_time()) : a.is_instant() && b.is_time();
    const bool apart = sign < 0 && a.is_instant() && b.is_instant() && a.clock == b.clock;
    if (!moved && !apart) return mismatch(L, what, args);
    out = apart ? dimensions::time : a.is_instant() ? a : b;
  } else if (!(a == b)) {
    return mismatch(L, what, args);
  } else {
    out.ratio = a.ratio || b.ratio;
  }
  return push_result(L, sign > 0 ? kdiag::add(args.a.value, args.b.value) : subtract(args.a.value, args.b.value), out,
                     args, nullptr);
}

int add_quantities(lua_State* L) { return sum(L, "add", 1); }
int subtract_quantities(lua_State* L) { return sum(L, "subtract", -1); }

/// A plain number scales; everything else combines dimensions.
int product(lua_State* L, const char* what, int sign) {
  Sandbox::of(L).enter(L);
  Operands args;
  for (const int i : {1, 2})
    if (!read_quantity(L, i, i == 1 ? args.a : args.b))
      return luaL_error(L, "cannot %s a %s and a quantity", what, luaL_typename(L, i));
  for (const Dimension side : {args.a.dimension, args.b.dimension})
    if (side.is_instant() || side.temperature) return mismatch(L, what, args);
  const DerivedDimension derived = combine(args.a.dimension, args.b.dimension, sign);
  const std::optional<Range> value = sign > 0 ? multiply(args.a.value, args.b.value, derived.scale)
                                              : divide(args.a.value, args.b.value, derived.scale);
  return push_result(L, value, derived.dimension, args,
                     args.b.value.exact() ? "division by zero" : "the divisor may be zero");
}

int multiply_quantities(lua_State* L) { return product(L, "multiply", 1); }
int divide_quantities(lua_State* L) { return product(L, "divide", -1); }

int negate(lua_State* L) {
  Quantity q = check_quantity(L, 1);
  q.value = {-q.value.high, -q.value.low};
  push_quantity(L, q);
  return 1;
}

int compare_quantities(lua_State* L, CompareOp op) {
  const Operands args = operands(L, "compare");
  if (!(args.a.dimension == args.b.dimension)) return mismatch(L, "compare", args);
  const std::uint8_t tri = compare(args.a.value, args.b.value, op);
  if (tri == tri_unknown) {
    ScriptRun& run = ScriptRun::of(L);
    Sandbox& sandbox = Sandbox::of(L);
    const bool number = args.a.value.low == args.a.value.low && args.b.value.low == args.b.value.low;
    sandbox.attempt([&] {
      if (!number) return sandbox.give_up({{"", "not a number"}});
      sandbox.give_up(run.doubts(run.join_doubts(args.a.doubts, args.b.doubts)));
    });
    return sandbox.raise(L);
  }
  lua_pushboolean(L, static_cast<int>(tri == tri_true));
  return 1;
}

int less(lua_State* L) { return compare_quantities(L, CompareOp::less); }
int less_equal(lua_State* L) { return compare_quantities(L, CompareOp::less_equal); }
int equal(lua_State* L) { return compare_quantities(L, CompareOp::equal); }

int to_string(lua_State* L) {
  const Quantity q = check_quantity(L, 1);
  Sandbox& sandbox = Sandbox::of(L);
  const ScriptRun& run = ScriptRun::of(L);
  const bool good = sandbox.attempt([&] {
    sandbox.set_text(render_value(Value{.data = q.value, .columns = {}, .doubts = {}}, types::number(q.dimension),
                                  run.context(Side::run)));
  });
  return good ? sandbox.push_text(L) : sandbox.raise(L);
}

/// `..` of a quantity and a text.
int concatenate(lua_State* L) {
  Sandbox::of(L).enter(L);
  push_text(L, 1);
  push_text(L, 2);
  lua_concat(L, 2);
  return 1;
}

/// q:to("ms"): how many of a unit; q:to() of its base unit. What is known only between two ends has none.
int to_unit(lua_State* L) {
  const Quantity q = check_quantity(L, 1);
  const char* const name = luaL_optstring(L, 2, nullptr);
  Sandbox& sandbox = Sandbox::of(L);
  const ScriptRun& run = ScriptRun::of(L);
  double scale = 1;
  const bool good = sandbox.attempt([&] {
    if (!q.value.exact()) return sandbox.give_up(run.doubts(q.doubts));
    if (name == nullptr) return;
    const UnitInfo* const unit = find_unit(name);
    if (unit == nullptr) return sandbox.set_error("unknown unit '" + std::string(name) + "'");
    if (!(unit->dimension == q.dimension) && !(q.dimension.is_instant() && unit->dimension.is_time()))
      return sandbox.set_error("'" + std::string(name) + "' is no unit of " + describe_dimension(q.dimension));
    scale = unit->scale;
  });
  if (!good) return sandbox.raise(L);
  if (q.value.low.exact() && scale == 1) lua_pushinteger(L, q.value.low.integer());
  else lua_pushnumber(L, q.value.low.real() / scale);
  return 1;
}

/// q:low() and q:high(): the ends between which partial data leaves it.
int end_of(lua_State* L, bool high) {
  Quantity q = check_quantity(L, 1);
  if (high) q.value.low = q.value.high;
  else q.value.high = q.value.low;
  q.doubts = 0;
  push_number(L, q);
  return 1;
}
int low_end(lua_State* L) { return end_of(L, false); }
int high_end(lua_State* L) { return end_of(L, true); }

}  // namespace

void push_quantity(lua_State* L, const Quantity& quantity) {
  new (lua_newuserdatauv(L, sizeof(Quantity), 0)) Quantity(quantity);
  luaL_setmetatable(L, quantity_type);
}

void push_number(lua_State* L, const Quantity& number) {
  const Dimension& d = number.dimension;
  if (!number.value.exact() || !d.plain() || d.ratio) return push_quantity(L, number);
  if (number.value.low.exact()) lua_pushinteger(L, number.value.low.integer());
  else lua_pushnumber(L, number.value.low.real());
}

bool read_quantity(lua_State* L, int index, Quantity& out) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    const Number number =
        lua_isinteger(L, index) != 0 ? Number(std::int64_t{lua_tointeger(L, index)}) : Number(lua_tonumber(L, index));
    out = {.value = {number, number}, .dimension = {}};
    return true;
  }
  const auto* const quantity = static_cast<const Quantity*>(luaL_testudata(L, index, quantity_type));
  if (quantity == nullptr) return false;
  out = *quantity;
  return true;
}

Quantity check_quantity(lua_State* L, int index) {
  Sandbox::of(L).enter(L);
  Quantity out;
  if (!read_quantity(L, index, out)) luaL_typeerror(L, index, "number or quantity");
  return out;
}

void open_quantities(lua_State* L) {
  luaL_newmetatable(L, quantity_type);
  constexpr luaL_Reg operators[] = {{"__add", add_quantities},
                                    {"__sub", subtract_quantities},
                                    {"__mul", multiply_quantities},
                                    {"__div", divide_quantities},
                                    {"__unm", negate},
                                    {"__lt", less},
                                    {"__le", less_equal},
                                    {"__eq", equal},
                                    {"__tostring", to_string},
                                    {"__concat", concatenate},
                                    {nullptr, nullptr}};
  luaL_setfuncs(L, operators, 0);
  constexpr luaL_Reg methods[] = {{"to", to_unit}, {"low", low_end}, {"high", high_end}, {nullptr, nullptr}};
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  make_strict(L, "quantity");
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

}  // namespace kdiag::lua
