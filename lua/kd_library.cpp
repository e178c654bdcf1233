// SPDX-License-Identifier: Apache-2.0
#include "lua/kd_library.hpp"

#include <cmath>
#include <string>
#include <type_traits>

#include <lua.hpp>

#include "base/regex.hpp"
#include "lua/list_length.hpp"
#include "lua/objects.hpp"
#include "lua/quantity.hpp"
#include "lua/safe_library.hpp"

namespace kdiag::lua {
namespace {

/// Leaves when there are more arguments than `most`, or when the first is what stands before a colon: kd:eval(...).
void check_arguments(lua_State* L, int most) {
  if (lua_istable(L, 1) && luaL_getmetafield(L, 1, "__index") != LUA_TNIL)
    luaL_error(L, "functions of kd are called with a dot: kd.eval(...)");
  if (lua_gettop(L) > most) luaL_error(L, "too many arguments: at most %d", most);
}

std::string_view text_argument(lua_State* L, int index) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, index, &size);
  return {text, size};
}

/// What kd.rows and kd.column take beside a table: a condition as a text, or a table of options. Texts stay on the
/// stack.
struct RowOptions {
  std::string_view where, by;
};
static_assert(std::is_trivially_destructible_v<RowOptions>);

RowOptions row_options(lua_State* L, int index) {
  RowOptions out;
  if (lua_isnoneornil(L, index)) return out;
  if (!lua_istable(L, index)) {
    out.where = text_argument(L, index);
    return out;
  }
  luaL_checkstack(L, 8, nullptr);
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_argerror(L, index, "options are `where` and `by`");
    const std::string_view name = text_argument(L, -2);
    if (name != "where" && name != "by") luaL_error(L, "there is no option `%s`: `where` and `by` are", name.data());
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "the option `%s` needs a text", name.data());
    (name == "where" ? out.where : out.by) = text_argument(L, -1);  // the table keeps them
  }
  return out;
}

/// Which run a function of kd or of kd.baseline asks: its upvalue.
Side side_of(lua_State* L) { return static_cast<Side>(lua_tointeger(L, lua_upvalueindex(1))); }

/// Asks an expression or a Question and pushes the value.
template <class Asked>
int push_asked(lua_State* L, Side side, const Asked& question) {
  ScriptRun& run = ScriptRun::of(L);
  const Answer* answer = nullptr;
  const bool good = run.sandbox().attempt([&] { answer = run.known(run.ask(side, question)); });
  return good ? push_answer(L, *answer) : run.sandbox().raise(L);
}

/// kd.eval(expression)
int kd_eval(lua_State* L) {
  Sandbox::of(L).enter(L);
  check_arguments(L, 1);
  return push_asked(L, side_of(L), text_argument(L, 1));
}

/// kd.get(expression, default)
int kd_get(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  check_arguments(L, 2);
  const std::string_view text = text_argument(L, 1);
  lua_settop(L, 2);
  const Answer* answer = nullptr;
  if (!run.sandbox().attempt([&] { answer = run.ask(side_of(L), text); })) return run.sandbox().raise(L);
  return answer->value.known() ? push_answer(L, *answer) : 1;
}

/// kd.has(fact)
int kd_has(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  check_arguments(L, 1);
  const std::string_view fact = text_argument(L, 1);
  bool there = false;
  const bool good = run.sandbox().attempt([&] {
    const Answer* const answer = run.ask_presence(side_of(L), fact);
    const auto* known = answer != nullptr ? answer->value.as<bool>() : nullptr;
    there = known != nullptr && *known;
  });
  if (!good) return run.sandbox().raise(L);
  lua_pushboolean(L, static_cast<int>(there));
  return 1;
}

/// The table that a question stands for, when a script may go through its rows; else null, with an error.
const Answer* asked_table(ScriptRun& run, Side side, const Question& question) {
  const Answer* const table = run.known(run.ask(side, question));
  if (table == nullptr) return nullptr;
  if (!table->type.is(Kind::table)) {
    run.sandbox().set_error("`" + std::string(question.subject) + "` is " + describe(table->type) + ", no table");
    return nullptr;
  }
  return run.rows_are_known(*table) ? table : nullptr;
}

