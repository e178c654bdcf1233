// SPDX-License-Identifier: Apache-2.0
// Where fragments lie in time, and the time zone of clocks without one.
#include "ingest/align.hpp"
#include "tests/catch.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::noon;
using kdiag::tests::second;

namespace {

constexpr std::int64_t hour = 3600 * second;

Fragment kernels(ClockDomain clock, std::initializer_list<std::pair<std::int64_t, std::int64_t>> spans) {
  Fragment fragment;
  fragment.info.clock = clock;
  Batch batch;
  for (auto [start, dur] : spans) {
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.start"), start);
    if (dur >= 0) batch.set(row, column("kernels.dur"), dur);
  }
  fragment.batches.emplace_back(0, std::move(batch));
  return fragment;
}

}  // namespace

TEST_CASE("a fragment extends from its first start to its last end", "[api][align]") {
  CHECK(extent(kernels(ClockDomain::device, {{50, 10}, {-5, 3}, {20, 100}})) == Interval{-5, 120});
  CHECK(extent(kernels(ClockDomain::unix_ns, {{noon, 10}, {noon + 5, -1}})) == Interval{noon, noon + 10});
  CHECK_FALSE(extent(kernels(ClockDomain::none, {})));
}

TEST_CASE("zero stamps and stamps of the far future do not stretch a calendar's extent", "[api][align]") {
  const std::int64_t last = std::numeric_limits<std::int64_t>::max();
  CHECK(extent(kernels(ClockDomain::unix_ns, {{0, 10}, {noon, 10}, {last - 1, 10}})) == Interval{noon, noon + 10});
  CHECK(extent(kernels(ClockDomain::unix_ns, {{noon, last}})) == Interval{noon, noon});
  CHECK_FALSE(extent(kernels(ClockDomain::unix_ns, {{0, 10}})));
}

TEST_CASE("samples extend from the first to the last instant", "[api][align]") {
  Fragment fragment;
  fragment.info.clock = ClockDomain::local_ns;
  Batch batch;
  for (std::int64_t time : {noon + 2 * second, noon})
    batch.set(batch.add(table("samples")), column("samples.time"), time);
  fragment.batches.emplace_back(0, std::move(batch));
  CHECK(extent(fragment) == Interval{noon, noon + 2 * second});
}

TEST_CASE("only calendars of one kind compare", "[api][align]") {
  CHECK(comparable(ClockDomain::unix_ns, ClockDomain::unix_ns));
  CHECK(comparable(ClockDomain::local_ns, ClockDomain::local_ns));
  CHECK_FALSE(comparable(ClockDomain::unix_ns, ClockDomain::local_ns));
  CHECK_FALSE(comparable(ClockDomain::device, ClockDomain::device));
  CHECK_FALSE(comparable(ClockDomain::none, ClockDomain::none));
}

TEST_CASE("the one zone under which the samples cover the trace is found", "[api][align]") {
  const Interval trace[] = {{noon, noon + 5 * second}};
  for (std::int64_t quarters : {-56, -14, 0, 23, 32, 56}) {
    const std::int64_t offset = quarters * 900 * second;
    CAPTURE(quarters);
    const ZoneGuess guess = guess_zone({noon - 60 * second + offset, noon + 60 * second + offset}, trace);
    CHECK(guess.kind == ZoneGuess::Kind::found);
    CHECK(guess.offset_ns == offset);
  }
}

TEST_CASE("samples that cover part of the trace still tell their zone", "[api][align]") {
  const Interval trace[] = {{noon, noon + 5 * second}};
  const ZoneGuess guess = guess_zone({noon + 2 * hour + second, noon + 2 * hour + 3 * second}, trace);
  CHECK(guess.kind == ZoneGuess::Kind::found);
  CHECK(guess.offset_ns == 2 * hour);
}

TEST_CASE("a long log fits under several zones and tells none", "[api][align]") {
  const Interval trace[] = {{noon, noon + 5 * second}};
  CHECK(guess_zone({noon - hour, noon + hour}, trace).kind == ZoneGuess::Kind::several_fit);
}

TEST_CASE("samples of another day fit under no zone", "[api][align]") {
  const Interval trace[] = {{noon, noon + 5 * second}};
  CHECK(guess_zone({noon + 48 * hour, noon + 49 * hour}, trace).kind == ZoneGuess::Kind::none_fits);
  CHECK(guess_zone({noon, noon + hour}, {}).kind == ZoneGuess::Kind::none_fits);
}
