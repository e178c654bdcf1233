// SPDX-License-Identifier: Apache-2.0
// Names, types and dimensions are checked before any trace is read.
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;
using tests::errors_of;
using tests::first_error;

TEST_CASE("well-typed expressions pass", "[engine][check]") {
  const auto* text = GENERATE(
      "busy(kernels) / run.wall", "sum(copies, bytes) / sum(copies, dur) < 10GB/s",
      "count(kernels where dur < 10us) > 3", "median(kernels where name =~ /gemm/i, dur)",
      "kernels group by (name) select (n = count(), t = sum(dur))", "device.sm_clock_avg < 95% * device.sm_clock_rated",
      "kernels where stream == 7", "kernels where op.name in [\"a\", \"b\"]",
      "if count(kernels) == 0 then 0s else busy(kernels)", "spans(copies) - spans(kernels)",
      "series(\"sm_clock\") during spans(kernels)", "p(kernels, dur, 99)", "argmax(kernels, dur, name)",
      "coalesce([0s, busy(kernels)], spans(kernels))", "max(kernels, end)", "sum(outermost(ops), host_total)",
      "sum(ops where name == \"aten::item\", host_total)", "min(busy(kernels), 3s)",
      "median(all.devices where name == device.name and id != device.id, sm_clock_avg)");
  CHECK(errors_of(text) == "");
}

TEST_CASE("an error points at the offending part and names both sides", "[engine][check][error]") {
  using Row = std::pair<std::string, std::string>;
  const auto [text, expected] = GENERATE(values<Row>({
      {"median(kernels, dur) > 4KiB", "4KiB: cannot compare time with data"},
      {"busy(kernels) + 3", "3: cannot add number to time"},
      {"kernels where dur < \"x\"", "\"x\": cannot compare time with text"},
      {"device.sm_clok_max", "sm_clok_max: unknown column 'devices.sm_clok_max'"},
      {"busy(kernles)", "kernles: unknown name 'kernles'"},
      {"bussy(kernels)", "bussy: unknown function 'bussy'"},
      {"$tiny", "$tiny: unknown parameter '$tiny'"},
      {"count(kernels where nam == \"a\")", "nam: unknown name 'nam'"},
      {"series(\"sm_clok\")", "\"sm_clok\": unknown series 'sm_clok'"},
      {"not busy(kernels)", "busy(kernels): `not` needs conditions"},
      {"kernels where name =~ /(a/", "/(a/: invalid regular expression: missing ): (a"},
      {"sum(ops, host_total)", "host_total: adding inclusive times counts nested operators twice"},
      {"kernels.name", "name: a table of kernels has no members"},
      {"sum(kernels, name)", "name: wrong arguments for sum"},
      {"p(kernels, dur, 99%)", "99%: wrong arguments for p"},
      {"outermost(kernels select (start = start, dur = dur))",
       "kernels select (start = start, dur = dur): wrong arguments for outermost"},
      {"consecutive(kernels select (start = start, dur = dur), 2)",
       "kernels select (start = start, dur = dur): wrong arguments for consecutive"},
      {"kernels group by (name) select (d = dur)", "dur: a column of the group needs an aggregate"},
  }));
  CHECK(first_error(text) == expected);
}

TEST_CASE("every operator checks dimensions", "[engine][check]") {
  CHECK(errors_of("run.wall * 2 + 1us") == "");
  CHECK(errors_of("run.wall * run.wall < 1s") == "K203");
  CHECK(errors_of("1 / run.wall < 1kHz") == "");
  CHECK(errors_of("sum(copies, bytes) / run.wall < 1GB/s") == "");
  CHECK(errors_of("run.wall < 0") == "");
  CHECK(errors_of("run.wall & run.wall") == "K202");
  CHECK(errors_of("spans(kernels) + spans(copies)") == "K202");
  CHECK(errors_of("if run.wall > 1s then 1 else \"a\"") == "K202");
}

