// SPDX-License-Identifier: Apache-2.0
// A system that gives no threads: nothing is thrown, and what can be done without is done.
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <system_error>
#include <thread>

#include <kdiag/kdiag.h>
#include <kdiag/deadline.hpp>
#include <kdiag/kdiag.hpp>

#include "adapters/io/input.hpp"
#include "adapters/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/fake_sink.hpp"

using namespace kdiag;
using kdiag::tests::item_storm;

namespace {

/// While it lives, threads ask for a stack that no address space has.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 47U);
    REQUIRE(pthread_setattr_default_np(&huge) == 0);
    pthread_attr_destroy(&huge);
    CHECK_THROWS_AS(std::thread([] {}).join(), std::system_error);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

class CountingProgress final : public LoadProgress {
 public:
  void show(std::string_view, std::uint64_t, std::uint64_t) override { ++shown; }
  std::atomic<int> shown = 0;
};

}  // namespace

TEST_CASE("traces are read and judged where no thread can be started", "[api][threads]") {
  const Result<Facts> expected = load_trace(item_storm);
  const Result<RuleSet> rules = builtin_rules();
  REQUIRE(expected);
  REQUIRE(rules);
  const std::string report = to_json(diagnose(*expected, *rules));
  const NoThreads refused;
  CountingProgress progress;
  LoadOptions options;
  options.threads = 4;
  options.progress = &progress;
  const Result<Facts> facts = load_trace(item_storm, options);
  REQUIRE(facts);
  CHECK(to_json(diagnose(*facts, *rules, {.threads = 4})) == report);
  CHECK(progress.shown == 0);
}

TEST_CASE("a trace of several chunks is read whole where no thread can be started", "[api][threads]") {
  std::string text = "[";
  for (int i = 0; i < 500; ++i)
    text += (i > 0 ? "," : "") + std::string(R"({"name": "k", "ts": )") + std::to_string(i) + "}";
  text += "]";
  const NoThreads refused;
  tests::FakeSink sink(4);
  const auto input = adapters::open_input("trace.json", std::string_view(text));
  REQUIRE(input);
  std::size_t events = 0, chunks = 0;
  const auto document =
      adapters::read_events(**input, sink, {.chunk_bytes = 1000}, [&](adapters::EventCursor& cursor, std::uint64_t) {
        ++chunks;
        while (cursor.next()) ++events;
      });
  REQUIRE(document);
  CHECK(events == 500);
  CHECK(chunks > 2);
}

TEST_CASE("a deadline that no thread can keep is over at once", "[api][threads]") {
  kdiag_context* context = nullptr;
  REQUIRE(kdiag_context_new(&context) == KDIAG_OK);
  kdiag_context_set_deadline(context, 60000);
  kdiag_facts* facts = nullptr;
  {
    const NoThreads refused;
    std::atomic<bool> stop = false;
    const Deadline deadline(stop, 60000);
    CHECK(stop);
    CHECK(deadline.passed());
    CHECK(kdiag_facts_load_path(context, item_storm.c_str(), nullptr, &facts) == KDIAG_ERROR_DEADLINE);
    CHECK(facts == nullptr);
  }
  CHECK(kdiag_facts_load_path(context, item_storm.c_str(), nullptr, &facts) == KDIAG_OK);
  kdiag_facts_free(facts);
  kdiag_context_free(context);
}
