// SPDX-License-Identifier: Apache-2.0
// Scripts that are written to break their host. Each ends contained: no crash, within its limits, with one outcome that
// says what was wrong.
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/lua_rules.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string facts = "kernels: [{name: k, start: 0us+100us*5, dur: 5us, device: 0}]";

/// Few instructions, little memory and no clock: what ends, ends by counted work.
std::string hostile_ends(const std::string& body) {
  RuleOptions options;
  options.lua_limits.instructions = 10'000'000;
  options.lua_limits.memory_bytes = 16 * 1024 * 1024;
  options.lua_limits.wall_ms = 0;
  return outcome_of(body, facts, options, {}, "for_each = 'device',");
}

/// A table of which Lua says that it has 2^61 + 1 items.
const std::string hostile_border = R"(
  local n = 10
  local t = {}
  for i = 1, (1 << n) + 1 do t[i] = {i, i + 1} end
  for p = n, 62 do t[1 << p] = {1, 2}; t[(1 << p) + 1] = {1, 2} end
  assert(#t > 1 << 30)
  t[1 << 61] = {1, 2}
)";

const std::string instructions = "failed K751: it took more than 10,000,000 instructions";
const std::string memory = "failed K751: it used more than 16 MiB";

struct Case {
  std::string body, end;
};

}  // namespace

TEST_CASE("lengths that no list has are errors, whatever asks for them", "[lua][hostile]") {
  const std::string call = GENERATE(as<std::string>{}, "kd.intervals(t)", "table.sort(t, function() end)",
                                    "table.concat(t)", "table.insert(t, 1, 2)", "table.remove(t, 1)");
  CAPTURE(call);
  CHECK_THAT(hostile_ends(hostile_border + call), StartsWith("failed K750") && Contains("this list has holes"));
}

TEST_CASE("a table with holes is walked by what is in it", "[lua][hostile]") {
  CHECK(hostile_ends(hostile_border + "local c = 0 for k in pairs(t) do c = c + 1 end assert(c > 1100, c)") == "clear");
  CHECK(hostile_ends(hostile_border + "local c = 0 for i in ipairs(t) do c = c + 1 end assert(c == 1025, c)") ==
        "clear");
  CHECK_THAT(hostile_ends(hostile_border + "table.unpack(t)"), Contains("more than 250 values"));
  RuleOptions alone{.builtin = false};
  const auto rules = load_rules_text(
      "t.lua", hostile_border + "return {id = 'a.b', title = 't', tags = t, detect = function() end}", alone);
  REQUIRE_FALSE(rules);
  CHECK_THAT(rules.error().front().title, Contains("this list has holes"));
}

TEST_CASE("texts of a script do not change what stands beside them in a question", "[lua][hostile]") {
  const auto [body, end] = GENERATE(values<Case>({
      // A comment ends with its text.
      {"local c = kd.column('kernels #', 'dur') assert(#c == 5 and c[1] == 5000)", "clear"},
      {"local c = kd.column('kernels', 'dur #', {where = 'dur > 1us #', by = 'start #'}) assert(#c == 5)", "clear"},
      {"local n = 0 for row in kd.rows('kernels #', 'dur > 1us #') do n = n + 1 end assert(n == 5)", "clear"},
      {"assert(kd.spans('kernels #', 'true #'):length() == kd.q(25, 'us'))", "clear"},
      // The same text as another question.
      {"kd.eval('kernels # select (value = dur)') local c = kd.column('kernels #', 'dur') assert(#c == 5)", "clear"},
      {"kd.has('kernels') local ok = pcall(kd.eval, 'has kernels') assert(not ok)", "clear"},
      // Brackets, quotes, keywords, ends of lines.
      {"kd.column('kernels', 'dur, place = start')", "is no expression"},
      {"kd.column('kernels', 'dur) select (value = start')", "is no expression"},
      {"kd.column('kernels', '')", "is no expression"},
      {"kd.column('', 'dur')", "is no expression"},
      {"kd.rows('kernels', 'true\\nwhere false')", "`where` filters a table"},
      {"kd.spans('kernels) | spans(kernels')", "is no expression"},
      {"kd.series('x\") or series(\"y')", "unknown series"},
      {"kd.series('\\0\\n\\\\')", "unknown series"},
      {"kd.series(('x'):rep(20000))", "longer than 16384 bytes"},
      {"kd.rows(('('):rep(200) .. 'kernels' .. (')'):rep(200))", "nested deeper"},
      {"kd.rows('kernels', ('x or '):rep(4000) .. 'x')", "longer than 16384 bytes"},
  }));
  CAPTURE(body);
  const std::string got = hostile_ends(body);
  if (end == "clear") CHECK(got == end);
  else CHECK_THAT(got, StartsWith("failed K750") && Contains(end));
}

