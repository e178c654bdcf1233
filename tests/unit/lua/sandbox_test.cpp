// SPDX-License-Identifier: Apache-2.0
// What a hostile or careless script cannot do: go on for ever, eat the memory, see an address or the machine, keep its
// host from ending it. Bounds are those of the sandbox, counted work and bytes; the clock is only a last resort here.
#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <kdiag/kdiag.hpp>

#include "lua/sandbox.hpp"
#include "tests/catch.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/lua_rules.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Few instructions and no clock: what ends, ends by counted work.
RuleOptions counted(std::uint64_t instructions = 2'000'000) {
  RuleOptions options;
  options.lua_limits.instructions = instructions;
  options.lua_limits.wall_ms = 0;
  return options;
}

std::string ends_by_count(const std::string& body) { return outcome_of(body, "", counted()); }

const std::string too_long = "failed K751: it took more than 2,000,000 instructions";
const std::string too_large = "failed K751: it used more than 64 MiB of memory, or made a text longer than 1 MiB";

}  // namespace

TEST_CASE("a script that does not end is ended", "[lua]") {
  const auto body = GENERATE(
      as<std::string>{},  //
      "while true do end",
      // pcall holds an error of the script, not the end of it
      "while true do pcall(function() while true do end end) end", "local function f() pcall(f) pcall(f) end f()",
      "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) "
      "while true do pcall(function() return t[1] end) end",
      "local t = setmetatable({}, {__close = nil}) repeat until false",
      "while true do local s = ('x'):rep(1000):upper():reverse() end",
      // C functions of Lua that run without an instruction of the script
      "table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1 << 40)",
      "local s = ('x'):rep(1000000) while true do local t = s .. 'y' end",
      "local s = ('x'):rep(1000000) while true do local t = s:lower() end",
      "local t = {} for i = 1, 5000 do t[i] = i end while true do for k in pairs(t) do break end end",
      "local t = {} for i = 1, 5000 do t[i] = i end while true do next(t) end",
      "local s = ('ab'):rep(400000) while true do re.test(s, '(a|b)*c') end",
      "for i = 1, 1e9 do re.test('x', '(((a{1,10}){1,10}){1,5})' .. i) end",
      "for i = 1, 1e9 do kd.get('count(kernels) > ' .. i % 900, false) end",
      "local s = kd.intervals{{1, 2}} while true do s = s | kd.intervals{{1, 2}} end");
  CAPTURE(body);
  CHECK_THAT(ends_by_count(body), StartsWith(too_long));  // and where
}

