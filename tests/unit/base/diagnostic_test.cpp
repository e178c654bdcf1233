// SPDX-License-Identifier: Apache-2.0
// How diagnostics look as text.
#include <memory>
#include <string>

#include <kdiag/diagnostic.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "tests/catch.hpp"

namespace kdiag {
namespace {

SourcePtr source(std::string text) { return std::make_shared<const Source>(Source{"r.yaml", std::move(text)}); }

Span at(const SourcePtr& source, const std::string& part) { return {source, source->text.find(part), part.size()}; }

}  // namespace

TEST_CASE("a diagnostic shows its line, its carets and its advice", "[engine][error]") {
  const SourcePtr file = source("kdiag: 1\n    ref: device.sm_clok_max\n");
  Diagnostic diagnostic = make_error("K301", at(file, "sm_clok_max"), "unknown column 'device.sm_clok_max'",
                                     "did you mean 'sm_clock_max'?", "see the catalogue");
  diagnostic.context = "rule clock.throttled";
  diagnostic.note = "columns are final";
  CHECK(render(diagnostic) ==
        "r.yaml:2:17: error[K301]: unknown column 'device.sm_clok_max'  (rule clock.throttled)\n"
        " 2 |     ref: device.sm_clok_max\n"
        "   |                 ^^^^^^^^^^^ did you mean 'sm_clock_max'?\n"
        " note: columns are final\n"
        " help: see the catalogue\n");
}

TEST_CASE("several labels share a line or have lines of their own", "[engine][error]") {
  const SourcePtr file = source("a\n  median(kernels, dur) > 4KiB\nb\n");
  Diagnostic diagnostic = make_error("K203", at(file, "4KiB"), "cannot compare time with data", "data (4096 B)");
  diagnostic.labels.push_back({at(file, "median(kernels, dur)"), "time (ns)"});
  diagnostic.labels.push_back({at(file, "b"), "used here"});
  CHECK(render(diagnostic) ==
        "r.yaml:2:26: error[K203]: cannot compare time with data\n"
        " 2 |   median(kernels, dur) > 4KiB\n"
        "   |   --------------------   ^^^^ data (4096 B)\n"
        "   |   time (ns)\n"
        " 3 | b\n"
        "   | - used here\n");
}

TEST_CASE("labels in another file get a heading", "[engine][error]") {
  const SourcePtr file = source("one\n");
  const SourcePtr other = std::make_shared<const Source>(Source{"std.yaml", "x\ntwo\n"});
  Diagnostic diagnostic = make_warning("K306", at(file, "one"), "defined twice");
  diagnostic.labels.push_back({at(other, "two"), "first here"});
  CHECK(render(diagnostic) ==
        "r.yaml:1:1: warning[K306]: defined twice\n"
        " 1 | one\n"
        "   | ^^^\n"
        " --> std.yaml:2:1\n"
        " 2 | two\n"
        "   | --- first here\n");
}

TEST_CASE("places are optional", "[engine][error]") {
  CHECK(render(make_error("K690", {}, "stopped")) == "error[K690]: stopped\n");
  CHECK(render(make_error("K100", {source(""), 0, 0}, "cannot read it")) == "r.yaml: error[K100]: cannot read it\n");
}

TEST_CASE("columns count characters, tabs are one, control characters are escaped", "[engine][error]") {
  const SourcePtr file = source("\xEF\xBB\xBF\t\xC3\xA9\x1b[31m\xE2\x80\xAE @@\r\n");
  CHECK(render(make_error("K120", at(file, "@@"), "bad \x1b[0m\n title")) ==
        "r.yaml:1:10: error[K120]: bad \\x1b[0m\\x0a title\n"
        " 1 |  \xC3\xA9\\x1b[31m\\u202e @@\n"
        "   |                  ^^\n");
  const SourcePtr broken = source("a \xFF @@");
  CHECK(render(make_error("K102", at(broken, "@@"), "t")) ==
        "r.yaml:1:5: error[K102]: t\n 1 | a \\xff @@\n   |        ^^\n");
}

TEST_CASE("long lines are cut around the carets", "[engine][error]") {
  const SourcePtr file = source(std::string(5000, 'a') + "@@" + std::string(5000, 'b'));
  const std::string text = render(make_error("K120", at(file, "@@"), "t", "here"));
  CHECK(text.size() < 500);
  CHECK(text.find("...") != std::string::npos);
  const std::size_t line = text.find('\n') + 1;
  const std::size_t carets = text.find("^^");
  CHECK(text.find("@@") - line == carets - text.rfind('\n', carets) - 1);
}

TEST_CASE("a place behind the end of the text is its end", "[engine][error]") {
  const SourcePtr file = source("ab\n");
  CHECK(render(make_error("K120", {file, 999, 5}, "t")).find("r.yaml:2:1") == 0);
  CHECK(position_of(*file, 2).column == 3);
}

TEST_CASE("colour surrounds the level and the carets only", "[engine][error]") {
  const SourcePtr file = source("ab\n");
  const std::string text = render(make_error("K120", {file, 0, 1}, "t"), {.color = true});
  CHECK(text == "r.yaml:1:1: \033[1;31merror[K120]\033[0m: t\n 1 | ab\n   | \033[1;31m^\033[0m\n");
}

TEST_CASE("misspelt names find the nearest one", "[engine][error]") {
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(closest("sm_clok_max", {"sm_clock_avg", "sm_clock_max", "name"}) == "sm_clock_max");
  CHECK(closest("KERNELS", {"copies", "kernels"}) == "kernels");
  CHECK(closest("zebra", {"copies", "kernels"}).empty());
  CHECK(closest("d", {"a", "b"}).empty());
  CHECK(closest("", {"a"}).empty());
  CHECK(did_you_mean("durr", {"dur"}) == "did you mean 'dur'?");
  CHECK(did_you_mean(std::string(100000, 'x'), {"dur"}).empty());
}

}  // namespace kdiag
