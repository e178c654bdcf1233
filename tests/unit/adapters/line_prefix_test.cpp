// SPDX-License-Identifier: Apache-2.0
// What launchers, loggers and quotes put in front of the lines of a text.
#include "adapters/text/line_prefix.hpp"

#include <string>

#include "adapters/io/input.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

namespace {

std::string stripped(const std::string& text, std::size_t buffer = 7, std::size_t which = 0) {
  const auto prefixes = LinePrefix::of(text);
  REQUIRE_FALSE(prefixes.empty());
  auto input = open_input("text", std::span(text));
  REQUIRE(input);
  const auto lines = without_line_prefix(**input, prefixes[which]);
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
       {"[1,0]<stdout>:", "0: ", " 0: ", "node17 3: ", "node17: ", "2026-05-04T10:00:00.123Z ",
        "[2026-05-04 10:00:00,123] ", "// ", "> ", "(EngineCore_DP0 pid=17) ", "(WorkerDict pid=17, ip=10.0.0.2) ",
        "[default0]:", "[worker 3]:", "INFO 11-05 13:22:49 [gpu_worker.py:210] "}) {
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
  CHECK(LinePrefix::of(text).front().describe() == "'0:'");
  CHECK(LinePrefix::of(text).front().others() == 1);
}

TEST_CASE("a text that begins its lines in ways of its own has no prefix", "[adapters][prefix]") {
  const std::string text = GENERATE(std::string("Name: a\nSize: b\nDate: c\n"), std::string("1, 2\n3, 4\n5, 6\n"),
                                    std::string("2026/07/14 08:00:00.000, 0\n2026/07/14 08:00:01.000, 0\n"
                                                "2026/07/14 08:00:02.000, 0\n"),
                                    std::string("gpu0: a\ngpu1: b\ngpu2: c\ngpu3: d\n"), std::string("# a\nb\nc\n"));
  CAPTURE(text);
  CHECK(LinePrefix::of(text).empty());
}

TEST_CASE("lines without an end are passed on", "[adapters][prefix][hostile]") {
  const std::string text = "0: a\n0: b\n0: c\n0: " + std::string(3'000'000, 'x');
  CHECK(stripped(text, 65536).size() > 3'000'000);
}

TEST_CASE("several prefixes stand one in front of the other", "[adapters][prefix]") {
  const std::string text =
      "(EngineCore pid=17) INFO 11-05 13:22:49 [worker.py:210] a\n(EngineCore pid=17) INFO 11-05 13:22:50 "
      "[worker.py:7]\n"
      "(EngineCore pid=17) INFO 11-05 13:22:51 [worker.py:210]  b\n";
  const auto prefixes = LinePrefix::of(text);
  REQUIRE(prefixes.size() == 2);
  CHECK(prefixes[1].extends(prefixes[0]));
  CHECK_FALSE(prefixes[0].extends(prefixes[1]));
  CHECK(stripped(text, 7, 1) == "a\n\n b\n");
}

TEST_CASE("colours of a terminal are taken off, copied or not", "[adapters][prefix]") {
  for (const std::string escape : {"\033", ""}) {
    std::string text;
    for (const std::string line : {"a", "[0]", "b"})
      text += escape + "[36m(train pid=17)" + escape + "[0m " + line + "\n";
    CHECK(LinePrefix::of(text).front().describe() == "colours");
    CHECK(stripped(text, 7, 1) == "a\n[0]\nb\n");
  }
}

TEST_CASE("each process that wrote enough lines may be the one that is meant", "[adapters][prefix]") {
  std::string text;
  for (const std::string line : {"a", "b", "c", "d"}) text += "(APIServer pid=1) " + line + "\nuntagged\nother\nmore\n";
  for (const std::string line : {"x", "y", "z"}) text += "(EngineCore pid=2) " + line + "\n";
  const auto prefixes = LinePrefix::of(text);
  REQUIRE(prefixes.size() == 2);
  CHECK(prefixes[0].ambiguous());  // few lines have it
  CHECK(prefixes[1].describe() == "'(EngineCore pid=2)'");
  CHECK(prefixes[1].others() == 1);
  CHECK_FALSE(prefixes[1].extends(prefixes[0]));
  CHECK(stripped(text, 7, 1).ends_with("x\ny\nz\n"));
}

TEST_CASE("of processes in front of processes only some are tried", "[adapters][prefix][hostile]") {
  std::string text;
  for (const std::string outer : {"a", "b", "c", "d", "e"})
    for (const std::string inner : {"v", "w", "x", "y", "z"})
      for (const std::string line : {"1", "2", "3"})
        text += "(" + outer + " pid=1) (" + inner + " pid=2) (" + line + " pid=3) text\n";
  const auto prefixes = LinePrefix::of(text);
  CHECK(prefixes.size() == 24);
  CHECK(prefixes[4].others() == 4);  // all outer ones before any inner one
  CHECK(prefixes[5].extends(prefixes[0]));
}