TEST_CASE("a script cannot eat the memory", "[lua]") {
  const auto body =
      GENERATE(as<std::string>{},  //
               "local t = {} for i = 1, 1e9 do t[i] = {i} end",
               "local t = {} while true do pcall(function() for i = 1, 1e9 do t[#t + 1] = {} end end) end",
               "('x'):rep(1 << 40)", "('x'):rep(1 << 31, ('y'):rep(1000))", "local s = ('x'):rep(1 << 20) s = s .. s",
               "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1000000) .. i end");
  CAPTURE(body);
  const std::string end = outcome_of(body, "", counted(1'000'000'000));
  CHECK_THAT(end, StartsWith(too_large));
}

TEST_CASE("what a script writes and compares does not depend on the locale of its host", "[lua]") {
  const tests::CommaLocale locale;
  if (!locale) WARN("this machine has no locale with a decimal comma: nothing was tried");
  CHECK(ends_by_count("error(tostring(0.5) .. tostring('Z' < 'a'), 0)") == "failed K750: 0.5true");
}

TEST_CASE("what is deep, crooked or empty is an error and no crash", "[lua]") {
  struct Case {
    std::string body, end;
  };
  const auto [body, end] = GENERATE(values<Case>({
      {"local function f() return 1 + f() end f()", ""},
      {"local function f() pcall(f) error('x') end f()", ""},
      {"local t = {} for i = 1, 1000 do t[i] = i % 7 end table.sort(t, function(a, b) return true end)",
       "invalid order function"},
      {"error()", "no text"},
      {"error({1})", "no text"},
      {"error(setmetatable({}, {__tostring = function() while true do end end}))", "no text"},
      {"error(nil)", "no text"},
      {"table.unpack({}, 1, 1e8)", "more than 250 values"},
      {"string.byte(('x'):rep(1000), 1, -1)", "more than 250 values"},
      {"local t = {} t[kd.q(1, 's')] = 1 for k in pairs(t) do end", "have no order"},
      {"kd.note(setmetatable({}, {__tostring = function() return 1 end}))", "must return a string"},
  }));
  CAPTURE(body);
  const std::string got = outcome_of(body, "", counted(50'000'000));
  if (!end.empty()) CHECK_THAT(got, StartsWith("failed K750") && Contains(end));
}

TEST_CASE("what could leave the sandbox is not there", "[lua]") {
  for (const char* name : {"load",           "loadstring",  "dofile",       "loadfile",    "require",
                           "package",        "io",          "os",           "debug",       "coroutine",
                           "collectgarbage", "xpcall",      "getmetatable", "rawset",      "rawget",
                           "rawequal",       "print",       "_G",           "math.random", "math.randomseed",
                           "string.dump",    "string.pack", "table.move"}) {
    CAPTURE(name);
    CHECK_THAT(ends_by_count("local x = " + std::string(name)), StartsWith("failed K750: t.lua:2: "));
  }
  for (const char* pattern : {"('x'):match('.-')", "('x'):gsub('x', 'y')", "string.gmatch('x', 'x')"}) {
    CAPTURE(pattern);
    CHECK_THAT(ends_by_count(std::string("local x = ") + pattern), Contains("re.match"));
  }
  CHECK_THAT(ends_by_count("('a.-.-b'):find('.-.-b')"), Contains("plain text"));
}

TEST_CASE("what lies behind the functions of Lua cannot be reached", "[lua]") {
  // A length that changes from call to call would lead loops in C astray.
  for (const char* call : {"table.insert(t, math.mininteger + 1, 0)", "table.remove(t, 1)", "table.sort(t, tonumber)",
                           "table.concat(t)"}) {
    CAPTURE(call);
    CHECK_THAT(
        ends_by_count("local n = -2 local t = setmetatable({}, {__len = function() n = n + 2^40 return n // 1 end}) " +
                      std::string(call)),
        Contains("no plain list"));
  }
  CHECK_THAT(ends_by_count("while true do ('a'):rep(1 << 20):find(('a'):rep(1 << 19) .. 'b', 1, true) end"),
             StartsWith(too_long));
  CHECK_THAT(ends_by_count("local s = string.format('\\0%p', 'x')"), Contains("address"));
  CHECK_THAT(ends_by_count(
                 "re.test(('ab'):rep(1 << 19), '[ab]*a[ab]{1000}') re.test(('ab'):rep(1 << 19), '[ab]*b[ab]{1000}')"),
             StartsWith(too_long));
  CHECK_THAT(ends_by_count("re.replace(('a'):rep(1000000), 'a', ('b'):rep(100))"), StartsWith(too_long));
  // Weak entries that go while the keys are listed.
  CHECK(outcome_of("for i = 1, 200 do local mt = {} local t = setmetatable({}, mt) mt.__mode = 'kv' "
                   "for k = 1, 300 do t['k' .. k] = {k} end for k, v in pairs(t) do local x = k end end",
                   "", counted(50'000'000)) == "clear");
}

TEST_CASE("metatables of a script are its own and have no finalisers", "[lua]") {
  for (const char* key : {"__gc", "__mode", "__close", "__metatable"}) {
    CAPTURE(key);
    CHECK_THAT(ends_by_count(std::string("setmetatable({}, {") + key + " = 'v'})"),
               Contains("cannot have '" + std::string(key)));
  }
  CHECK_THAT(ends_by_count("setmetatable(kd, {})"), Contains("protected"));
  CHECK_THAT(ends_by_count("setmetatable(string, {})"), Contains("protected"));
  CHECK_THAT(ends_by_count("setmetatable(kd.q(1, 's'), {})"), Contains("table expected"));
  // A finaliser that comes later is none, and the method of a string stays what it is.
  CHECK(ends_by_count("local mt = {} for i = 1, 1000 do setmetatable({}, mt) end "
                      "mt.__gc = function() while true do end end") == "clear");
  CHECK(ends_by_count("string.len = nil; local s = kd.q(1, 's')") == "clear");
}

TEST_CASE("bytecode and broken Lua are no scripts", "[lua]") {
  CHECK_FALSE(load_rules_text("t.lua", std::string_view("\x1bLua\x54\x00", 6), {.builtin = false}));
  const auto broken =
      load_rules_text("t.lua", "return {\n  id = 'a.b',\n  detect = function(kd) if end\n}", {.builtin = false});
  REQUIRE_FALSE(broken);
  CHECK(broken.error().front().id == "K742");
  CHECK_THAT(render(broken.error()), StartsWith("t.lua:3:3: error[K742]: "));
  std::string deep = "return " + std::string(100'000, '(') + "1" + std::string(100'000, ')');
  CHECK_FALSE(load_rules_text("t.lua", deep, {.builtin = false}));
}

TEST_CASE("a rule in Lua that does not end is refused when it is read", "[lua]") {
  RuleOptions options = counted();
  options.builtin = false;
  const auto rules = load_rules_text("t.lua", "while true do end", options);
  REQUIRE_FALSE(rules);
  CHECK(rules.error().front().id == "K743");
  CHECK_THAT(rules.error().front().title, Contains("2,000,000 instructions"));
}

TEST_CASE("no text shows an address", "[lua]") {
  CHECK(ends_by_count(R"(
    local function same(text) if text:find('0x', 1, true) then error(text) end end
    same(tostring({})) same(tostring(print ~= nil)) same(tostring(function() end)) same(tostring(kd))
    same(string.format('%s %s', {}, kd.eval)) same(tostring(kd.rows('kernels')))
  )") != "clear");  // `print` is none
  CHECK(outcome_of(R"(
    local function same(text) if text:find('0x', 1, true) then error(text) end end
    same(tostring({})) same(tostring(function() end)) same(tostring(kd))
    same(string.format('%s %s', {}, kd.eval)) same(tostring(kd.rows('kernels')))
  )",
                   "kernels: [{name: k, start: 0us, dur: 5us, device: 0}]") == "clear");
  CHECK_THAT(ends_by_count("string.format('%p', {})"), Contains("address"));
}

TEST_CASE("pairs goes by sorted keys", "[lua]") {
  CHECK(ends_by_count(R"(
    local t = {[3] = 1, b = 1, [1] = 1, a = 1, [2.5] = 1, [true] = 1, [-1] = 1, [false] = 1}
    local got = ''
    for k in pairs(t) do got = got .. tostring(k) .. ' ' end
    assert(got == '-1 1 2.5 3 a b false true ', got)
    got = ''
    local k = next(t)
    while k ~= nil do got = got .. tostring(k) .. ' ' k = next(t, k) end
    assert(got == '-1 1 2.5 3 a b false true ', got)
    for k in pairs(t) do t[k] = nil end
    assert(next(t) == nil)
  )") == "clear");
}

TEST_CASE("the library that is left works", "[lua]") {
  CHECK(ends_by_count(R"(
    assert(('a'):rep(3, '-') == 'a-a-a' and ('x'):rep(0) == '' and ('x'):rep(-1) == '')
    assert(('Hello'):lower():upper():reverse():sub(2, 3) == 'LL' and #'abc' == 3 and string.char(65) == 'A')
    assert(('a.b'):find('.b', 1, true) == 2 and ('abc'):find('bc') == 2)
    assert(string.format('%5.1f|%d|%s|%q', 1.25, 3, 'x', 'y') == '  1.2|3|x|"y"')
    local t = {3, 1, 2}
    table.sort(t) table.insert(t, 4) table.insert(t, 1, 0) assert(table.remove(t) == 4 and table.remove(t, 1) == 0)
    assert(table.concat(t, ',') == '1,2,3' and select('#', table.unpack(t)) == 3)
    assert(math.floor(2.5) == 2 and math.type(1) == 'integer' and utf8.len('é') == 1 and tonumber('10', 2) == 2)
    local ok, message = pcall(error, 'x') assert(not ok and message == 'x')
    local ok, a, b = pcall(function() return 1, 2 end) assert(ok and a == 1 and b == 2)
    local C = {} C.__index = C function C.new() return setmetatable({}, C) end function C:two() return 2 end
    assert(C.new():two() == 2)
    assert(re.test('ncclAllReduce', '(?i)NCCL') and re.match('gemm_64x32', '(\\d+)x(\\d+)') == '64')
    assert(re.match('gemm', 'e.') == 'em' and re.match('gemm', 'z') == nil)
    assert(re.replace('a1b22', '[0-9]+', '<\\0>') == 'a<1>b<22>')
  )") == "clear");
  CHECK_THAT(ends_by_count("re.test('x', '(')"), Contains("invalid regular expression"));
  CHECK_THAT(ends_by_count("re.test('x', '((a{1,1000}){1,1000}){1,1000}')"), Contains("invalid regular expression"));
}

TEST_CASE("misspelt names are errors with advice", "[lua]") {
  CHECK_THAT(ends_by_count("kd.colum('steps', 'dur')"), Contains("`kd` has no 'colum': did you mean 'column'?"));
  CHECK_THAT(ends_by_count("local x = kd.param.ration"), Contains("`kd.param` has no 'ration'"));
  CHECK_THAT(ends_by_count("math.flor(2)"), Contains("did you mean 'floor'?"));
  CHECK_THAT(ends_by_count("prnt('x')"), Contains("there is no 'prnt' in scripts"));
  CHECK_THAT(ends_by_count("print('x')"), Contains("kd.note"));
  CHECK_THAT(ends_by_count("local x = kd.q(1, 's').low_end"), Contains("`quantity` has no 'low_end'"));
}

TEST_CASE("the wall clock ends what counts little", "[lua]") {
  RuleOptions options;
  options.lua_limits.instructions = UINT64_MAX / 4;
  options.lua_limits.wall_ms = 50;
  const auto begun = std::chrono::steady_clock::now();
  CHECK_THAT(outcome_of("while true do end", "", options), StartsWith("failed K752: it took more than 50 ms"));
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(20));
}

TEST_CASE("the host stops a script that would go on", "[lua]") {
  RuleOptions options{.builtin = false};
  options.lua_limits.instructions = UINT64_MAX / 4;
  options.lua_limits.wall_ms = 0;
  const auto rules = load_rules_text("t.lua", lua_rule("while true do pcall(error, 'x') end"), options);
  const auto facts = load_trace("t", std::string_view("Kernel | Latency Tensor DRAM\ngemm | 8000 0.5 0.2\n"));
  REQUIRE((rules && facts));
  std::atomic<bool> cancel{false};
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  const Report report = diagnose(*facts, *rules, {.threads = 1, .cancel = &cancel});
  host.join();
  CHECK(report.outcomes.empty());
}

TEST_CASE("what a script says is bounded", "[lua]") {
  RuleOptions options;
  options.lua_limits.output_bytes = 10'000;
  CHECK_THAT(outcome_of("kd.finding{evidence = {x = ('y'):rep(20000)}}", "", options), StartsWith("failed K751"));
  CHECK_THAT(ends_by_count("kd.finding{message = ('y'):rep(20000)}"), Contains("longer than 16 KiB"));
  CHECK(ends_by_count("for i = 1, 1000 do kd.note('x') end") == "clear");
}

// --- Errors of both languages meet ----------------------------------------------------------------------------------

TEST_CASE("exceptions of C++ end the script as errors", "[lua]") {
  lua::Sandbox sandbox({}, nullptr);
  CHECK_FALSE(sandbox.attempt([] { throw BudgetExceeded{"rows"}; }));
  CHECK(sandbox.end() == lua::End::failed);
  CHECK(sandbox.reason() == "K501: rows");

  lua::Sandbox second({}, nullptr);
  CHECK_FALSE(second.attempt([] { throw std::bad_alloc(); }));
  CHECK_THAT(second.reason(), StartsWith("K751"));

  lua::Sandbox third({}, nullptr);
  CHECK_FALSE(third.attempt([] { throw std::runtime_error("odd"); }));
  CHECK(third.reason() == "K750: odd");
  CHECK_FALSE(third.attempt([] {}));  // what has ended stays so
}

TEST_CASE("a rule that exceeds the budget of its expressions fails, whatever it catches", "[lua]") {
  // Each kernel is compared with each other one.
  const std::string facts = "kernels: [{name: k, start: 0us+10us*9000, dur: 5us, device: 0}]";
  const std::string body =
      "pcall(kd.eval, 'count(kernels as k where exists(kernels where dur + k.dur < 1us))') "
      "kd.finding{}";
  CHECK_THAT(outcome_of(body, facts), StartsWith("failed K501"));
}