TEST_CASE("an instant is no duration", "[engine][check]") {
  CHECK(errors_of("max(kernels, end) - min(kernels, start) < 1s") == "");
  CHECK(errors_of("kernels where start - run.start < 5ms") == "");
  CHECK(errors_of("kernels where start + 5us < end") == "");
  CHECK(errors_of("kernels where start > 5ms") == "K203");
  CHECK(errors_of("run.start + run.start") == "K202");
  CHECK(errors_of("run.start * 2") == "K202");
  CHECK(errors_of("run.wall - run.start") == "K202");
  CHECK(errors_of("-run.start") == "K202");
  CHECK(errors_of("sum(kernels, start)") == "K204");
  CHECK(errors_of("stdev(kernels, start) < 1us") == "");
  CHECK(errors_of("mod(run.start, 1ms)") == "K204");
  CHECK(errors_of("min(samples, time) - min(kernels, start) < 1s") == "");
}

TEST_CASE("every operator answers for every pair of types", "[engine][check][golden]") {
  constexpr std::pair<std::string_view, std::string_view> operands[] = {{"time", "run.wall"},
                                                                        {"instant", "run.start"},
                                                                        {"data", "4KiB"},
                                                                        {"frequency", "1GHz"},
                                                                        {"bandwidth", "1GB/s"},
                                                                        {"power", "1W"},
                                                                        {"temperature", "80degC"},
                                                                        {"ratio", "50%"},
                                                                        {"number", "count(kernels)"},
                                                                        {"bool", "true"},
                                                                        {"text", "\"a\""},
                                                                        {"row", "device"},
                                                                        {"table", "kernels"},
                                                                        {"intervals", "spans(kernels)"},
                                                                        {"series", "series(\"power\")"}};
  std::string actual;
  for (const std::string_view op : {"+", "-", "*", "/", "<", "==", "&", "|", "and", "during"}) {
    actual += "== " + std::string(op) + "\n";
    for (const auto& [left, left_text] : operands)
      for (const auto& [right, right_text] : operands) {
        const std::string text = std::string(left_text) + " " + std::string(op) + " " + std::string(right_text);
        const std::string type = tests::type_or_errors(text);
        // Only what goes together stands in the file: all other pairs are errors.
        if (!type.starts_with('K'))
          actual += std::string(left) + " " + std::string(op) + " " + std::string(right) + ": " + type + "\n";
      }
  }
  tests::check_golden("engine/operators.txt", actual);
}

TEST_CASE("a let may be called like a column that it adds up", "[engine][check]") {
  const auto errors = [](const std::string& lets) {
    const auto rules = load_rules_text(
        "t.yaml",
        "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  for_each: device\n  let:\n" + lets + "  when: total > 1s\n",
        {.builtin = false, .set = {}});
    return rules ? std::string() : rules.error().front().id;
  };
  CHECK(errors("    total: sum(kernel_stats where calls > 3, total)\n") == "");
  CHECK(errors("    long: kernels where dur > 1us\n    dur: max(long, dur)\n    total: dur * 2\n") == "");
  CHECK(errors("    total: sum(by_name, total)\n    by_name: kernels group by (name) select (total = sum(dur))\n") ==
        "");
  CHECK(errors("    total: sum(kernels where dur > total, dur)\n") == "K305");
  CHECK(errors("    total: total\n") == "K305");
  CHECK(errors("    total: sum(a, dur)\n    a: b\n    b: a\n") == "K305");
}

TEST_CASE("timelines need a subject with one timeline", "[engine][check]") {
  CHECK(errors_of("busy(kernels)", SubjectKind::run) == "K207");
  CHECK(errors_of("busy(kernels)", SubjectKind::rank) == "K207");
  CHECK(errors_of("busy(kernels)", SubjectKind::device) == "");
  CHECK(errors_of("busy(kernels)", SubjectKind::step) == "");
  CHECK(errors_of("busy(ops)", SubjectKind::run) == "K207");
  CHECK(errors_of("busy(ops)", SubjectKind::rank) == "");
  CHECK(errors_of("series(\"power\")", SubjectKind::run) == "K207");
}
