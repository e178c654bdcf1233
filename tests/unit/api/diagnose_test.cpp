// SPDX-License-Identifier: Apache-2.0
// The whole path on small inputs from memory: bytes in, report out.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

Report diagnosed(const std::string& name, const std::string& text, const RuleSet& rules) {
  Result<Facts> facts = load_trace(name, std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  return diagnose(*facts, rules);
}

RuleSet builtin() {
  auto rules = builtin_rules();
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

/// A log of one busy A100 (rated 1095 MHz), one row a second.
std::string smi_log(int clock_mhz, const std::string& reasons, int utilization) {
  std::string out =
      "timestamp, index, name, utilization.gpu [%], clocks.current.sm [MHz], clocks.current.memory [MHz], "
      "clocks_event_reasons.active\n";
  for (int second = 10; second < 30; ++second)
    out += "2024/05/01 12:00:" + std::to_string(second) + ".000, 0, NVIDIA A100-SXM4-80GB, " +
           std::to_string(utilization) + " %, " + std::to_string(clock_mhz) + " MHz, 1593 MHz, " + reasons + "\n";
  return out;
}

const OutcomeEntry& outcome(const Report& report, const std::string& rule) {
  const auto found = std::find_if(report.outcomes.begin(), report.outcomes.end(),
                                  [&](const OutcomeEntry& entry) { return entry.rule == rule; });
  REQUIRE(found != report.outcomes.end());
  return *found;
}

}  // namespace

TEST_CASE("the built-in rules load without a warning", "[api][rules]") {
  const RuleSet rules = builtin();
  INFO(render(rules.warnings()));
  CHECK(rules.warnings().empty());
  INFO(render(rules.style()));
  CHECK(rules.style().empty());
}

TEST_CASE("neither rules nor reports depend on the locale of their host", "[api]") {
  const auto said = [] {
    const Report report = diagnosed("gpu.csv", smi_log(510, "0x0000000000000040", 99), builtin());
    return to_text(report) + to_json(report) + to_markdown(report);
  };
  const std::string usual = said();
  const tests::CommaLocale locale;
  if (!locale) WARN("this machine has no locale with a decimal comma: nothing was tried");
  CHECK(said() == usual);
}

TEST_CASE("thermal throttling in a log fires with the decoded reason", "[api][clocks]") {
  const Report report = diagnosed("gpu.csv", smi_log(510, "0x0000000000000040", 99), builtin());
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings[0];
  CHECK(finding.rule == "clock.throttled");
  CHECK(finding.message.find("hw_thermal_slowdown") != std::string::npos);
  CHECK(finding.severity == Severity::critical);
  const bool thermal =
      std::any_of(finding.recommendations.begin(), finding.recommendations.end(),
                  [](const RecommendationEntry& advice) { return advice.text.starts_with("Thermal limit"); });
  CHECK(thermal);
}

TEST_CASE("bits of slowdown over the whole busy time are high even where the clock looks good", "[api][clocks]") {
  const Report report = diagnosed("gpu.csv", smi_log(1410, "0x0000000000000008", 99), builtin());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].severity == Severity::high);
}

TEST_CASE("a power cap at or above the rated clock is information", "[api][clocks]") {
  const Report report = diagnosed("gpu.csv", smi_log(1200, "0x0000000000000004", 99), builtin());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].severity == Severity::info);
}

TEST_CASE("idle devices, application clocks and rated clocks are no fault", "[api][clocks]") {
  CHECK(outcome(diagnosed("gpu.csv", smi_log(210, "0x0000000000000001", 0), builtin()), "clock.throttled").outcome ==
        Outcome::inconclusive);
  CHECK(outcome(diagnosed("gpu.csv", smi_log(1275, "0x0000000000000002", 99), builtin()), "clock.throttled").outcome ==
        Outcome::clear);
  CHECK(outcome(diagnosed("gpu.csv", smi_log(1275, "0x0000000000000000", 99), builtin()), "clock.throttled").outcome ==
        Outcome::clear);
}

