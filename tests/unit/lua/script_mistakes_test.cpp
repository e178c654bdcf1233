// SPDX-License-Identifier: Apache-2.0
// What is seen to be wrong in a script without running it, and what is not looked at.
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "lua/lua_tokens.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// What is wrong with the body of `detect`, as "line:column id title".
std::vector<std::string> mistakes_of(const std::string& body) {
  const std::string text =
      "return { id = 'my.rule', title = 't', for_each = 'device', params = { most = 3 }, detect = function(kd)\n" +
      body + "\nend }\n";
  const auto rules = load_rules_text("t.lua", text, {.builtin = false});
  if (!rules) FAIL(render(rules.error()));
  std::vector<std::string> out;
  for (const Diagnostic& mistake : script_mistakes(*rules)) {
    const Position at = position_of(*mistake.labels.front().span.source, mistake.labels.front().span.offset);
    CHECK(mistake.level == Level::error);
    CHECK(mistake.context == "rule my.rule");
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + mistake.id + " " + mistake.title);
  }
  return out;
}

using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("a name that kd does not have is told at its place", "[lua][check]") {
  CHECK(mistakes_of("kd.colum('kernels', 'dur')") == Told{"2:4 K302 kd has no 'colum'"});
  CHECK(mistakes_of("local a = 1\n  if kd.baseline then kd.baseline.rowz('kernels') end") ==
        Told{"3:35 K302 kd.baseline has no 'rowz'"});
  CHECK(mistakes_of("kd.baseline.finding{}") == Told{"2:13 K302 kd.baseline has no 'finding'"});
  CHECK(mistakes_of("return kd.param.mots") == Told{"2:17 K304 unknown parameter 'mots'"});
  CHECK(mistakes_of("kd:eval('1')") == Told{"2:4 K302 functions of kd are called with a dot"});
  CHECK(mistakes_of("kd.note(kd.param.most) kd.finding{ impact = kd.q(1, 'us') }") == Told{});
}

TEST_CASE("a text that stands whole in a call is checked where it stands", "[lua][check]") {
  CHECK(mistakes_of("return kd.eval('sum(kernels, durr)')") == Told{"2:30 K302 unknown name 'durr'"});
  CHECK(mistakes_of("return kd.get([[count(kernels) >]], 1)") ==
        Told{"2:33 K120 expected a value, found the end of the expression"});
  CHECK(mistakes_of("return kd.eval('count(kernels) > $mots')") == Told{"2:34 K304 unknown parameter '$mots'"});
  CHECK(mistakes_of("for row in kd.rows('kernelz') do end") == Told{"2:21 K302 unknown name 'kernelz'"});
  CHECK(mistakes_of("for row in kd.rows('kernels', 'durr > 1us') do end") == Told{"2:32 K302 unknown name 'durr'"});
  CHECK(mistakes_of("for row in kd.rows('count(kernels)') do end") == Told{"2:21 K201 this is no table"});
  CHECK(mistakes_of("return kd.column('kernels', 'durr')") == Told{"2:30 K302 unknown name 'durr'"});
  CHECK(mistakes_of("return kd.column('kernels', 'dur', {where = 'name > 3', by = 'stat'})") ==
        Told{"2:53 K203 cannot compare text with number"});
  CHECK(mistakes_of("return kd.column('kernels', 'dur', {by = 'stat'})") == Told{"2:43 K302 unknown name 'stat'"});
  CHECK(mistakes_of("return kd.spans('kernels', 'dur > 3B')").size() == 1);
  CHECK(mistakes_of("return kd.has('kernels.durr')").size() == 1);
  CHECK(mistakes_of("return kd.series('sm_clok')").size() == 1);
}

TEST_CASE("what a script makes as it runs is not looked at", "[lua][check]") {
  for (const char* body :
       {"return kd.eval('sum(kernels, ' .. 'durr)')", "local q = 'nonsense(' return kd.eval(q)",
        "return kd.rows('kernels', 'dur > ' .. 3)", "return kd['colum']", "-- kd.colum('x')\n--[[ kd.colum ]] return 1",
        "return 'kd.colum'", "local kd = {} return kd.colum", "local t = { kd = 1 } return t.kd.colum",
        "return kd.eval('kind == \\'steady\\'')", "return kd.column('kernels', 'dur', {where = w, by = 'stat'})",
        "return kd.eval('sum(kernels, dur)' , nil)", "local colum = x.kd.colum"})
    CHECK(mistakes_of(body) == Told{});
}

TEST_CASE("tokens of any text end where it ends", "[lua][hostile]") {
  using lua::lua_tokens;
  const std::string whole =
      "#!x\nlocal a, b = [==[ x ]] ]==], 'it\\'s' -- end\n--[[ a\n]] x = 0x1p4 .. \"q\" // 3 ~= nil\n";
  CHECK(lua_tokens(whole).size() == 17);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut)
    for (const auto& token : lua_tokens(std::string_view(whole).substr(0, cut))) {
      CHECK(token.range.begin < token.range.end);
      CHECK(token.range.end <= cut);
      if (token.content) CHECK((token.content->begin <= token.content->end && token.content->end <= cut));
    }
}
