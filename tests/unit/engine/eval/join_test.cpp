// SPDX-License-Identifier: Apache-2.0
// Rows of two tables in one condition: `kernels as k where exists(copies where start < k.end ...)`.
#include <functional>
#include <random>

#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using tests::errors_of;
using tests::evaluate;
using tests::first_error;

namespace {

struct Event {
  std::int64_t start, dur;
  std::string name;
};

std::vector<Event> random_events(std::mt19937& random, std::size_t count) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({static_cast<std::int64_t>(random() % 2000), static_cast<std::int64_t>(random() % 60),
                   std::string(1, static_cast<char>('a' + random() % 5))});
  return out;
}

/// How many of `all` have a partner among `others`.
std::string partners(const std::vector<Event>& all, const std::vector<Event>& others,
                     const std::function<bool(const Event&, const Event&)>& match) {
  std::size_t count = 0;
  for (const Event& event : all) {
    bool found = false;
    for (const Event& other : others) found = found || match(event, other);
    count += found ? 1 : 0;
  }
  return std::to_string(count);
}

}  // namespace

TEST_CASE("joined rows are those that all pairs would give", "[engine][join]") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    tests::Trace trace;
    const std::vector<Event> kernels = random_events(random, 60);
    const std::vector<Event> copies = random_events(random, 40);
    for (const Event& kernel : kernels) trace.kernel(0, kernel.name, kernel.start, kernel.dur);
    for (const Event& copy : copies) trace.copy(0, copy.name, copy.start, copy.dur);
    const FactStore store = trace.store();
    const auto count = [&](const std::string& condition) {
      return evaluate(store, "count(kernels as k where exists(copies where " + condition + "))", SubjectKind::device);
    };
    CHECK(count("kind == k.name and dur > k.dur") ==
          partners(kernels, copies, [](const Event& k, const Event& c) { return c.name == k.name && c.dur > k.dur; }));
    CHECK(count("start >= k.start and start < k.end") == partners(kernels, copies, [](const Event& k, const Event& c) {
            return c.start >= k.start && c.start < k.start + k.dur;
          }));
    CHECK(count("k.start < end and start < k.end") == partners(kernels, copies, [](const Event& k, const Event& c) {
            return k.start < c.start + c.dur && c.start < k.start + k.dur;
          }));
    CHECK(count("kind == k.name and start < k.end and end > k.start") ==
          partners(kernels, copies, [](const Event& k, const Event& c) {
            return c.name == k.name && c.start < k.start + k.dur && c.start + c.dur > k.start;
          }));
    CHECK(count("start <= k.start and end > k.start") == partners(kernels, copies, [](const Event& k, const Event& c) {
            return c.start <= k.start && c.start + c.dur > k.start;
          }));
    CHECK(count("start > k.start and end < k.end and dur <= k.dur") ==
          partners(kernels, copies, [](const Event& k, const Event& c) {
            return c.start > k.start && c.start + c.dur < k.start + k.dur && c.dur <= k.dur;
          }));
    CHECK(count("kind =~ /[ab]/ and start >= k.end and start < k.end + 20ns") ==
          partners(kernels, copies, [](const Event& k, const Event& c) {
            return c.name <= "b" && c.start >= k.start + k.dur && c.start < k.start + k.dur + 20;
          }));
    CHECK(count("dur == k.dur") ==
          partners(kernels, copies, [](const Event& k, const Event& c) { return c.dur == k.dur; }));
    CHECK(count("dur > k.dur or kind == k.name") ==
          partners(kernels, copies, [](const Event& k, const Event& c) { return c.dur > k.dur || c.name == k.name; }));
  }
}

TEST_CASE("a joined value is one for each row", "[engine][join]") {
  tests::Trace trace;
  trace.kernel(0, "a", 0, 100);
  trace.kernel(0, "b", 200, 100);
  trace.copy(0, "h2d", 10, 20);
  trace.copy(0, "h2d", 50, 30);
  trace.copy(0, "d2h", 210, 5);
  FactStore store = trace.store();
  store.walls = {
      {.basis = WallBasis::device, .window = Interval{0, 300}, .parts = IntervalSet({0, 300}), .length = 300}};
  const auto value = [&](const std::string& text) { return evaluate(store, text, SubjectKind::device); };
  CHECK(value("max(kernels as k, sum(copies where start >= k.start and end <= k.end, dur) / k.dur)") == "50 %");
  CHECK(value("count(kernels as k where sum(copies where start in [k.start, k.start + 10ns], dur) > 0ns)") == "2");
  CHECK(value("count(kernels as k where length(spans(copies) & spans(kernels where name == k.name)) > 6ns)") == "1");
  CHECK(value("argmax(kernels as k, count(copies where start >= k.start and start < k.end), name)") == "a");
  CHECK(value("count(kernels as k where k.name == name and name == \"a\")") == "1");
  // Three tables, each sees the rows around it.
  CHECK(value("count(kernels as k where exists(copies as c where c.start >= k.start and c.start < k.end and "
              "not exists(copies where start > c.start and start < k.end)))") == "2");
  // What a row does not know is not known of the pair.
  CHECK(value("count(kernels as k where exists(copies where stream == k.stream))") == "0 to 2");
}