TEST_CASE("a log without clocks cannot tell", "[api][clocks]") {
  std::string log = "timestamp, index, name, utilization.gpu [%], power.draw [W]\n";
  for (int second = 10; second < 30; ++second)
    log += "2024/05/01 12:00:" + std::to_string(second) + ".000, 0, NVIDIA A100-SXM4-80GB, 99 %, 300.00 W\n";
  const OutcomeEntry entry = outcome(diagnosed("gpu.csv", log, builtin()), "clock.throttled");
  CHECK(entry.outcome == Outcome::inconclusive);
  const bool named = std::any_of(entry.missing.begin(), entry.missing.end(), [](const MissingEntry& m) {
    return m.fact == "samples:sm_clock" && !m.how_to_record.empty();
  });
  CHECK(named);
}

TEST_CASE("a report on devices of one maker names no other maker's tools", "[api][recording]") {
  const auto [model, device] = GENERATE(table<const char*, const char*>(
      {{"AMD Instinct MI300X", "GPU 0"}, {"Ascend910B", "NPU 0"}, {"MLU370", "MLU 0"}}));
  std::string json = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": ")" + std::string(model) +
                     R"("}], "traceEvents": [)";
  for (int i = 0; i < 200; ++i)
    json += R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )" + std::to_string(1000 + i * 500) +
            R"(, "dur": 10, "args": {"device": 0, "stream": 7}},)";
  json.back() = ']';
  TextOptions options;
  options.all = true;
  const std::string text = to_text(diagnosed("trace.json", json + "}", builtin()), options);
  CAPTURE(text);
  CHECK(text.find(device) != std::string::npos);
  for (const char* tool : {"nvidia-smi", "nsys", "ncu "}) {
    CAPTURE(tool);
    CHECK(text.find(tool) == std::string::npos);
  }
}

TEST_CASE("reports are equal byte for byte, whatever the thread count", "[api]") {
  std::string json =
      R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB"}], "traceEvents": [)";
  for (int i = 0; i < 3000; ++i) {
    const std::string at = std::to_string(1000 + i * 50);
    json += R"({"ph": "X", "cat": "cpu_op", "name": "aten::op)" + std::to_string(i % 7) +
            R"(", "pid": 1, "tid": 1, "ts": )" + at + R"(, "dur": 30, "args": {"External id": )" + std::to_string(i) +
            "}},";
    json += R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": )" + at +
            R"(, "dur": 5, "args": {"correlation": )" + std::to_string(i) + "}},";
    json += R"({"ph": "X", "cat": "kernel", "name": "k)" + std::to_string(i % 11) + R"(", "pid": 0, "tid": 7, "ts": )" +
            std::to_string(1020 + i * 50) + R"(, "dur": 12, "args": {"device": 0, "stream": 7, "correlation": )" +
            std::to_string(i) + "}},";
  }
  json += "{}]}";
  // Many rules that share expressions, so that threads wait for each other.
  std::string pack = "kdiag: 1\nrules:\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    pack += "- rule: pack.r" + n + "\n  title: ${word} ${count(slow)} ${mode(slow, name)}\n  for_each: device\n" +
            "  let:\n    slow: kernels where dur > " + std::to_string(i % 5) + "us and name =~ /[1-9]/\n" +
            "    word: if count(slow) > 0 then \"some" + n + "\" else \"none\"\n" +
            "  when: sum(slow, dur) > 0ms and busy(kernels) > 0ms\n  impact: spans(slow)\n" +
            "  evidence:\n    by_name: top(kernel_stats, 3, total)\n";
  }
  const auto rules = load_rules_text("pack.yaml", pack);
  if (!rules) FAIL(render(rules.error()));
  const auto report = [&](unsigned threads) {
    LoadOptions options;
    options.threads = threads;
    Result<Facts> facts = load_trace("t.json", std::span<const char>(json.data(), json.size()), options);
    REQUIRE(facts);
    return to_json(diagnose(*facts, *rules, {.threads = threads, .cancel = nullptr}));
  };
  const std::string one = report(1);
  CHECK(one.find("gpu.low-utilization") != std::string::npos);
  CHECK(one == report(2));
  CHECK(one == report(8));
}

