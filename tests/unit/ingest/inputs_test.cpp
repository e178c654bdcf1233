// SPDX-License-Identifier: Apache-2.0
// Sources of traces other than paths, and the limits of what they may bring.
#include <kdiag/deadline.hpp>
#include <kdiag/input.hpp>
#include <kdiag/kdiag.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;
using kdiag::tests::item_storm;

namespace {

std::string json_of(const Result<Facts>& facts) {
  if (!facts) return render(facts.error());
  static const RuleSet rules = *builtin_rules();
  return to_json(diagnose(*facts, rules));
}

Result<Facts> load_one(const TraceInput& input, const LoadOptions& options = {}) {
  return load_inputs({&input, 1}, options);
}

/// Delivers a text in pieces of 1000 bytes, and then what `end` says.
ReadBytes in_pieces(const std::string& text, std::int64_t end = 0) {
  return [&text, end, at = std::size_t{0}](std::span<char> buffer) mutable -> std::int64_t {
    const std::size_t count = std::min({buffer.size(), std::size_t{1000}, text.size() - at});
    if (count == 0) return end;
    std::memcpy(buffer.data(), text.data() + at, count);
    at += count;
    return static_cast<std::int64_t>(count);
  };
}

}  // namespace

TEST_CASE("the report of a trace does not depend on where its bytes come from", "[api][load]") {
  const std::string expected = json_of(load_trace(item_storm));
  const std::string bytes = tests::read_file(item_storm);
  CHECK(expected.find("host.sync-stall") != std::string::npos);
  CHECK(json_of(load_one(TraceInput::memory(item_storm, bytes))) == expected);
  CHECK(json_of(load_one(TraceInput::callback(item_storm, in_pieces(bytes)))) == expected);
  const int file = ::open(item_storm.c_str(), O_RDONLY | O_CLOEXEC);
  CHECK(json_of(load_one(TraceInput::descriptor(item_storm, file))) == expected);
  CHECK(::lseek(file, 0, SEEK_CUR) == static_cast<off_t>(bytes.size()));  // it is still open, at its end
  ::close(file);
}

TEST_CASE("inputs from several sources are one run", "[api][load]") {
  const std::string bytes = tests::read_file(item_storm);
  const std::string paths[] = {item_storm, item_storm};
  const TraceInput inputs[] = {TraceInput::path(item_storm), TraceInput::memory(item_storm, bytes)};
  CHECK(json_of(load_inputs(inputs)) == json_of(load_traces(paths)));
}

TEST_CASE("what goes wrong in a source is an error that names it", "[api][load]") {
  CHECK(json_of(load_one(TraceInput::descriptor("socket", 999))).starts_with("socket: error[K618]"));
  CHECK(json_of(load_one(TraceInput::callback("feed", [](auto) {
          return std::int64_t{-1};
        }))).starts_with("feed: error[K618]"));
  CHECK(json_of(load_one(TraceInput::callback("feed", [](auto) -> std::int64_t {
          throw std::runtime_error("x");
        }))).starts_with("feed: error[K618]"));
  // More bytes than there is room for can only be a mistake.
  CHECK(json_of(load_one(TraceInput::callback("feed", [](auto buffer) {
          return static_cast<std::int64_t>(buffer.size() + 1);
        }))).starts_with("feed: error[K618]"));
}

TEST_CASE("what a source delivered before it failed is kept", "[api][load]") {
  const std::string bytes = tests::read_file(item_storm).substr(0, 30000);
  const Result<Facts> facts = load_one(TraceInput::callback("feed", in_pieces(bytes, -1)));
  REQUIRE(facts);
  std::string notes;
  for (const NoteEntry& note : facts->inputs()[0].notes) notes += note.id + " ";
  CHECK(notes.find("K618") != std::string::npos);
}

TEST_CASE("an input that brings more than its limit is an error", "[api][load]") {
  LoadOptions options;
  options.limits.rows = 20;
  CHECK(json_of(load_one(TraceInput::path(item_storm), options)) ==
        item_storm + ": error[K761]: the input holds more than 20 rows, the limit that was set\n" +
            " help: Raise it (kdiag --max-memory, in a program LoadLimits), or give less: a shorter recording, fewer "
            "files at "
            "a time.\n");
  options.limits = {.rows = 0, .bytes = 1000};
  CHECK(json_of(load_one(TraceInput::path(item_storm), options)).find("more than 1,000 bytes of facts") !=
        std::string::npos);
  options.limits = {.rows = 100000, .bytes = 100'000'000};
  CHECK(json_of(load_one(TraceInput::path(item_storm), options)) == json_of(load_trace(item_storm)));
}

TEST_CASE("a deadline sets its flag once, and only while it lives", "[api][load]") {
  std::atomic<bool> flag = false;
  {
    const Deadline later(flag, 60'000);
    CHECK_FALSE(later.passed());
  }
  CHECK_FALSE(flag);
  const Deadline now(flag, 1);
  for (int i = 0; i < 1000 && !flag; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(flag);
  CHECK(now.passed());
}

TEST_CASE("a read callback that never ends is stopped by the flag", "[api][load]") {
  std::atomic<bool> flag = false;
  const Deadline deadline(flag, 20);
  LoadOptions options;
  options.cancel = &flag;
  const Result<Facts> facts = load_one(TraceInput::callback("feed",
                                                            [](std::span<char> buffer) -> std::int64_t {
                                                              std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                                              buffer[0] = ' ';
                                                              return 1;
                                                            }),
                                       options);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K690");
}

TEST_CASE("asking is stopped by the flag, too", "[api]") {
  const std::atomic<bool> stop = true;
  const Result<Facts> facts = load_trace(item_storm);
  const Result<RuleSet> rules = builtin_rules();
  REQUIRE(facts);
  REQUIRE(rules);
  QueryOptions asked;
  asked.cancel = &stop;
  const Result<QueryAnswer> answer = query(*facts, *rules, "sum(kernels, dur)", asked);
  REQUIRE_FALSE(answer);
  CHECK(render(answer.error()) == "error[K690]: the query was interrupted\n");
  const Result<std::string> why = explain(*facts, *rules, "host.sync-stall", {.threads = 1, .cancel = &stop});
  REQUIRE_FALSE(why);
  CHECK(why.error().front().id == "K690");
  CHECK(diagnose(*facts, *rules, {.threads = 1, .cancel = &stop}).outcomes.empty());
}