TEST_CASE("whether there is a row is asked for all rows at once, with the same answers", "[engine][join]") {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    tests::Trace trace;
    for (const Event& event : random_events(random, 40)) {
      const Row kernel = trace.kernel(0, event.name, event.start, event.dur);
      if (round % 2 == 0 || random() % 8 != 0)
        trace.batch.set(kernel, column("kernels.stream"), trace.batch.stream(trace.batch.device(0), random() % 3));
      if (random() % 8 != 0) trace.batch.set(kernel, column("kernels.grid_x"), static_cast<std::int64_t>(random() % 4));
    }
    for (const Event& event : random_events(random, 30)) {
      const Row copy = trace.copy(0, event.name, event.start, event.dur);
      if (round % 4 < 2 || random() % 8 != 0)
        trace.batch.set(copy, column("copies.stream"), trace.batch.stream(trace.batch.device(0), random() % 3));
    }
    const FactStore store = trace.store();
    for (const char* condition :
         {"stream == k.stream", "stream == k.stream and start < k.end and end > k.start", "dur == 5ns * k.grid_x",
          "start >= k.end and start < k.end + 5ns * k.grid_x", "dur > 20ns and start > k.start and stream == k.stream",
          "dur / 2 > k.dur", "start < k.start and k.dur > 30ns",
          "start > k.start - k.dur and not (stream == k.stream)"}) {
      CAPTURE(round, condition);
      const auto count = [&](const std::string& asked) {
        return evaluate(store, "count(kernels as k where " + asked + ")", SubjectKind::device);
      };
      CHECK(count("exists(copies where " + std::string(condition) + ")") ==
            count("any(copies, " + std::string(condition) + ")"));
    }
  }
}

TEST_CASE("an exists() within another looks at its table once", "[engine][join]") {
  // For each of 5,000 rows all of 5,000 would be more than the rows that a rule may visit.
  constexpr int rows = 5000;
  tests::Trace trace;
  const Row thread = trace.thread(1);
  for (int i = 0; i < rows; ++i) {
    trace.call(thread, "cudaLaunchKernel", i * 100, 10);
    trace.kernel(0, "k", i * 100, 20);
    trace.copy(0, "h2d", i * 100, i % 2 == 0 ? 30 : 10);
  }
  const FactStore store = trace.store();
  CHECK(
      evaluate(
          store,
          "count(api as m where exists(kernels as k where k.start == m.start and exists(copies where start == k.start "
          "and dur > m.dur + 5ns)))",
          SubjectKind::run) == "2,500");
  // What is asked of a row at a time is asked of those that the bounds leave.
  CHECK(evaluate(store,
                 "count((api where start <= min(api, start) + 400ns) as m where exists(kernels as k where k.start == "
                 "m.start and any(copies, "
                 "start == k.start and dur > k.dur)))",
                 SubjectKind::run) == "3");
}

TEST_CASE("names of rows are checked", "[engine][join][error]") {
  CHECK(errors_of("count(kernels as k where k.nam == \"a\")") == "K301");
  CHECK(first_error("count(kernels as copies where dur > 1us)") == "copies: rows cannot be called 'copies'");
  CHECK(first_error("count(kernels as dur where dur > 1us)") == "dur: rows cannot be called 'dur'");
  CHECK(first_error("count(kernels as device where dur > 1us)") == "device: rows cannot be called 'device'");
  CHECK(first_error("count((kernels group by (name)) as k where k.count > 1)") ==
        "kernels group by (name): `as` names the rows of a table of facts");
  CHECK(errors_of("count(kernels as k) + k.dur") == "K302");
  CHECK(errors_of("exists(kernels as k where exists(copies where dur > k.name))") == "K203");
}