TEST_CASE("reports are equal byte for byte, whatever the order of the events", "[api]") {
  // One event a line, between the line of `traceEvents` and the last.
  const std::string text = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  const std::size_t begin = text.find("\"traceEvents\":[\n") + 15;
  const std::size_t end = text.rfind("\n]");
  REQUIRE(begin < end);
  std::vector<std::string> events;
  for (std::size_t at = begin, next; at < end; at = next + 1) {
    next = std::min(text.find('\n', at), end);
    std::string event = text.substr(at, next - at);
    if (event.starts_with(',')) event.erase(0, 1);
    if (event.ends_with(',')) event.pop_back();
    events.push_back(std::move(event));
  }
  const RuleSet rules = builtin();
  const auto report = [&](unsigned threads) {
    std::string json = text.substr(0, begin);
    for (std::size_t i = 0; i < events.size(); ++i) json += (i > 0 ? ",\n" : "") + events[i];
    json += text.substr(end);
    LoadOptions options;
    options.threads = threads;
    const Result<Facts> facts = load_trace("t.json", std::span<const char>(json.data(), json.size()), options);
    REQUIRE(facts);
    return to_json(diagnose(*facts, rules, {.threads = threads, .cancel = nullptr}));
  };
  const std::string in_order = report(1);
  CHECK(in_order.find("host.sync-stall") != std::string::npos);
  std::mt19937 random(7);
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::shuffle(events.begin(), events.end(), random);
    CHECK(report(threads) == in_order);
  }
}

TEST_CASE("a truncated trace is judged by what was read and says so", "[api]") {
  std::string json = R"({"schemaVersion": 1, "traceEvents": [)";
  json +=
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1000, "dur": 900, "args": {"device": 0, "stream": 7, "correlation": 1}},)";
  json +=
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 2000, "dur": 100, "args": {"device": 0, "str)";
  Result<Facts> facts = load_trace("t.json", std::span<const char>(json.data(), json.size()));
  REQUIRE(facts);
  const bool lost =
      std::any_of(facts->inputs()[0].notes.begin(), facts->inputs()[0].notes.end(),
                  [](const NoteEntry& note) { return note.id == "K600" && note.severity == NoteSeverity::data_loss; });
  CHECK(lost);
  const auto answer = query(*facts, "count(kernels) >= 1");
  REQUIRE(answer);
  CHECK(answer->text == "true\n");
  CHECK(query(*facts, "count(kernels)")->unknown);
  const Report report = diagnose(*facts, *builtin_rules());
  REQUIRE(report.ledger.size() == 1);
  CHECK(report.ledger[0].cut);
  const std::string text = to_text(report);
  CHECK(text.find("measured") == std::string::npos);
  CHECK(text.find("as far as it was kept") != std::string::npos);
  CHECK(to_json(report).find("\"cut\": true") != std::string::npos);
}

TEST_CASE("parameters can be set, and a rule of the user's joins the built-in ones", "[api][rules]") {
  RuleOptions options;
  options.set = {{"gpu.low-utilization.floor", "90%"}};
  CHECK(builtin_rules(options));
  options.set = {{"gpu.low-utilization.flor", "90%"}};
  const auto wrong = builtin_rules(options);
  REQUIRE_FALSE(wrong);
  CHECK(render(wrong.error()).find("did you mean 'floor'?") != std::string::npos);
  options.set = {{"gpu.low-utilization.floor", "90us"}};
  CHECK_FALSE(builtin_rules(options));

  const std::string text =
      "kdiag: 1\nrules:\n- rule: my.rule\n  title: ${count(kernels)} kernels\n  when: count(kernels) > 0\n  impact: "
      "0s\n  recommend:\n  - text: nothing\n";
  const auto rules = load_rules_text("my.yaml", text);
  if (!rules) FAIL(render(rules.error()));
  CHECK(rules->size() == builtin().size() + 1);
  RuleOptions alone;
  alone.builtin = false;
  CHECK(load_rules_text("my.yaml", text, alone)->size() == 1);
}