/// kd.rows(table, where)
int kd_rows(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  check_arguments(L, 2);
  const std::string_view table = text_argument(L, 1);
  const auto [where, by] = row_options(L, 2);
  if (!by.empty()) luaL_argerror(L, 2, "rows come in the order of the table; kd.column takes `by`");
  const Question question{.form = Question::Form::rows, .subject = table, .value = {}, .where = where, .by = {}};
  const Answer* rows = nullptr;
  const bool good = run.sandbox().attempt([&] { rows = asked_table(run, side_of(L), question); });
  return good ? push_row_iterator(L, *rows) : run.sandbox().raise(L);
}

/// kd.column(table, expression, {where = condition, by = order})
int kd_column(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  check_arguments(L, 3);
  const std::string_view table = text_argument(L, 1);
  const std::string_view value = text_argument(L, 2);
  const auto [where, by] = row_options(L, 3);
  const Question question{.form = Question::Form::column, .subject = table, .value = value, .where = where, .by = by};
  const Answer* rows = nullptr;
  const bool good = run.sandbox().attempt([&] { rows = asked_table(run, side_of(L), question); });
  return good ? push_column(L, *rows) : run.sandbox().raise(L);
}

/// kd.spans(table, where): the time of its rows
int kd_spans(lua_State* L) {
  Sandbox::of(L).enter(L);
  check_arguments(L, 2);
  const std::string_view table = text_argument(L, 1);
  const auto [where, by] = row_options(L, 2);
  if (!by.empty()) luaL_argerror(L, 2, "time has one order");
  return push_asked(L, side_of(L),
                    Question{.form = Question::Form::spans, .subject = table, .value = {}, .where = where, .by = {}});
}

/// A question that is a name.
Question named(Question::Form form, std::string_view name) {
  return {.form = form, .subject = name, .value = {}, .where = {}, .by = {}};
}

/// kd.series(name)
int kd_series(lua_State* L) {
  Sandbox::of(L).enter(L);
  check_arguments(L, 1);
  return push_asked(L, side_of(L), named(Question::Form::series, text_argument(L, 1)));
}

/// One end of an interval, in ns on the clock of the run.
std::int64_t instant_at(lua_State* L, int index) {
  Quantity at;
  if (!read_quantity(L, index, at) || !(at.dimension.plain() || at.dimension.is_time() || at.dimension.is_instant()) ||
      !at.value.low.finite())
    luaL_error(L, "an interval is {start, end}, both in ns");
  const std::int64_t ns = at.value.low.rounded();
  if (!is_instant(ns)) luaL_error(L, "an interval lies within 146 years");
  // Instants of traces have more digits than a real number holds.
  if (lua_type(L, index) == LUA_TNUMBER && lua_isinteger(L, index) == 0 && std::abs(at.value.low.real()) >= 0x1p53)
    luaL_error(L, "this instant has lost digits in real numbers: add whole ns to it, as by // or math.floor");
  return ns;
}

/// kd.intervals{{start, end}, ...}
int kd_intervals(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  const auto count = static_cast<std::size_t>(plain_length(L, 1));
  run.sandbox().charge(8 * count);
  run.sandbox().enter(L);
  // Filled here, where Lua may raise: memory of Lua's own.
  auto* const ends = static_cast<Interval*>(lua_newuserdatauv(L, (count + 1) * sizeof(Interval), 0));
  for (std::size_t i = 0; i < count; ++i) {
    if (lua_rawgeti(L, 1, static_cast<lua_Integer>(i) + 1) != LUA_TTABLE)
      return luaL_error(L, "kd.intervals takes a list of {start, end}");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    ends[i] = {instant_at(L, -2), instant_at(L, -1)};
    lua_pop(L, 3);
  }
  return push_intervals(L, ends, count);
}

/// kd.note(text)
int kd_note(lua_State* L) {
  ScriptRun& run = ScriptRun::of(L);
  run.sandbox().enter(L);
  check_arguments(L, 1);
  luaL_checkany(L, 1);
  push_text(L, 1);
  const std::string_view text = text_argument(L, -1);
  return run.sandbox().attempt([&] { run.note(text); }) ? 0 : run.sandbox().raise(L);
}

