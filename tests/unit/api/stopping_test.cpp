// SPDX-License-Identifier: Apache-2.0
// Calls that a host stops: each looks at the flag all along.
#include <kdiag/facts_builder.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

template <class T>
std::string id_of(const Result<T>& result) {
  return result ? "no error" : result.error().front().id;
}

Facts many_kernels(int count) {
  FactsBuilder builder("many");
  FactRows& rows = builder.rows();
  const Row device = rows.batch().device(0);
  for (int i = 0; i < count; ++i) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "kernel_" + std::to_string(i % 97));
    rows.set(kernel, "start", std::int64_t{i} * 1000);
    rows.set(kernel, "dur", std::int64_t{500});
    rows.set(kernel, "device", device);
  }
  return *std::move(builder).build();
}

std::string many_rules(int count) {
  std::string text = "kdiag: 1\nrules:\n";
  for (int i = 0; i < count; ++i)
    text += "- rule: many.rule-" + std::to_string(i) +
            "\n  title: Title of ${n}   kernels\n  let:\n    n:  count(kernels)" + "\n  when: n>" + std::to_string(i) +
            "   and n<1000\n  message: |\n    A text of  two\n    lines.\n\n\n";
  return text;
}

/// Asks to stop after a time, and says what became of the work.
std::string stopped_after(std::chrono::nanoseconds time,
                          const std::function<std::string(const std::atomic<bool>*)>& work) {
  std::atomic<bool> stop = false;
  std::jthread host([&] {
    std::this_thread::sleep_for(time);
    stop = true;
  });
  return work(&stop);
}

std::chrono::nanoseconds time_of(const std::function<std::string(const std::atomic<bool>*)>& work) {
  const auto begun = std::chrono::steady_clock::now();
  CHECK(work(nullptr) == "no error");
  return std::chrono::steady_clock::now() - begun;
}

void check_stops(const std::function<std::string(const std::atomic<bool>*)>& work) {
  const std::atomic<bool> at_once = true;
  CHECK(work(&at_once) == "K690");
  // In the middle; sooner where the machine has more time for it than it had when the work was measured.
  const std::chrono::nanoseconds whole = time_of(work);
  std::string ended;
  for (int part = 2; part <= 64 && ended != "K690"; part *= 2) ended = stopped_after(whole / part, work);
  CHECK(ended == "K690");
}

}  // namespace

TEST_CASE("making the texts of an answer stops when the host asks", "[api][stop]") {
  const Facts facts = many_kernels(20'000);
  const RuleSet rules = *builtin_rules();
  // The table is at hand: all the time goes into its texts.
  for (const int wanted : {0, 1, 2})
    check_stops([&](const std::atomic<bool>* stop) {
      QueryOptions options;
      options.cancel = stop;
      options.text = wanted == 0;
      options.json = wanted == 1;
      options.csv = wanted == 2;
      return id_of(query(facts, rules, "kernels", options));
    });
}

TEST_CASE("an answer has the texts that are wanted, as they are among others", "[api][stop]") {
  const Facts facts = many_kernels(3000);  // of several pieces
  const RuleSet rules = *builtin_rules();
  const QueryAnswer all = *query(facts, rules, "kernels where dur > 0");
  QueryOptions options;
  options.text = options.csv = false;
  const QueryAnswer json = *query(facts, rules, "kernels where dur > 0", options);
  CHECK(json.json == all.json);
  CHECK((json.text.empty() && json.csv.empty()));
  options = {};
  options.json = false;
  const QueryAnswer others = *query(facts, rules, "kernels where dur > 0", options);
  CHECK((others.json.empty() && others.text == all.text && others.csv == all.csv));
  CHECK(std::count(all.csv.begin(), all.csv.end(), '\n') == 3001);
  CHECK(std::count(all.text.begin(), all.text.end(), '\n') == 3001);

  options = {};
  options.max_rows = 2000;
  CHECK(query(facts, rules, "kernels where dur > 0", options)->text.ends_with("\n(1000 more rows)\n"));
  options.max_rows = 0;
  const std::string heading = query(facts, rules, "kernels where dur > 0", options)->text;
  CHECK(heading.find("name") != std::string::npos);
  CHECK(heading.ends_with("\n(3000 more rows)\n"));
}

TEST_CASE("formatting rules stops when the host asks", "[api][stop]") {
  const std::string text = many_rules(400);
  check_stops([&](const std::atomic<bool>* stop) { return id_of(format_rules("many.yaml", text, stop)); });
}

TEST_CASE("reading a mapping stops when the host asks", "[api][stop]") {
  const std::atomic<bool> at_once = true;
  CHECK(id_of(load_map_text("m.yaml", "kdiag_map: 1\nname: x\n", &at_once)) == "K690");
  CHECK(id_of(load_map(KDIAG_SOURCE_DIR "/examples/maps/trainer_log.yaml", &at_once)) == "K690");
}

TEST_CASE("tests of rules stop when the host asks, with those that were done", "[api][stop]") {
  const std::atomic<bool> at_once = true;
  RuleTestOptions options;
  options.cancel = &at_once;
  CHECK(id_of(test_rules({}, options)) == "K690");
  const std::string paths[] = {KDIAG_SOURCE_DIR "/examples/rules"};
  CHECK(id_of(test_rules(paths, options)) == "K690");
  const auto nothing = test_rules(*builtin_rules(), options);
  REQUIRE(nothing);
  CHECK(nothing->tests.empty());
}