namespace {

/// A symptom over 80 us of gaps, and a cause that claims what is written.
Result<RuleSet> cause_and_symptom(const std::string& claim, const std::string& more = {}) {
  RuleOptions alone;
  alone.builtin = false;
  return load_rules_text("my.yaml",
                         R"(kdiag: 1
rules:
- rule: a.cause
  title: cause
  for_each: device
  when: count(kernels) > 0
  impact: )" + claim + "\n  explains: [a.symptom]\n" +
                             more +
                             R"(
- rule: a.symptom
  role: symptom
  title: symptom
  for_each: device
  when: count(kernels) > 0
  impact: gaps(kernels)
  recommend: [Look for the cause.]
)",
                         alone);
}

// 10 us of kernel, 80 us of gap with a copy of 30 us in it, 10 us of kernel.
const std::string gap_trace = R"json({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 20, "dur": 30, "args": {"device": 0, "stream": 7, "bytes": 4}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 90, "dur": 10, "args": {"device": 0, "stream": 7}}]})json";

}  // namespace

TEST_CASE("causes nest their symptoms, and a circle of them is refused", "[api][rules]") {
  const auto rules = cause_and_symptom("gaps(kernels)");
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnosed("t.json", gap_trace, *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == "a.cause");
  CHECK(report.findings[0].impact_ns == 80'000);
  REQUIRE(report.findings[0].symptoms.size() == 1);
  const Finding& symptom = report.findings[0].symptoms[0];
  CHECK(symptom.rule == "a.symptom");
  CHECK(symptom.impact_ns == 0);
  CHECK(symptom.recommendations.empty());
  CHECK_FALSE(symptom.gain);

  const auto circle = cause_and_symptom("gaps(kernels)", "  symptom_of: [a.symptom]\n");
  REQUIRE_FALSE(circle);
  CHECK(circle.error()[0].id == "K308");
}

TEST_CASE("a rule that promises nothing states no gain and is ranked by its impact", "[api][rules]") {
  const auto rules = cause_and_symptom("gaps(kernels)", "  gain: none\n");
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnosed("t.json", gap_trace, *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].impact_ns == 80'000);
  CHECK_FALSE(report.findings[0].gain);
}

TEST_CASE("in an input that was cut a finding counts the time that was recorded", "[api][rules]") {
  RuleOptions alone;
  alone.builtin = false;
  const auto rules = load_rules_text("my.yaml", R"(kdiag: 1
rules:
- {rule: b.sum, title: sum, for_each: device, when: count(kernels) > 0, impact: "[0s, min(sum(kernels, dur), run.wall)]"}
- {rule: b.spans, title: spans, for_each: device, when: count(kernels) > 0, impact: spans(kernels), gain: "sum(kernels, dur) / 2"}
- {rule: b.gaps, title: gaps, for_each: device, when: count(kernels) > 0, impact: gaps(kernels)}
)",
                                     alone);
  if (!rules) FAIL(render(rules.error()));
  const std::string cut =
      gap_trace.substr(0, gap_trace.size() - 2) + R"(, {"ph": "X", "cat": "kernel", "name": "k", "p)";
  const Report report = diagnosed("t.json", cut, *rules);
  REQUIRE(report.findings.size() == 3);
  for (const Finding& finding : report.findings) {
    CAPTURE(finding.rule);
    CHECK(finding.impact_ns == (finding.rule == "b.gaps" ? 80'000 : 20'000));
    CHECK(finding.impact_low_ns == (finding.rule == "b.spans" ? 20'000 : 0));
    if (finding.rule == "b.spans") CHECK(finding.gain->high_ns == 10'000);
  }
}

TEST_CASE("a recording that says little caps what claims time, and says of which rules", "[api][rules]") {
  RuleOptions alone;
  alone.builtin = false;
  const auto rules = load_rules_text("my.yaml", R"(kdiag: 1
rules:
- {rule: a.short, role: health, title: short, message: Short., when: count(kernels) > 1, caps: low}
- {rule: b.gaps, title: gaps, for_each: device, when: "sum(idle, dur) > 1us", impact: gaps(kernels), severity: high}
- {rule: b.low, title: low, for_each: device, when: "sum(idle, dur) > 1us", impact: 1us, severity: info}
- {rule: b.state, title: state, for_each: device, when: count(kernels) > 0, severity: critical}
)",
                                     alone);
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnosed("t.json", gap_trace, *rules);
  const auto severity = [&](const std::string& rule) {
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& one) { return one.rule == rule; });
    REQUIRE(found != report.findings.end());
    return found->severity;
  };
  CHECK(severity("b.gaps") == Severity::low);
  CHECK(severity("b.low") == Severity::info);
  CHECK(severity("b.state") == Severity::critical);
  CHECK(report.findings[0].message == "Short. Findings on its time are low at most: b.gaps.");
  for (const Finding& finding : report.findings) CHECK_FALSE(finding.gain);

  const auto wrong =
      load_rules_text("my.yaml", "kdiag: 1\nrules:\n- {rule: a.b, title: t, when: \"true\", caps: low}\n", alone);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error()[0].id == "K314");
}

