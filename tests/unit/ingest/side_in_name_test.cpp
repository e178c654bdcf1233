// SPDX-License-Identifier: Apache-2.0
// Which of two folders is the normal run, by their names.
#include "ingest/names/side_in_name.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("a name says its side by whole words", "[compare][api]") {
  CHECK(side_in_name("normal_perf_data") == NamedSide::normal);
  CHECK(side_in_name("abnormal_perf_data") == NamedSide::abnormal);
  CHECK(side_in_name("runBefore2") == NamedSide::normal);
  CHECK(side_in_name("AFTER-fix") == NamedSide::abnormal);
  CHECK(side_in_name("database") == NamedSide::unknown);
  CHECK(side_in_name("oldtimer/contest") == NamedSide::unknown);
  CHECK(side_in_name("before_and_after") == NamedSide::unknown);
  CHECK(side_in_name("") == NamedSide::unknown);
}

TEST_CASE("names order two runs by what they differ in", "[compare][api]") {
  CHECK(order_in_names("x/abnormal/a.csv", "x/normal/a.csv") == NamedOrder::reversed);
  CHECK(order_in_names("x/normal/a.csv", "x/abnormal/a.csv") == NamedOrder::as_given);
  CHECK(order_in_names("both/after.json", "both/before.json") == NamedOrder::reversed);
  CHECK(order_in_names("both/bad/r0.json", "both/good/r0.json") == NamedOrder::reversed);
  CHECK(order_in_names("both/base", "both/test") == NamedOrder::as_given);
  CHECK(order_in_names("both/faulty", "both/healthy") == NamedOrder::reversed);
  CHECK(order_in_names("compiled.json", "eager.json") == NamedOrder::reversed);
  CHECK(order_in_names("optimized.txt", "unoptimized.txt") == NamedOrder::reversed);
  CHECK(order_in_names("both/2024-01", "both/baseline") == NamedOrder::reversed);  // one word is enough
  CHECK(order_in_names("after/run1", "after/run2") == NamedOrder::unknown);        // what both have in common
  CHECK(order_in_names("normal1", "normal2") == NamedOrder::unknown);
  CHECK(order_in_names("one", "two") == NamedOrder::unknown);
}