/// kd.q(10, "us")
int kd_q(lua_State* L) {
  const Quantity number = check_quantity(L, 1);
  if (lua_type(L, 1) != LUA_TNUMBER) luaL_argerror(L, 1, "it has a unit already");
  luaL_argcheck(L, number.value.low.finite(), 1, "it is no number");
  const char* const name = luaL_checkstring(L, 2);
  const UnitInfo* const unit = find_unit(name);
  if (unit == nullptr)
    return luaL_error(L, "unknown unit '%s': ns us ms s min, B KiB MiB GiB, Hz MHz, GB/s, W, %%", name);
  Quantity out{.value = multiply(number.value, {Number(1), Number(1)}, unit->scale), .dimension = unit->dimension};
  if (out.dimension.is_time() || out.dimension == dimensions::bytes) {  // whole numbers, as in the language
    luaL_argcheck(L, std::abs(out.value.low.real()) < 9.2e18, 1, "it is too large for this unit");
    out.value.low = out.value.high = out.value.low.rounded();
  }
  push_quantity(L, out);
  return 1;
}

/// A pattern as `re.test` and its like take it.
void push_pattern(lua_State* L, const Regex& regex) {
  lua_pushstring(L, regex.ignore_case() ? "(?i)" : "");
  lua_pushlstring(L, regex.pattern().data(), regex.pattern().size());
  lua_concat(L, 2);
}

/// Leaves a table of the parameters in force on the stack.
void push_params(lua_State* L) {
  const CheckScope& names = ScriptRun::of(L).scope().names;
  lua_newtable(L);
  for (auto param = names.params.begin(); param != names.params.end(); ++param) {
    const Value& value = param->second;
    if (!value.known()) continue;  // it has no default: to read it is an error
    lua_pushlstring(L, param->first.data(), param->first.size());
    if (const auto* truth = value.as<bool>()) lua_pushboolean(L, static_cast<int>(*truth));
    else if (const auto* text = value.as<std::string>()) lua_pushlstring(L, text->data(), text->size());
    else if (const auto* regex = value.as<RegexPtr>()) push_pattern(L, **regex);
    else if (const auto* number = value.as<Range>())
      push_number(L, {.value = *number, .dimension = names.param_types.find(param->first)->second.dimension});
    else {
      // A list: as an expression has it.
      push_asked(L, Side::run, named(Question::Form::param, param->first));
    }
    lua_rawset(L, -3);
  }
  make_strict(L, "kd.param");
}

/// The functions that ask a run, and the others.
constexpr luaL_Reg questions[] = {{"eval", kd_eval},     {"get", kd_get},       {"has", kd_has},
                                  {"rows", kd_rows},     {"column", kd_column}, {"spans", kd_spans},
                                  {"series", kd_series}, {nullptr, nullptr}};
constexpr luaL_Reg statements[] = {
    {"finding", kd_finding}, {"note", kd_note}, {"intervals", kd_intervals}, {"q", kd_q}, {nullptr, nullptr}};

void push_questions(lua_State* L, Side side) {
  lua_newtable(L);
  lua_pushinteger(L, static_cast<lua_Integer>(side));
  luaL_setfuncs(L, questions, 1);
}

void add_names(const luaL_Reg* functions, std::vector<std::string_view>& out) {
  for (; functions->name != nullptr; ++functions) out.emplace_back(functions->name);
}

}  // namespace

std::vector<std::string_view> kd_questions() {
  std::vector<std::string_view> out;
  add_names(questions, out);
  return out;
}

std::vector<std::string_view> kd_names() {
  std::vector<std::string_view> out = kd_questions();
  add_names(statements, out);
  out.insert(out.end(), {"param", "baseline"});
  return out;
}

void push_kd(lua_State* L) {
  push_questions(L, Side::run);
  luaL_setfuncs(L, statements, 0);
  push_params(L);
  lua_setfield(L, -2, "param");
  bool compared = false;
  ScriptRun& run = ScriptRun::of(L);
  if (!run.sandbox().attempt([&] { compared = run.has_baseline(); })) run.sandbox().raise(L);
  if (compared) {
    push_questions(L, Side::baseline);
    make_strict(L, "kd.baseline");
    lua_setfield(L, -2, "baseline");
  }
  make_strict(L, "kd");
}

}  // namespace kdiag::lua