// Where Lua's own sort finds a list divided badly, it asks the clock where to divide it next.
TEST_CASE("equal items keep their order in every run", "[lua][hostile]") {
  CHECK(hostile_ends(R"(
    local t = {}
    for i = 1, 2000 do t[i] = {5, i} end
    t[1][1] = 1 t[1000][1] = 2
    table.sort(t, function(a, b) return a[1] < b[1] end)
    for i = 4, 2000 do assert(t[i - 1][2] < t[i][2], i) end
    assert(t[1][2] == 1 and t[2][2] == 1000)
  )") == "clear");
}

TEST_CASE("hostile scripts end contained", "[lua][hostile]") {
  const auto [body, end] = GENERATE(values<Case>({
      // What ends a script is not the script's to catch.
      {"while true do pcall(function() while true do end end) end", instructions},
      {"local function f() return pcall(f) end while true do f() end", instructions},
      {"::again:: goto again", instructions},
      {"local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) "
       "while true do pcall(function() return t[1] end) end",
       instructions},
      {"pcall(kd.eval, 'api') kd.finding{}", "inconclusive: api"},
      {"pcall(function() for i = 1, 1e9 do local t = {} for k = 1, 1e6 do t[k] = {} end end end) kd.finding{}", memory},
      // To-be-closed variables whose __close came late.
      {"local mt = {} local t = setmetatable({}, mt) mt.__close = function() while true do end end "
       "do local x <close> = t end",
       instructions},
      {"local mt = {} local t = setmetatable({}, mt) mt.__close = function() error('again') end "
       "for i = 1, 100 do pcall(function() local x <close> = t error('first') end) end",
       "clear"},
      {"local mt = {} local t = setmetatable({}, mt) mt.__close = function() kd.finding{} end "
       "local x <close> = t kd.eval('api')",
       "inconclusive: api"},
      // Errors that are no texts, and whose text is made by the script.
      {"error({})", "no text"},
      {"error(setmetatable({}, {__tostring = function() error('x') end}))", "no text"},
      {"error(('x'):rep(1 << 20))", "failed K750: t.lua:2: xxx"},
      {"error(kd)", "no text"},
      {"local t = setmetatable({}, {__tostring = function() return kd end}) kd.note(t)", "must return a string"},
      {"local t = setmetatable({}, {__tostring = function() while true do end end}) kd.note(t)", instructions},
      {"local e = setmetatable({}, {__eq = error, __lt = error, __le = error, __concat = error, __call = error}) "
       "for i = 1, 100 do pcall(function() return e == {} or e < e end) pcall(e) end",
       "clear"},
      {"local t = setmetatable({}, {__len = function() return 'x' end}) table.unpack(t)", "object length"},
      {"local n = 0 local t = setmetatable({}, {__len = function() n = n + 1 return n == 1 and 3 or 1 << 40 end}) "
       "assert(select('#', table.unpack(t)) == 3 and n == 1)",
       "clear"},
      {"table.unpack({}, math.maxinteger - 300, math.maxinteger)", "more than 250 values"},
      {"table.unpack({}, math.mininteger, math.maxinteger)", "more than 250 values"},
      {"string.byte('x', math.mininteger, math.maxinteger)", "clear"},
      // Texts.
      {"('x'):rep(1 << 62, 'y')", memory},
      {"('x'):rep(math.maxinteger)", memory},
      {"string.format('%99999d', 1)", "invalid"},
      {"string.format('%99.99f', 1e308)", "clear"},
      {"local t = {} while true do t[#t + 1] = string.format('%s', ('x'):rep(1000000)) end", memory},
      {"local s = ('x'):rep(1 << 20) while true do s:upper() end", instructions},
      {"local t = {} for i = 1, 10 do t[i] = ('x'):rep(1 << 20) .. '' end while true do table.sort(t) end",
       instructions},
      {"local s = (' '):rep(1 << 20) while true do tonumber(s) end", instructions},
      {"local s = (' '):rep(1 << 20) while true do pcall(function() return s + 1 end) end", instructions},
      {"local s = ('x'):rep(1 << 20) while true do utf8.len(s) end", instructions},
      {"local s = ('%%'):rep(1 << 19) while true do string.format(s) end", instructions},
      {"local s = 'x' .. ('\\x80'):rep(1 << 20) while true do pcall(function() for _ in utf8.codes(s) do end end) end",
       instructions},
      {"re.test(('a'):rep(1 << 19), '(a*)*b')", "clear"},
      {"while true do re.test(('a'):rep(1 << 19), '(a|aa)+$') end", instructions},
      {"for i = 1, 1e6 do re.test('x', ('(x'):rep(40) .. i .. (')'):rep(40)) end", instructions},
      {"re.replace(('a'):rep(1 << 20), 'a', "
       "'\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0')",
       "failed K75"},
      // Depth.
      {"local function f() return 1 + f() end f()", "failed K75"},
      {"local function f(t) return table.sort({1, 2, 3}, function() f(t) return true end) end f{}", "failed K75"},
      {"local t = {} for i = 1, 300 do t = setmetatable({}, {__index = t}) end return t.x", "clear"},
      // Tables that change while something goes through them.
      {"local t = {} for i = 1, 100 do t[i] = i end for k in pairs(t) do t[k] = nil t[k + 1000] = k end", "clear"},
      {"local t = {5, 3, 1, 4, 2} table.sort(t, function(a, b) for i = 1, 10 do t[i] = nil end return a < b end) "
       "assert(table.concat(t) == '12345')",
       "clear"},
      {"local t = {5, 3, 1} pcall(table.sort, t, function(a, b) error('x') end) assert(table.concat(t) == '531')",
       "clear"},
      {"local t = {} for i = 1, 200 do t[i] = i % 7 end table.sort(t, function() return true end)",
       "invalid order function"},
      {"local t = {} for i = 1, 200 do t[i] = 0 / 0 end table.sort(t)", ""},
      // Arguments at the ends of numbers.
      {"kd.q(1e308, 'min')", "too large for this unit"},
      {"kd.q(-math.maxinteger, 'GiB')", "too large for this unit"},
      {"kd.q(math.huge, 's')", "no number"},
      {"kd.note(kd.q(1e308, '%'))", "clear"},
      {"kd.note(kd.q(1e308, 'W') * 1e308)", "clear"},
      {"kd.note(kd.q(1, 's') * math.huge)", "clear"},
      {"kd.finding{impact = kd.q(1, 's') * math.huge}", "fired"},
      {"kd.finding{evidence = {a = 0 / 0, b = 1 / 0, c = kd.q(1e308, '%')}, message = 'takes ' .. kd.q(1e308, '%')}",
       "fired"},
      {"kd.finding{confidence = -0.0, gain = {0, kd.q(1, 's')}}", "fired"},
      {"kd.intervals{{math.mininteger, math.maxinteger}}", "146 years"},
      {"kd.intervals{{0 / 0, 1}}", "both in ns"},
      {"kd.spans('kernels'):at(math.mininteger)", "no such place"},
      {"local c = kd.column('kernels', 'dur') assert(c[math.mininteger] == nil and c[math.maxinteger] == nil)",
       "clear"},
      {"kd.column('kernels', 'dur'):quantity(0 / 0)", "clear"},
      {"kd.eval(('1 + '):rep(5000) .. '1')", "longer than"},
      {"while true do kd.get('count(kernels) > ' .. tostring({}), 0) end", "failed K750"},
      {"for i = 1, 2000 do kd.get('count(kernels) > ' .. i, 0) end", "different expressions"},
      // What is not there.
      {"load('return 1')", "there is no 'load'"},
      {"os.execute('true')", "sees facts and nothing else"},
      {"io.open('/etc/passwd')", "sees facts and nothing else"},
      {"debug.sethook()", "there is no 'debug'"},
      {"coroutine.wrap(function() end)", "there is no 'coroutine'"},
      {"getmetatable('').__index = nil", "there is no 'getmetatable'"},
      {"_G.x = 1", "there is no '_G'"},
      {"kd.eval = nil kd.finding = print", "there is no 'print'"},
  }));
  CAPTURE(body);
  const std::string got = hostile_ends(body);
  if (end == "clear" || end == "fired") CHECK(got == end);
  else CHECK_THAT(got, Contains(end));
}

TEST_CASE("a script claims no more than the wall", "[lua][hostile]") {
  const auto impact = [](const std::string& finding) {
    const Report report = judge_facts("t.lua", lua_rule("kd.finding" + finding), facts, {});
    REQUIRE(report.findings.size() == 1);
    return report.findings[0];
  };
  // The wall goes from the begin of the first kernel to the end of the last: 405 us.
  CHECK(impact("{impact = kd.q(9, 's')}").impact_ns == 405'000);
  CHECK(impact("{impact = kd.q(9, 's')}").impact_share == 1.0);
  CHECK(impact("{impact = {kd.q(8, 's'), kd.q(9, 's')}}").impact_low_ns == 405'000);
  CHECK(impact("{impact = kd.intervals{{-1000000000, 4000000000000000000}}}").impact_ns == 405'000);
  CHECK(impact("{impact = kd.q(5, 'us'), gain = kd.q(9, 's')}").gain->high_ns == 405'000);
  CHECK(impact("{impact = kd.q(5, 'us')}").impact_ns == 5'000);
}