TEST_CASE("a bad recording halves the confidence of what rests on it, once, and says so", "[api][rules]") {
  const auto judged = [](const std::string& when) {
    RuleOptions alone;
    alone.builtin = false;
    const auto rules = load_rules_text("my.yaml",
                                       R"(kdiag: 1
rules:
- {rule: a.lossy, role: health, title: lossy, message: Holes., when: )" +
                                           when + R"(, doubts: [idle]}
- {rule: a.short, role: health, title: short, message: Short., for_each: device, when: )" +
                                           when + R"(, doubts: [idle, copies]}
- {rule: b.gaps, title: gaps, for_each: device, when: "sum(idle, dur) > 1us", confidence: 0.8}
- {rule: b.kernels, title: kernels, for_each: device, when: count(kernels) > 0, confidence: 0.8}
)",
                                       alone);
    if (!rules) FAIL(render(rules.error()));
    return diagnosed("t.json", gap_trace, *rules);
  };
  const auto finding = [](const Report& report, const std::string& rule) {
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& one) { return one.rule == rule; });
    REQUIRE(found != report.findings.end());
    return *found;
  };
  const Report bad = judged("count(kernels) > 1");
  CHECK(finding(bad, "b.gaps").confidence.value == Approx(0.4));
  CHECK(finding(bad, "b.kernels").confidence.value == Approx(0.8));
  CHECK(finding(bad, "a.lossy").message == "Holes. What rests on `idle` counts for half: b.gaps.");
  CHECK(finding(bad, "a.short").message == "Short. What rests on `idle` and `copies` counts for half: b.gaps.");
  const Report good = judged("count(kernels) > 5");
  CHECK(finding(good, "b.gaps").confidence.value == Approx(0.8));
}

