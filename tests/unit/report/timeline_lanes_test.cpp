// SPDX-License-Identifier: Apache-2.0
// Lanes in which slices never overlap, but for calls inside of calls.
#include <string>
#include <vector>

#include "report/timeline_lanes.hpp"
#include "tests/catch.hpp"

using namespace kdiag::report;

namespace {

/// "|" for a new lane, "(3" where slice 3 begins, ")3" where it ends.
std::string arranged(const std::vector<TimelineSlice>& slices, Nesting nesting) {
  std::string out;
  arrange_lanes(
      slices, nesting, [&] { out += "|"; }, [&](const TimelineSlice& one) { out += "(" + std::to_string(one.index); },
      [&](const TimelineSlice& one) { out += ")" + std::to_string(one.index); });
  return out;
}

}  // namespace

TEST_CASE("slices of a queue that overlap get lanes of their own", "[report][timeline]") {
  CHECK(arranged({}, Nesting::none).empty());
  CHECK(arranged({{0, 5, 0}, {5, 9, 1}}, Nesting::none) == "|(0)0(1)1");
  CHECK(arranged({{0, 5, 0}, {4, 9, 1}, {9, 12, 2}}, Nesting::none) == "|(0)0(2)2|(1)1");
  CHECK(arranged({{0, 9, 0}, {2, 4, 1}}, Nesting::none) == "|(0)0|(1)1");
}

TEST_CASE("calls stand inside of what calls them", "[report][timeline]") {
  CHECK(arranged({{2, 4, 1}, {0, 9, 0}, {4, 9, 2}}, Nesting::calls) == "|(0(1)1(2)2)0");
  CHECK(arranged({{0, 5, 0}, {0, 9, 1}}, Nesting::calls) == "|(1(0)0)1");                  // the longer one is around
  CHECK(arranged({{0, 5, 0}, {3, 9, 1}, {6, 7, 2}}, Nesting::calls) == "|(0)0(2)2|(1)1");  // no call reaches out
}

TEST_CASE("slices without a length stand beside others", "[report][timeline]") {
  CHECK(arranged({{3, 3, 0}, {3, 5, 1}, {5, 5, 2}}, Nesting::calls) == "|(1(0)0)1(2)2");
  CHECK(arranged({{3, 3, 0}, {3, 3, 1}}, Nesting::none) == "|(0)0(1)1");
}
