// SPDX-License-Identifier: Apache-2.0
// Where the events of a trace begin, whatever stands before them and however the document comes in pieces.
#include <string>

#include "adapters/json/event_list.hpp"
#include "tests/catch.hpp"

using kdiag::adapters::EventListFinder;

namespace {

EventListFinder found(const std::string& text, std::size_t piece) {
  EventListFinder finder;
  for (std::size_t at = 0; at < text.size(); at += piece) finder.add(std::string_view(text).substr(at, piece));
  return finder;
}

}  // namespace

TEST_CASE("the list of events is that of the outermost object, or the document", "[adapters][json]") {
  const std::size_t piece = GENERATE(1U, 3U, 1000U);
  const std::string trace =
      R"({"a": {"traceEvents": [1]}, "b": "traceEvents\": [", "baseTimeNanoseconds": 1700000000000000001,
          "traceEvents" : [ {"x": [1]} ], "c": [2]})";
  const EventListFinder finder = found(trace, piece);
  REQUIRE(finder.begin());
  CHECK(trace.substr(*finder.begin(), 4) == R"( {"x)");
  CHECK_FALSE(finder.empty());
  CHECK(finder.base_time() == 1700000000000000001);

  CHECK(found(R"([{"a": [1]}])", piece).begin() == 1U);
  CHECK(found(R"({"traceEvents": [)", piece).begin() == 17U);
  CHECK(found(R"({"traceEvents": [ ]})", piece).empty());
  CHECK(found(R"({"traceEvents": [], "baseTimeNanoseconds": 5})", piece).base_time() == 5);
}

TEST_CASE("what has no list of events has no place for more", "[adapters][json][hostile]") {
  CHECK_FALSE(found(R"({"events": [1], "x": {"traceEvents": 5}})", 7).begin());
  CHECK_FALSE(found(R"({"traceEvents": {"a": [1]}})", 7).begin());
  CHECK_FALSE(found("\"", 1).begin());
  CHECK_FALSE(found("]]]}}", 1).begin());
  CHECK(found(R"({"baseTimeNanoseconds": "x", "traceEvents": []})", 2).base_time() == 0);
}