TEST_CASE("advice that another finding makes wrong is left out, and why is said", "[api][rules]") {
  const auto advice = [](const std::string& when) {
    RuleOptions alone;
    alone.builtin = false;
    const auto rules = load_rules_text("my.yaml",
                                       R"(kdiag: 1
rules:
- rule: a.small-batch
  title: too little work
  for_each: device
  when: count(kernels) > 0
  recommend:
  - {text: Raise the batch size., unless: [a.memory-full]}
  - Fuse kernels.
- rule: a.memory-full
  title: no memory left
  for_each: device
  when: )" + when + "\n",
                                       alone);
    if (!rules) FAIL(render(rules.error()));
    return diagnosed("t.json", gap_trace, *rules);
  };
  const Report alone = advice("count(kernels) > 5");
  REQUIRE(alone.findings.size() == 1);
  CHECK(alone.findings[0].recommendations.size() == 2);
  CHECK(alone.findings[0].suppressed.empty());

  const Report both = advice("count(kernels) > 1");
  const auto found = std::find_if(both.findings.begin(), both.findings.end(),
                                  [](const Finding& finding) { return finding.rule == "a.small-batch"; });
  REQUIRE(found != both.findings.end());
  REQUIRE(found->recommendations.size() == 1);
  CHECK(found->recommendations[0].text == "Fuse kernels.");
  REQUIRE(found->suppressed.size() == 1);
  CHECK(found->suppressed[0].text == "Raise the batch size.");
  CHECK(found->suppressed[0].because == "a.memory-full");
  CHECK(to_text(both).find("Raise the batch size.") == std::string::npos);
  TextOptions all;
  all.all = true;
  CHECK(to_text(both, all).find("Not    Raise the batch size. (a.memory-full)") != std::string::npos);
  CHECK(to_json(both).find("\"because\": \"a.memory-full\"") != std::string::npos);
}

