// SPDX-License-Identifier: Apache-2.0
// What launchers, loggers and quotes put in front of the lines of a text.
#include "adapters/io/line_prefix.hpp"

#include <string>

#include "adapters/io/input.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

namespace {

std::string stripped(const std::string& text, std::size_t buffer = 7) {
  const auto prefix = LinePrefix::of(text);
  REQUIRE(prefix);
  auto input = open_input("text", std::span(text));
  REQUIRE(input);
  const auto lines = without_line_prefix(**input, *prefix);
  std::string out;
  std::string piece(buffer, '\0');
  for (;;) {
    const auto got = lines->read(piece);
    REQUIRE(got);
    if (*got == 0) return out;
    out.append(piece, 0, *got);
  }
}

}  // namespace

TEST_CASE("what stands in front of every line is taken off", "[adapters][prefix]") {
  const std::string printed = "#  size  time\n\n   8   1.5\n  16   1.6\n";
  for (const std::string tag :
       {"[1,0]<stdout>:", "0: ", " 0: ", "node17 3: ", "node17: ", "2026-05-04T10:00:00.123Z ", "// "}) {
    CAPTURE(tag);
    std::string tagged;
    for (std::size_t begin = 0; begin < printed.size();) {
      const std::size_t end = printed.find('\n', begin) + 1;
      tagged += tag + printed.substr(begin, end - begin);
      begin = end;
    }
    CHECK(stripped(tagged) == printed);
    CHECK(stripped(tagged, 4096) == printed);
  }
}

TEST_CASE("of several processes the lines of one are read, and line numbers stay", "[adapters][prefix]") {
  const std::string text = "0: a\n1: x\n0: b\n0: c\n1: y\n0: d";
  CHECK(stripped(text) == "a\n\nb\nc\n\nd");
  CHECK(LinePrefix::of(text)->describe() == "'0:'; lines of 1 other process were left out");
}

TEST_CASE("a text that begins its lines in ways of its own has no prefix", "[adapters][prefix]") {
  const std::string text = GENERATE(std::string("Name: a\nSize: b\nDate: c\n"), std::string("1, 2\n3, 4\n5, 6\n"),
                                    std::string("2026/07/14 08:00:00.000, 0\n2026/07/14 08:00:01.000, 0\n"
                                                "2026/07/14 08:00:02.000, 0\n"),
                                    std::string("gpu0: a\ngpu1: b\ngpu2: c\ngpu3: d\n"), std::string("# a\nb\nc\n"));
  CAPTURE(text);
  CHECK_FALSE(LinePrefix::of(text));
}

TEST_CASE("lines without an end are passed on", "[adapters][prefix][hostile]") {
  const std::string text = "0: a\n0: b\n0: c\n0: " + std::string(3'000'000, 'x');
  CHECK(stripped(text, 65536).size() > 3'000'000);
}
