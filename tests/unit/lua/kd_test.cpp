// SPDX-License-Identifier: Apache-2.0
// `kd`: what scripts see of facts, and what they say of them.
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/lua_rules.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Two kernels of 10 us and one of 30 us, 100 us apart, and two steps.
const std::string kernels =
    R"(steps: [{index: 0, start: 0us, dur: 150us, kind: steady}, {index: 1, start: 150us, dur: 150us, kind: steady}]
kernels:
- {name: gemm, class: gemm, start: 0us+100us*2, dur: 10us, device: 0}
- {name: norm, class: norm, start: 200us, dur: 30us, device: 0})";

/// How a rule for each device ends.
std::string kd_ends(const std::string& body, const std::string& facts = kernels) {
  const Report report = judge_facts("t.lua", lua_rule(body, "for_each = 'device',"), facts, {});
  const OutcomeEntry& outcome = report.outcomes.at(0);
  std::string out(name_of(outcome.outcome));
  for (const MissingEntry& missing : outcome.missing) out += ": " + missing.fact;
  if (outcome.missing.empty() && !outcome.reason.empty()) out += " " + outcome.reason;
  return out;
}

Finding finding(const std::string& body, const std::string& more = "for_each = 'device',") {
  const Report report = judge_facts("t.lua", lua_rule(body, more), kernels, {});
  if (report.findings.empty()) FAIL(report.outcomes.at(0).reason);
  return report.findings.front();
}

}  // namespace

