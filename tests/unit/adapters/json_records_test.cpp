// SPDX-License-Identifier: Apache-2.0
// Documents that are read record by record.
#include "adapters/json/json_records.hpp"

#include <string>
#include <vector>

#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

namespace {

/// Writes down what it is told; goes into everything but what is called "whole".
class Recorder : public RecordVisitor {
 public:
  bool enters(std::string_view path) override { return !path.ends_with("whole"); }
  void value(std::string_view path, Token value) override {
    told.push_back(std::string(path) + '=' + std::string(value.text));
  }
  void left(std::string_view path, bool complete) override {
    told.push_back(std::string(path) + (complete ? "." : "?"));
  }
  std::vector<std::string> told;
};

struct RecordsRead {
  std::vector<std::string> told, notes;
};

RecordsRead read_text(std::string_view text) {
  const auto input = open_input("document", {text.data(), text.size()});
  REQUIRE(input);
  tests::CollectingSink sink{"test", 1};
  Recorder recorder;
  read_records(**input, sink, recorder);
  RecordsRead reading{recorder.told, {}};
  for (const auto& [note, count] : sink.notes) reading.notes.push_back(note.first);
  return reading;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("records come with their paths, in order", "[adapters][json]") {
  const RecordsRead reading = read_text(R"({"a": [{"b": [1, "x"], "whole": {"c": [2]}}], "d": null})");
  CHECK(reading.told ==
        Words{"a[].b[]=1", "a[].b[]=\"x\"", "a[].b.", "a[].whole={\"c\": [2]}", "a[].", "a.", "d=null", "."});
  CHECK(reading.notes.empty());
}

TEST_CASE("documents follow one another", "[adapters][json]") {
  CHECK(read_text("{\"a\":1}\n[2]").told == Words{"a=1", ".", "[]=2", "."});
}

TEST_CASE("what was gone into is left where the input ends", "[adapters][json]") {
  const RecordsRead reading = read_text(R"({"a": [{"b": 1}, {"b": 2)");
  CHECK(reading.told == Words{"a[].b=1", "a[].", "a[]?", "a?", "?"});
  CHECK(reading.notes == Words{"K600"});
}

TEST_CASE("what is no JSON ends the reading", "[adapters][json]") {
  const std::string text = GENERATE("{\"a\": [1, 2}}", "{\"a\" 1}", "{1: 2}", "{\"a\": 1} rest");
  CAPTURE(text);
  CHECK(read_text(text).notes == Words{"K602"});
}

TEST_CASE("records larger than what is read at once are whole", "[adapters][json]") {
  const std::string word(700'000, 'x');
  const RecordsRead reading = read_text("{\"a\": [\"" + word + "\", 1]}");
  REQUIRE(reading.told.size() == 4);
  CHECK(reading.told[0] == "a[]=\"" + word + '"');
  CHECK(reading.told[1] == "a[]=1");
}