TEST_CASE("a symptom of which most is not explained stays, with the rest", "[api][rules]") {
  SECTION("both are known as time") {
    const auto rules = cause_and_symptom("spans(copies)");
    if (!rules) FAIL(render(rules.error()));
    const Report report = diagnosed("t.json", gap_trace, *rules);
    REQUIRE(report.findings.size() == 2);
    const Finding& symptom = report.findings[0];
    CHECK(symptom.rule == "a.symptom");
    CHECK(symptom.impact_ns == 50'000);
    CHECK(symptom.impact_low_ns == 50'000);
    CHECK(symptom.impact_share == 0.5);
    CHECK(symptom.explained_ns == 30'000);
    CHECK(to_text(report).find("50 us of 100 us (50 %), and 30 us more") != std::string::npos);
    CHECK(to_json(report).find("\"explained_ns\": 30000") != std::string::npos);
    REQUIRE(symptom.intervals_total == 2);
    CHECK(symptom.intervals[0].second - symptom.intervals[0].first == 10'000);
    CHECK(symptom.recommendations.size() == 1);
    CHECK(report.findings[1].rule == "a.cause");
    CHECK(report.findings[1].impact_ns == 30'000);
  }
  SECTION("the cause is a time between two ends") {
    const auto rules = cause_and_symptom("[10us, 30us]");
    if (!rules) FAIL(render(rules.error()));
    const Report report = diagnosed("t.json", gap_trace, *rules);
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].rule == "a.symptom");
    CHECK(report.findings[0].impact_ns == 70'000);
    CHECK(report.findings[0].impact_low_ns == 50'000);
    CHECK(report.findings[0].intervals_total == 0);
  }
}

TEST_CASE("a finding is as severe, and ranks as high, as what its causes leave of it", "[api][rules]") {
  RuleOptions alone;
  alone.builtin = false;
  const std::string gaps = R"(kdiag: 1
rules:
- rule: a.gaps
  title: gaps
  for_each: device
  when: count(kernels) > 0
  severity: [{high: "length(gaps(kernels)) / run.wall > 60%"}, {medium: true}]
  impact: gaps(kernels)
  gain: "[80us, 80us]"
)";
  const std::string others = R"(- rule: a.copies
  title: copies
  for_each: device
  when: count(copies) > 0
  severity: low
  impact: spans(copies)
  explains: [a.gaps]
- rule: a.other
  title: other
  for_each: device
  when: count(kernels) > 0
  severity: medium
  impact: 60us
  gain: "[60us, 60us]"
)";
  const auto rules_alone = load_rules_text("my.yaml", gaps, alone),
             together = load_rules_text("my.yaml", gaps + others, alone);
  REQUIRE((rules_alone && together));
  const Report whole = diagnosed("t.json", gap_trace, *rules_alone);
  REQUIRE(whole.findings.size() == 1);
  CHECK(whole.findings[0].severity == Severity::high);
  // 30 of 80 us are the copies': 50 us of 100 us are left, and no more can be gained.
  const Report report = diagnosed("t.json", gap_trace, *together);
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[0].rule == "a.other");
  CHECK(report.findings[1].rule == "a.gaps");
  CHECK(report.findings[1].severity == Severity::medium);
  CHECK(report.findings[1].gain->low_ns == 50'000);
}

TEST_CASE("a device whose part is all explained does not make that of others severe", "[api][rules]") {
  RuleOptions alone;
  alone.builtin = false;
  const auto rules = load_rules_text("my.yaml", R"(kdiag: 1
rules:
- rule: a.gaps
  title: gaps
  for_each: device
  when: count(kernels) > 0
  severity: [{high: "length(gaps(kernels)) / run.wall > 50%"}, {low: true}]
  impact: gaps(kernels)
- rule: a.cause
  title: cause
  for_each: device
  when: count(copies) > 0
  impact: spans(copies)
  explains: [a.gaps]
)",
                                     alone);
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnosed("t.json", R"json({"deviceProperties": [{"id": 0}, {"id": 1}], "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 10, "dur": 80, "args": {"device": 0, "stream": 7, "bytes": 4}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 90, "dur": 10, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 0, "dur": 45, "args": {"device": 1, "stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 55, "dur": 45, "args": {"device": 1, "stream": 7}}]})json",
                                  *rules);
  const auto gaps = std::find_if(report.findings.begin(), report.findings.end(),
                                 [](const Finding& finding) { return finding.rule == "a.gaps"; });
  REQUIRE(gaps != report.findings.end());
  CHECK(gaps->impact_ns == 10'000);
  CHECK(gaps->severity == Severity::low);
}

TEST_CASE("ten mistakes earn ten diagnostics at their places, in reading order", "[api][rules][error]") {
  const std::string text = R"(kdiag: 1
pack: {name: ten}
rules:
- rule: my.first
  titel: wrong key
  title: a
  when: busy(kernles) > 1us
- rule: NotKebab
  title: b
  when: count(kernels) > 4KiB
- rule: my.third
  title: c ${device.nam}
  for_each: devcie
  when: count(kernels) > 3
- rule: my.fourth
  title: d
  for_each: device
  when: medain(kernels, dur) > 3us
- rule: my.fifth
  title: e
  for_each: device
  let:
    x: sum(kernels, dur
  when: x > 1us
- rule: my.sixth
  title: f
  for_each: device
  params:
    lim: {type: time, default: 10B}
  when: count(kernels where dur < $limt) > 1
- rule: my.seventh
  title: g
  severity:
  - sever: true
  when: 3 us > 2us
  impact: "x"
)";
  const auto rules = load_rules_text("ten.yaml", text);
  REQUIRE_FALSE(rules);
  std::vector<std::string> got;
  for (const Diagnostic& diagnostic : rules.error()) {
    const Span& span = diagnostic.labels.at(0).span;
    const Position at = position_of(*span.source, span.offset);
    got.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + diagnostic.id);
  }
  const std::vector<std::string> expected{"5:3 K111",   "7:14 K302",  "8:9 K114",   "10:26 K203", "12:21 K301",
                                          "13:13 K310", "18:9 K303",  "23:24 K120", "29:32 K210", "30:35 K304",
                                          "34:5 K113",  "35:11 K120", "36:12 K302"};
  CHECK(got == expected);
}
