// SPDX-License-Identifier: Apache-2.0
// In what two runs differ beside their speed.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/compare/comparability.hpp"
#include "engine/compare/cycles/pair.hpp"
#include "engine/compare/work.hpp"
#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::run_of;
using tests::Trace;

namespace {

/// A kernel, and two copies of so many bytes, the second of which may be unknown.
Trace copying(std::int64_t bytes, bool known) {
  Trace trace;
  trace.kernel(0, "gemm", 0, 100);
  for (int i = 0; i < 2; ++i) {
    const Row copy = trace.copy(0, "h2d", 100 + 20 * i, 10);
    if (i == 0 || known) trace.batch.set(copy, column("copies.bytes"), bytes);
  }
  return trace;
}

bool differ_in(Trace normal, Trace abnormal, std::string_view what) {
  const RunFacts before = run_of(std::move(normal)), after = run_of(std::move(abnormal));
  const RunMatch match(*after.store, *before.store);
  const ComparedPair pair = pair_of(before, after, match);
  const Cycles cycles = find_cycles(pair, {});
  const ComparabilityEntry found = comparability_of(pair, work_of(pair, cycles), counts_of(cycles));
  return std::any_of(found.differences.begin(), found.differences.end(),
                     [what](const DifferenceEntry& difference) { return difference.what == what; });
}

}  // namespace

TEST_CASE("bytes copied differ where the sizes of all copies are known", "[compare]") {
  CHECK(differ_in(copying(1000, true), copying(4000, true), "bytes copied"));
  CHECK_FALSE(differ_in(copying(1000, true), copying(1000, true), "bytes copied"));
  CHECK_FALSE(differ_in(copying(1000, true), copying(4000, false), "bytes copied"));
}

TEST_CASE("overhead of the profiler is none of what the program spends without it", "[compare]") {
  const auto with = [](std::string_view name) {
    Trace trace;
    trace.kernel(0, "gemm", 0, 1000);
    if (!name.empty()) trace.range(trace.thread(1), name, "overhead", 100, 500);
    return trace;
  };
  CHECK(differ_in(with(""), with("Buffer Flush"), "overhead"));
  CHECK_FALSE(differ_in(with(""), with("Command Buffer Full"), "overhead"));
  CHECK_FALSE(differ_in(with(""), with("Runtime Triggered Module Loading"), "overhead"));
  CHECK_FALSE(differ_in(with(""), with("module loading"), "overhead"));
}
