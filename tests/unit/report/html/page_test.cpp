// SPDX-License-Identifier: Apache-2.0
// The page for a browser: its data, its length, and that nothing of a trace is markup in it.
#include <kdiag/compare.hpp>
#include <kdiag/html.hpp>
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inert.hpp"
#include "tests/support/json_tree.hpp"
#include "tests/support/sample_report.hpp"

using namespace kdiag;

namespace {

constexpr std::string_view data_begin = "id=\"data\">";

std::string data_of(const std::string& page) {
  const std::size_t begin = page.find(data_begin) + data_begin.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::size_t times(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

Facts loaded(const std::string& path) {
  auto facts = load_trace(path);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

Report diagnosed(const Facts& facts) { return diagnose(facts, *builtin_rules()); }

/// A trace of one stream whose kernels last 3 us every 4 us.
Facts many_kernels(int count, const std::string& name) {
  std::string json = R"({"traceEvents":[)";
  for (int i = 0; i < count; ++i)
    json += (i == 0 ? "" : ",") + std::string(R"({"ph":"X","cat":"kernel","name":)") + name +
            R"(,"pid":0,"tid":7,"ts":)" + std::to_string(4 * i) + R"(,"dur":3,"args":{"device":0,"stream":7}})";
  json += "]}";
  auto facts = load_trace("many.json", std::span<const char>(json.data(), json.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::int64_t number(const tests::JsonTree& object, std::string_view name) { return std::stoll(object.at(name).text); }

/// The numbers of a text of the page's data: digits of base 32, the least first, all but the last of a number marked.
std::vector<std::int64_t> numbers(const std::string& text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::int64_t> out;
  std::int64_t number = 0;
  int shift = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::int64_t>(digits.find(c));
    number += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    out.push_back(number);
    number = 0;
    shift = 0;
  }
  return out;
}

std::int64_t sum(const std::string& text) {
  const std::vector<std::int64_t> all = numbers(text);
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

/// A job of three ranks. Rank 2 computes for 120, the others for 80. Two collectives at a time wait for it, from within
/// their computation on. `work`: the table that says what they compute.
tests::JsonTree waiting_ranks(const std::string& work) {
  const std::string text = R"({"schema": "kdiag.facts/1"}
{"run": {"clock": "unix"}}
{"table": "ranks", "columns": ["id"], "rows": [[0], [1], [2]]}
{"table": "devices", "columns": ["id", "rank"], "rows": [[0, 0], [0, 1], [0, 2]]}
{"table": "steps", "columns": ["index", "start", "dur", "rank"], "rows": [[0, 0, 130, 0], [0, 0, 130, 1], [0, 0, 130, 2], [1, 200, 130, 0], [1, 200, 130, 1], [1, 200, 130, 2]]}
)" + work + R"(
{"table": "comms", "columns": ["seq", "rank", "start", "dur", "waited"], "rows": [[0, 0, 10, 120, 110], [0, 1, 10, 120, 110], [0, 2, 110, 20, 0], [1, 0, 60, 70, 60], [1, 1, 60, 70, 60], [1, 2, 115, 15, 0], [2, 0, 210, 120, 110], [2, 1, 210, 120, 110], [2, 2, 310, 20, 0]]}
)";
  const auto facts = load_trace("fleet.jsonl", std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  auto data = tests::parse_json(data_of(to_html(diagnosed(*facts), {.facts = *facts})));
  REQUIRE(data);
  const tests::JsonTree map = data->at("runs").members[0].value.at("step_map");
  CHECK(map.at("without_waiting").text == "true");
  return map;
}

std::string percent_of(const tests::JsonTree& map, std::size_t rank, std::size_t step) {
  return map.at("percent").members[rank].value.members[step].value.text;
}

}  // namespace

TEST_CASE("the page of the example holds what it held when somebody last looked", "[report][html][golden]") {
  const Facts facts = loaded(tests::item_storm);
  // Built-in rules come and go; the path of a file would be that of this machine.
  const auto rules = load_rules_text("loss_reads.yaml", tests::read_file(tests::loss_reads), {.builtin = false});
  REQUIRE(rules);
  std::string data = data_of(to_html(diagnose(facts, *rules), {.facts = facts}));
  for (std::size_t at = 0; (at = data.find(", {", at)) != std::string::npos;) data.replace(at, 2, ",\n");
  tests::check_golden("report/html/item_storm.json", data);
}

TEST_CASE("every sample report is a page whose data can be read", "[report][html]") {
  for (const tests::SampleReport& sample : tests::sample_reports()) {
    CAPTURE(sample.name);
    const std::string page = to_html(sample.make());
    CHECK(tests::parse_json(data_of(page)));
    CHECK(tests::harm_of(page, tests::OutputKind::text) == "");
  }
}

TEST_CASE("nothing that a trace names is markup in the page", "[report][html][hostile]") {
  const std::string hostile = R"("</script><script>alert(1)</script><img src=x onerror=alert(1)><!--\u2028 \u202e\" ")";
  const Facts facts = many_kernels(3, hostile);
  const std::string page = to_html(diagnosed(facts), {.facts = facts});
  CHECK(times(page, "<script") == 2);
  CHECK(times(page, "</script") == 2);
  CHECK(times(page, "<img") == 0);
  CHECK(times(page, "<!--") == 0);
  CHECK(page.find("\\u003cscript>alert(1)") != std::string::npos);  // it is there, as text
  CHECK(tests::harm_of(page, tests::OutputKind::text) == "");
}

TEST_CASE("a name of megabytes takes no more of the page than any other", "[report][html][hostile]") {
  const Facts facts = many_kernels(3, '"' + std::string(3'000'000, 'k') + '"');
  CHECK(to_html(diagnosed(facts), {.facts = facts}).size() < 200'000);
}

TEST_CASE("a page keeps to its length and says what it merged", "[report][html]") {
  const int count = 60'000;
  const Facts facts = many_kernels(count, R"("gemm")");
  const Report report = diagnosed(facts);
  const std::string whole = to_html(report, {.facts = facts, .most_bytes = 20'000'000});
  for (const std::size_t most : {std::size_t{2'000'000}, std::size_t{300'000}, std::size_t{120'000}}) {
    CAPTURE(most);
    const std::string page = to_html(report, {.facts = facts, .most_bytes = most});
    CHECK(page.size() <= most);
    const auto data = tests::parse_json(data_of(page));
    REQUIRE(data);
    const auto& timeline = data->at("runs").members[0].value.at("timeline");
    CHECK(number(timeline, "slices") >= count);
    if (page.size() < whole.size()) CHECK(number(timeline, "drawn") < number(timeline, "slices"));
  }
}

TEST_CASE("a page that cannot hold all has the median step and the slowest event by event", "[report][html]") {
  // 30 steps of 100 kernels, the one before the last a little longer.
  std::string json = R"({"traceEvents":[{})";
  for (int step = 0; step < 30; ++step) {
    const int at = 1000 * step, dur = step == 28 ? 995 : 990;
    json += R"(,{"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" + std::to_string(step) +
            R"(","pid":1,"tid":1,"ts":)" + std::to_string(at) + R"(,"dur":)" + std::to_string(dur) + "}";
    for (int i = 0; i < 100; ++i)
      json += R"(,{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + std::to_string(at + 9 * i + 5) +
              R"(,"dur":)" + std::to_string(1 + i % 7) + R"(,"args":{"device":0,"stream":7}})";
  }
  json += "]}";
  const auto facts = load_trace("steps.json", std::span<const char>(json.data(), json.size()));
  if (!facts) FAIL(render(facts.error()));
  const std::string whole = to_html(diagnosed(*facts), {.facts = *facts});
  const std::string page = to_html(diagnosed(*facts), {.facts = *facts, .most_bytes = whole.size() - 20'000});
  const auto timeline_of = [](const std::string& html) {
    return tests::parse_json(data_of(html))->at("runs").members[0].value.at("timeline");
  };
  CHECK(timeline_of(whole).at("exact").members.empty());
  const auto part = load_trace("steps.json", std::span<const char>(json.data(), json.size()),
                               {.scope = {.steps = std::pair<std::int64_t, std::int64_t>{3, 4}}});
  REQUIRE(part);
  const std::string of_part = to_html(diagnosed(*part), {.facts = *part, .most_bytes = whole.size() - 20'000});
  CHECK(timeline_of(of_part).at("exact").members.at(0).value.at("what").text == "what was judged");
  const tests::JsonTree timeline = timeline_of(page);
  REQUIRE(number(timeline, "drawn") < number(timeline, "slices"));
  const auto& exact = timeline.at("exact").members;
  REQUIRE(exact.size() >= 2);
  CHECK(exact[0].value.at("what").text.ends_with(", the median"));
  CHECK(exact[1].value.at("what").text == "step 28, the slowest");
  CHECK(number(exact[1].value, "to") - number(exact[1].value, "from") >= 990'000);
  for (const auto& group : timeline.at("groups").members)
    for (const auto& lane : group.value.at("lanes").members) {
      if (lane.value.at("type").text != "stream") continue;
      const tests::JsonTree& row = lane.value.at("rows").members[0].value;
      const std::vector<std::int64_t> gaps = numbers(row.at("gaps").text), lengths = numbers(row.at("lengths").text);
      std::int64_t time = number(row, "from");
      std::vector<std::int64_t> found;
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        const std::int64_t start = time + gaps[i];
        time = start + lengths[i];
        if (start >= number(exact[1].value, "from") && time <= number(exact[1].value, "to"))
          found.push_back(lengths[i]);
      }
      REQUIRE(found.size() == 100);
      for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == 1000 * (1 + static_cast<std::int64_t>(i) % 7));
    }
}

TEST_CASE("the lanes of the example have the time that its account has", "[report][html]") {
  const Facts facts = loaded(tests::item_storm);
  const auto data = tests::parse_json(data_of(to_html(diagnosed(facts), {.facts = facts})));
  REQUIRE(data);
  const tests::JsonTree& run = data->at("runs").members[0].value;
  std::map<std::string, std::int64_t> account, lanes;
  for (const auto& line : run.at("ledger").members[0].value.at("lines").members)
    account[line.value.at("name").text.starts_with("idle.") ? "idle" : "stream"] += number(line.value, "ns");
  for (const auto& group : run.at("timeline").at("groups").members)
    for (const auto& lane : group.value.at("lanes").members)
      for (const auto& row : lane.value.at("rows").members)
        lanes[lane.value.at("type").text] += sum(row.value.at("lengths").text);
  CHECK(lanes["stream"] == account["stream"]);
  CHECK(lanes["idle"] == account["idle"]);
  CHECK(lanes["host"] > 0);
  CHECK(lanes["steps"] == number(run.at("ledger").members[0].value, "wall"));
}

TEST_CASE("waived findings are in the page, apart from the others, and so is what to record next", "[report][html]") {
  const Facts facts = loaded(tests::item_storm);
  Report report = diagnosed(facts);
  const std::size_t all = report.findings.size();
  REQUIRE(all > 1);
  report.findings.back().waived =
      WaivedEntry{.reason = "new cluster", .owner = "perf", .until = {}, .place = "k.yaml:1"};
  const auto data = tests::parse_json(data_of(to_html(report, {.facts = facts})));
  REQUIRE(data);
  const tests::JsonTree& run = data->at("runs").members[0].value;
  CHECK(run.at("findings").members.size() == all - 1);
  REQUIRE(run.at("waived").members.size() == 1);
  CHECK(run.at("waived").members[0].value.at("waived").text.find("new cluster") != std::string::npos);
  CHECK(run.at("waived").members[0].value.at("rule").text == report.findings.back().rule);
  CHECK_FALSE(run.at("plan").at("recordings").members.empty());
}

TEST_CASE("steps that stand out are measured against the steady ones of their rank", "[report][html]") {
  std::string json = R"({"traceEvents":[)";
  int at = 0;
  for (int step = 0; step < 12; ++step) {
    const int length = step == 7 ? 900 : 100 + step % 3;
    json += (step == 0 ? "" : ",") + std::string(R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)") +
            std::to_string(step) + R"(","pid":1,"tid":1,"ts":)" + std::to_string(at) + R"(,"dur":)" +
            std::to_string(length) + R"(},{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" +
            std::to_string(at + 5) + R"(,"dur":50,"args":{"device":0,"stream":7}})";
    at += length;
  }
  json += "]}";
  const auto facts = load_trace("steps.json", std::span<const char>(json.data(), json.size()));
  if (!facts) FAIL(render(facts.error()));
  const auto data = tests::parse_json(data_of(to_html(diagnosed(*facts), {.facts = *facts})));
  REQUIRE(data);
  const tests::JsonTree& rank = data->at("runs").members[0].value.at("steps").members[0].value;
  REQUIRE(rank.at("ns").members.size() == 12);
  const double limit = std::stod(rank.at("outlier_above").text);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK((std::stod(rank.at("ns").members[i].value.text) > limit) == (rank.at("index").members[i].value.text == "7"));
  CHECK(number(rank, "left_out") == 0);
}

TEST_CASE("a map of ranks by steps is of the worst of neighbours where there are many", "[report][html]") {
  // Rank 700 of 1,100 works 1.4 times as long as the others, which wait for it; in step 3 rank 30 works twice as long.
  std::string text = R"({"schema": "kdiag.facts/1"})"
                     "\n"
                     R"({"run": {"clock": "unix"}})"
                     "\n";
  std::string ranks, steps, comms;
  const auto row = [](std::string& rows, std::initializer_list<std::int64_t> values) {
    rows += rows.empty() ? "[" : ", [";
    for (const std::int64_t value : values) rows += std::to_string(value) + ",";
    rows.back() = ']';
  };
  for (std::int64_t rank = 0; rank < 1100; ++rank) {
    row(ranks, {rank});
    for (std::int64_t step = 0; step < 5; ++step) {
      const std::int64_t work = rank == 30 && step == 3 ? 200 : rank == 700 ? 140 : 100, last = step == 3 ? 200 : 140;
      row(steps, {step, 1000 * step, last + 10, rank});
      row(comms, {step, rank, 1000 * step + work, last - work + 10, last - work});
    }
  }
  text += R"({"table": "ranks", "columns": ["id"], "rows": [)" + ranks + "]}\n";
  text += R"({"table": "steps", "columns": ["index", "start", "dur", "rank"], "rows": [)" + steps + "]}\n";
  text += R"({"table": "comms", "columns": ["seq", "rank", "start", "dur", "waited"], "rows": [)" + comms + "]}\n";
  const auto facts = load_trace("fleet.jsonl", std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  const auto data = tests::parse_json(data_of(to_html(diagnosed(*facts), {.facts = *facts})));
  REQUIRE(data);
  const tests::JsonTree& run = data->at("runs").members[0].value;
  const tests::JsonTree& map = run.at("step_map");
  CHECK(map.at("without_waiting").text == "true");
  REQUIRE(map.at("ranks").members.size() == 367);  // three ranks each, the last one two
  CHECK(map.at("steps").members.size() == 5);
  const auto cell = [&](const char* name, std::size_t rank, std::size_t step) {
    return map.at(name).members[rank / 3].value.members[step].value.text;
  };
  CHECK(cell("percent", 700, 0) == "136");  // 150 of 110
  CHECK(cell("worst", 700, 0) == "700");
  CHECK(cell("percent", 30, 3) == "191");
  CHECK(cell("worst", 30, 3) == "30");
  CHECK(cell("percent", 30, 2) == "100");
  CHECK(number(run, "ranks_left_out") == 1100 - 128);
  REQUIRE(run.at("steps").members.size() == 128);
  std::vector<std::string> kept;
  for (const auto& member : run.at("steps").members) kept.push_back(member.value.at("rank").text);
  CHECK(std::count(kept.begin(), kept.end(), "30") == 1);
  CHECK(std::count(kept.begin(), kept.end(), "700") == 1);
}

TEST_CASE("a map of ranks by steps takes off waits once, and none beside computation", "[report][html]") {
  const tests::JsonTree map = waiting_ranks(
      R"({"table": "kernels", "columns": ["name", "class", "device", "start", "dur"], "rows": [["a", "gemm", 0, 0, 80], ["a", "gemm", 1, 0, 80], ["a", "gemm", 2, 0, 120], ["a", "gemm", 0, 200, 80], ["a", "gemm", 1, 200, 80], ["a", "gemm", 2, 200, 120], ["c", "communication", 0, 10, 120]]})");
  CHECK(percent_of(map, 0, 0) == "100");
  CHECK(percent_of(map, 2, 0) == "144");  // 130 of 90
  CHECK(percent_of(map, 2, 1) == "144");
}

TEST_CASE("a rank of which there is a summary works in a map for as long as its kernels ran", "[report][html]") {
  const tests::JsonTree map = waiting_ranks(
      R"({"table": "phases", "columns": ["step", "device", "kind", "dur"], "rows": [[0, 0, "kernel", 80], [1, 1, "kernel", 80], [2, 2, "kernel", 120], [3, 0, "kernel", 80], [4, 1, "kernel", 80], [5, 2, "kernel", 120], [0, 0, "communication", 40]]})");
  CHECK(percent_of(map, 0, 0) == "100");
  CHECK(percent_of(map, 2, 0) == "163");  // 130 of 80: what lies between kernels and waits is not known
}

TEST_CASE("samples are drawn, one by one while there is room", "[report][html]") {
  std::string csv = "timestamp, index, power.draw [W]\n";
  for (int i = 0; i < 50; ++i)
    csv += "2024/05/01 12:00:" + std::to_string(10 + i) + ".000, 0, " + std::to_string(100 + i) + ".00 W\n";
  const auto facts = load_trace("gpu.csv", std::span<const char>(csv.data(), csv.size()));
  if (!facts) FAIL(render(facts.error()));
  const auto data = tests::parse_json(data_of(to_html(diagnosed(*facts), {.facts = *facts})));
  REQUIRE(data);
  const tests::JsonTree& timeline = data->at("runs").members[0].value.at("timeline");
  const tests::JsonTree& lane = timeline.at("groups").members[0].value.at("lanes").members[0].value;
  CHECK(lane.at("name").text == "power");
  CHECK(lane.at("values").members.size() == 50);
  CHECK(lane.at("values").members[49].value.text == "149");
  CHECK(sum(lane.at("gaps").text) == 49'000'000'000);  // from one to the next
  CHECK(number(timeline, "to") - number(timeline, "from") == 49'000'000'000);
}

TEST_CASE("a page that nobody wants any more is empty", "[report][html]") {
  const Facts facts = loaded(tests::item_storm);
  const Report report = diagnosed(facts);
  const std::atomic<bool> stop{true}, go_on{false};
  CHECK(to_html(report, {.facts = facts, .cancel = &stop}).empty());
  CHECK(to_html(report, {.facts = facts, .cancel = &go_on}) == to_html(report, {.facts = facts}));
}

TEST_CASE("facts of fewer runs than the report has leave the others without a timeline", "[report][html]") {
  Report report = diagnosed(loaded(tests::item_storm));
  report.runs.push_back(report.runs[0]);
  report.runs[1].id = "B";
  const auto data = tests::parse_json(data_of(to_html(report, {.facts = loaded(tests::item_storm)})));
  REQUIRE(data);
  CHECK(data->at("runs").members[0].value.at("timeline").kind == tests::JsonTree::Kind::object);
  CHECK(data->at("runs").members[1].value.at("timeline").kind == tests::JsonTree::Kind::null);
}
