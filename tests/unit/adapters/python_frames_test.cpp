// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/python_frames.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

TEST_CASE("calls that nest without end make no endless stack", "[adapters][hostile]") {
  CallPaths paths;
  std::vector<PythonCall> calls;
  constexpr std::int64_t depth = 5000;
  for (std::int64_t i = 0; i < depth; ++i) calls.push_back({.start = 0, .end = 10, .name = paths.name("f.py(1): g")});
  const std::vector<std::uint32_t> found = paths.at(calls, {5});
  REQUIRE(found.size() == 1);
  REQUIRE(found.front() != CallPaths::none);
  Batch batch;
  std::unordered_map<std::uint32_t, Row> known;
  CHECK(paths.frame(batch, found.front(), known).index != absent_index);
  CHECK(batch.rows(table("frames")) <= most_frames);
}

TEST_CASE("of a stated stack without end the innermost frames are kept", "[adapters][hostile]") {
  std::string stack;
  for (int i = 0; i < 5000; ++i) stack += "f.py(" + std::to_string(i) + "): g;";
  Batch batch;
  const Row innermost = stack_frame(batch, stack);
  CHECK(batch.rows(table("frames")) == most_frames);
  CHECK(innermost.index == most_frames - 1);
}