TEST_CASE("kd.eval gives values of the language", "[lua]") {
  CHECK(kd_ends(R"(
    assert(kd.eval('count(kernels)') == 3)
    assert(kd.eval('sum(kernels, dur)') == kd.q(50, 'us'))
    assert(tostring(kd.eval('sum(kernels, dur)')) == '50 us')
    assert(kd.eval('argmax(kernels, dur, name)') == 'norm')
    assert(kd.eval('any(kernels, dur > 20us)') == true)
    assert(kd.eval('1 / 2'):to() == 0.5 and tostring(kd.eval('sum(kernels, dur) / 100us')) == '50 %')
    assert(#kd.eval('kernels where dur > 20us') == 1)
    assert(kd.eval('top(kernels, 1, dur)') ~= nil)
  )") == "clear");
}

TEST_CASE("a wrong expression is an error with its advice", "[lua]") {
  CHECK_THAT(kd_ends("kd.eval('sum(kernel, dur)')"), Contains("K302: unknown name 'kernel' in `sum(kernel, dur)`"));
  CHECK_THAT(kd_ends("kd.eval('count(')"), Contains("K120"));
  CHECK_THAT(kd_ends("kd.eval('sum(kernels, dur) > 4KiB')"), Contains("K203: cannot compare time with data"));
  CHECK_THAT(kd_ends("kd.column('kernels', 'durr')"), Contains("K302"));
  CHECK_THAT(kd_ends("kd.rows('1us')"), Contains("no table"));
  CHECK_THAT(kd_ends("kd.has('kernels.durr')"), Contains("K301"));
  CHECK_THAT(kd_ends("kd.eval(nil)"), Contains("string expected"));
  CHECK(kd_ends("local ok, why = pcall(kd.eval, 'count(') assert(not ok and why:find('K120', 1, true))") == "clear");
}

TEST_CASE("an absent fact ends the rule, whatever it catches", "[lua]") {
  CHECK(kd_ends("kd.eval('sum(api, dur)')") == "inconclusive: api");
  CHECK(kd_ends("pcall(kd.eval, 'sum(api, dur)') kd.finding{}") == "inconclusive: api");
  CHECK(kd_ends("while true do pcall(kd.column, 'api', 'dur') end") == "inconclusive: api");
  CHECK(kd_ends("for row in kd.rows('kernels') do local n = row.regs + 1 end") == "inconclusive: kernels.regs");
  CHECK(kd_ends("local c = kd.column('kernels', 'regs') local n = c[1]") == "inconclusive: kernels.regs");
  CHECK(kd_ends("kd.series('sm_clock')") == "inconclusive: samples:sm_clock");
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') / (kd.q(1, 's') - kd.q(1, 's'))"), Contains("division by zero"));
}

TEST_CASE("absent facts can be asked for first", "[lua]") {
  CHECK(kd_ends(R"(
    assert(kd.has('kernels') and kd.has('kernels.dur') and not kd.has('api') and not kd.has('kernels.regs'))
    assert(not kd.has('samples:sm_clock'))
    assert(kd.get('sum(api, dur)') == nil and kd.get('sum(api, dur)', 3) == 3 and kd.get('count(kernels)', 0) == 3)
    assert(kd.baseline == nil)
  )") == "clear");
}

TEST_CASE("the baseline answers as the run does", "[lua]") {
  const auto compared = [](const std::string& body) {
    return outcome_of(body, "kernels: [{name: gemm, start: 0us, dur: 30us, device: 0}]", {},
                      "kernels: [{name: relu, start: 5us, dur: 10us, device: 0},"
                      " {name: relu, start: 20us, dur: 10us, device: 0}]",
                      "for_each = 'device',");
  };
  CHECK(compared(R"(
    local base = kd.baseline
    assert(base.eval('count(kernels)') == 2 and kd.eval('count(kernels)') == 1)
    assert(kd.eval('sum(kernels, dur)') - base.eval('sum(kernels, dur)') == kd.q(10, 'us'))
    assert(base.column('kernels', 'name')[2] == 'relu' and kd.column('kernels', 'name')[1] == 'gemm')
    for row in base.rows('kernels') do assert(row.name == 'relu' and row.dur == kd.q(10, 'us')) end
    assert(base.spans('kernels'):length() == kd.q(20, 'us'))
    assert(base.has('kernels') and not base.has('api') and base.get('sum(api, dur)', 7) == 7)
  )") == "clear");
  CHECK_THAT(compared("local both = kd.spans('kernels') & kd.baseline.spans('kernels')"), Contains("no common clock"));
  CHECK_THAT(compared("kd.finding{impact = kd.baseline.spans('kernels')}"), Contains("not of the baseline"));
  CHECK_THAT(compared("kd.baseline.finding{}"), Contains("finding"));
  CHECK(compared("kd.baseline.eval('sum(api, dur)')") == "inconclusive: api");
  CHECK(compared("kd.finding{evidence = {was = kd.baseline.eval('max(kernels, dur)')}}") == "fired");
}

TEST_CASE("rows go by a reused cursor, columns by plain numbers", "[lua]") {
  CHECK(kd_ends(R"(
    local names, sum, rows = '', kd.q(0, 's'), {}
    for row in kd.rows('kernels', 'dur < 20us') do
      names, sum, rows[#rows + 1] = names .. row.name, sum + row.dur, row
    end
    assert(names == 'gemmgemm' and sum == kd.q(20, 'us') and rows[1] == rows[2])
    local d = kd.column('kernels', 'dur', {where = 'dur > 1us'})
    assert(#d == 3 and d[1] == 10000 and math.type(d[1]) == 'integer' and d[4] == nil and d[0] == nil)
    assert(d:quantity(d[3]) == kd.q(30, 'us'))
    local total = 0
    for i = 1, #d do total = total + d[i] end
    assert(total == 50000)
    local by_end = kd.column('kernels', 'dur', {where = 'dur > 1us', by = '0us - dur'})
    assert(#by_end == 3 and by_end[1] == 30000 and by_end[3] == 10000)
    assert(kd.column('kernels', 'name')[3] == 'norm' and kd.column('kernels', 'dur > 20us')[3] == true)
    assert(tostring(kd.column('kernels', 'device')[1]) == 'GPU 0')
    for g in kd.rows('kernels group by (name) select (n = count(), longest = max(dur))') do
      assert(g.n == (g.name == 'gemm' and 2 or 1))
    end
    for row in kd.rows('kernels') do assert(tostring(row.device) == 'GPU 0' and row.device.id == 0) end
  )") == "clear");
  CHECK_THAT(kd_ends("for row in kd.rows('kernels') do local x = row.durr end"), Contains("did you mean 'dur'?"));
  // Texts that mean something else together.
  CHECK_THAT(kd_ends("kd.column('kernels where exists(kernels', 'dur)')"), Contains("is no expression"));
  CHECK_THAT(kd_ends("kd.column('kernels', 'dur) where (value > 0ns')"), Contains("is no expression"));
  CHECK_THAT(kd_ends("kd.rows('kernels', '1 > 0) where (2 > 1')"), Contains("is no expression"));
  CHECK_THAT(kd_ends("kd.column('kernels', 'dur', {where = 1.5})"), Contains("needs a text"));
  CHECK_THAT(kd_ends("kd:eval('1')"), Contains("with a dot"));
  CHECK_THAT(kd_ends("kd:finding{}"), Contains("with a dot"));
  CHECK_THAT(kd_ends("kd.eval('1', '2')"), Contains("too many arguments"));
  CHECK(kd_ends("assert(kd.spans('kernels', 'dur > 20us'):length() == kd.q(30, 'us'))") == "clear");
  CHECK_THAT(kd_ends("kd.intervals{{1.5e18, 1.5e18 + 10}}"), Contains("lost digits"));
  CHECK_THAT(kd_ends("kd.finding{impact = kd.q(-3, 'us')}"), Contains("less than nothing"));
  CHECK_THAT(kd_ends("kd.finding{gain = {kd.q(3, 'us'), kd.q(1, 'us')}}"), Contains("in this order"));
  CHECK_THAT(kd_ends("kd.column('kernels', 'dur', {were = 'dur > 1us'})"), Contains("no option `were`"));
  CHECK_THAT(kd_ends("kd.column('kernels', 'dur', {by = 'name'})"), Contains("needs a number or a time"));
}

TEST_CASE("quantities keep their dimension", "[lua]") {
  CHECK(kd_ends(R"(
    local a, b = kd.q(10, 'us'), kd.q(2, 'ms')
    assert(a < b and b > a and a <= a and a == kd.q(0.01, 'ms') and a ~= b and a > 0 and 0 < a)
    assert(a + b == kd.q(2010, 'us') and b - a == kd.q(1990, 'us') and -a == kd.q(-10, 'us'))
    assert(2 * a == kd.q(20, 'us') and a * 2 == a + a and a / 2 == kd.q(5, 'us'))
    assert((b / a):to() == 200 and tostring(a / b) == '0.5 %' and a:to('ns') == 10000 and b:to('us') == 2000)
    assert(tostring(kd.q(4, 'KiB') / kd.q(1, 'us')) == '4.1 GB/s', tostring(kd.q(4, 'KiB') / kd.q(1, 'us')))
    assert('takes ' .. a .. '!' == 'takes 10 us!' and string.format('%s', b) == '2 ms')
  )") == "clear");
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') + kd.q(1, 'KiB')"), Contains("cannot add time and data"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') + 1"), Contains("cannot add time and number"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') < 1"), Contains("cannot compare time and number"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') == kd.q(1, 'W')"), Contains("cannot compare time and power"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 'parsec')"), Contains("unknown unit 'parsec'"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 's'):to('KiB')"), Contains("is no unit of time"));
  CHECK_THAT(kd_ends("kd.q(0 / 0, 's')"), Contains("no number"));
  CHECK_THAT(kd_ends("local x = math.floor(kd.q(1, 's'))"), Contains("number expected"));
  CHECK_THAT(kd_ends("local x = kd.q(1, 's') < 0 / 0"), StartsWith("failed"));
  CHECK(kd_ends("local x = kd.q(1, 's') * (0 / 0)") == "inconclusive not a number");
}

TEST_CASE("intervals have an algebra", "[lua]") {
  CHECK(kd_ends(R"(
    local all = kd.spans('kernels')
    assert(#all == 3 and all:length() == kd.q(50, 'us'))
    local long = kd.spans('kernels where dur > 20us')
    assert((all - long):length() == kd.q(20, 'us') and (all & long):length() == kd.q(30, 'us') and #(all | long) == 3)
    local first, last = all:at(3)
    assert(last - first == 30000)
    local mine = kd.intervals{{first, last}, {last, last + 10}, {first, first}}
    assert(#mine == 1 and mine:length() == kd.q(30010, 'ns'))
    assert(#kd.intervals{} == 0)
  )") == "clear");
  CHECK_THAT(kd_ends("local x = kd.spans('kernels') & 3"), StartsWith("failed K750"));
  CHECK_THAT(kd_ends("local x = kd.spans('kernels'):at(4)"), Contains("no such place"));
  CHECK_THAT(kd_ends("kd.intervals{{1}}"), Contains("an interval is {start, end}"));
  CHECK_THAT(kd_ends("kd.intervals{{1, 1e300}}"), Contains("146 years"));
}

TEST_CASE("series are step functions", "[lua]") {
  CHECK(kd_ends(R"(
    local s = kd.series('sm_clock')
    local first, last, value = s:at(1)
    assert(#s == 2 and last > first and value == 1.2e9)
  )",
                kernels + "\nsamples: [{series: sm_clock, device: 0, time: 0us+100us*2, value: 1200MHz, unit: Hz}]") ==
        "clear");
}

TEST_CASE("a comparison that partial data leaves open ends the rule", "[lua]") {
  // Half of the rows have a duration: the sum lies between what they give and no known end.
  const std::string partial =
      "kernels: [{name: a, start: 0us, dur: 10us, device: 0}, {name: b, start: 50us, device: 0}]";
  CHECK_THAT(kd_ends("local s = kd.eval('sum(kernels, dur)') if s > kd.q(20, 'us') then kd.finding{} end", partial),
             StartsWith("inconclusive"));
  CHECK(kd_ends("local s = kd.eval('sum(kernels, dur)') if s > kd.q(5, 'us') then kd.finding{} end", partial) ==
        "fired");
  CHECK(kd_ends("local s = kd.eval('sum(kernels, dur)') assert(s:low() == kd.q(10, 'us'))", partial) == "clear");
}

TEST_CASE("a finding says what the rule leaves out", "[lua]") {
  const Finding said = finding(R"(kd.finding{
    severity = 'high', title = 'three kernels', message = 'they take ' .. kd.eval('sum(kernels, dur)'),
    impact = kd.spans('kernels'), gain = {kd.q(10, 'us'), kd.q(20, 'us')}, confidence = 0.5,
    evidence = {b = kd.q(3, 'ms'), a = 2, c = 'text', d = true, e = kd.eval('kernels where dur > 20us')}})");
  CHECK(said.severity == Severity::high);
  CHECK(said.title == "three kernels");
  CHECK(said.message == "they take 50 us");
  CHECK(said.impact_ns == 50'000);
  CHECK(said.intervals.size() == 3);
  CHECK(said.gain->low_ns == 10'000);
  CHECK(said.gain->high_ns == 20'000);
  CHECK(said.confidence.value == 0.5);
  REQUIRE(said.evidence.size() == 5);
  CHECK(said.evidence[0].first == "a");
  CHECK(std::get<ValueEntry>(said.evidence[1].second).unit == "ns");
  CHECK(std::get<std::vector<RowEntry>>(said.evidence[4].second).size() == 1);
  CHECK(said.provenance.file == "t.lua");
  CHECK(finding("kd.finding{}").title == "found");
  CHECK(finding("kd.finding{}").severity == Severity::info);
  CHECK(finding("kd.finding{impact = kd.q(200, 'us')}").severity == Severity::critical);  // of 300 us
}

TEST_CASE("a finding passes the checks of other rules", "[lua]") {
  struct Case {
    std::string finding, error;
  };
  const auto [body, error] = GENERATE(values<Case>({
      {"{severty = 'high'}", "did you mean 'severity'?"},
      {"{severity = 'worst'}", "is one of critical"},
      {"{impact = 3}", "needs a time"},
      {"{impact = kd.q(3, 'KiB')}", "needs a time"},
      {"{impact = {1, 2}}", "needs a time"},
      {"{impact = kd.eval('kernels')}", "needs a time"},
      {"{confidence = 2}", "from 0 to 1"},
      {"{confidence = 0 / 0}", "from 0 to 1"},
      {"{location = 'a.py:3'}", "needs a row of frames"},
      {"{evidence = {1, 2}}", "has names"},
      {"{evidence = {['a b'] = 1}}", "is no name"},
      {"{evidence = {a = {}}}", "shows numbers"},
      {"{title = 3}", "needs a text"},
      {"3", "table expected"},
  }));
  CAPTURE(body);
  CHECK_THAT(kd_ends("kd.finding(" + body + ")"), StartsWith("failed K750") && Contains(error));
  CHECK_THAT(kd_ends("kd.finding{} kd.finding{}"), Contains("one thing about a subject"));
}

TEST_CASE("parameters come with their dimension", "[lua]") {
  const std::string more =
      "for_each = 'device', params = {ratio = 1.5, limit = '20us', share = '5%', on = true, name = 'x'},";
  const std::string body = R"(
    assert(kd.param.ratio == 1.5 and kd.param.limit == kd.q(20, 'us') and kd.param.share:to() == 0.05)
    assert(kd.param.on == true and kd.param.name == 'x')
    if kd.eval('max(kernels, dur) > $limit') then kd.finding{} end)";
  CHECK(judge_facts("t.lua", lua_rule(body, more), kernels, {}).outcomes[0].outcome == Outcome::fired);
  RuleOptions set;
  set.set = {{"my.rule.limit", "40us"}};
  const std::string other =
      "assert(kd.param.limit == kd.q(40, 'us')) local p = kd.param.ratio, kd.param.share, kd.param.on, kd.param.name";
  CHECK(judge_facts("t.lua", lua_rule(other, more), kernels, set).outcomes[0].outcome == Outcome::clear);
}

TEST_CASE("confidence sinks with the coverage of what was read", "[lua]") {
  // 19 of 20 kernels have a duration.
  const std::string partial =
      "kernels: [{name: a, start: 0us+50us*19, dur: 10us, device: 0}, {name: b, start: 5ms, device: 0}]";
  const Report report = judge_facts(
      "t.lua", lua_rule("kd.finding{impact = kd.eval('median(kernels, dur)')}", "for_each = 'device',"), partial, {});
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].confidence.value < 1);
  CHECK(report.findings[0].confidence.value > 0.9);
}
