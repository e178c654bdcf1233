// SPDX-License-Identifier: Apache-2.0
// What the production sink keeps of what adapters write.
#include "ingest/collect_sink.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("batches belong to the run announced last", "[api][sink]") {
  CollectSink sink("in", "fake", 2, nullptr);
  RunInfo first, second;
  first.label = "one";
  second.label = "two";
  sink.run(first);
  sink.submit(0, Batch());
  sink.run(second);
  sink.submit(0, Batch());
  sink.submit(1, Batch());
  const std::vector<Fragment> fragments = sink.take_fragments();
  REQUIRE(fragments.size() == 2);
  CHECK(fragments[0].info.label == "one");
  CHECK(fragments[0].batches.size() == 1);
  CHECK(fragments[1].batches.size() == 2);
  CHECK(fragments[1].adapter == "fake");
  CHECK(fragments[1].input == "in");
}

TEST_CASE("rows before any run belong to a run without a description", "[api][sink]") {
  CollectSink sink("in", "fake", 1, nullptr);
  sink.submit(0, Batch());
  CHECK(sink.take_fragments().size() == 1);
}

TEST_CASE("equal notes are counted together and carry the table's text", "[api][sink]") {
  CollectSink sink("in", "fake", 1, nullptr);
  sink.note("K604", "cat b", 2);
  sink.note("K604", "cat a", 1);
  sink.note("K604", "cat b", 3);
  sink.note("K600", "byte 7", 1);
  const std::vector<NoteEntry> notes = sink.notes();
  REQUIRE(notes.size() == 3);
  CHECK(notes[0].id == "K600");
  CHECK(notes[0].severity == NoteSeverity::data_loss);
  CHECK(notes[0].text.find("(byte 7). Record again") != std::string::npos);
  CHECK(notes[1].text.find("(cat a)") != std::string::npos);
  CHECK(notes[2].count == 5);
}

TEST_CASE("very many details are kept in part, the same part in any order", "[api][sink]") {
  const auto collect = [](bool backwards) {
    CollectSink sink("in", "fake", 1, nullptr);
    for (int i = 0; i < 1000; ++i) sink.note("K602", "byte " + std::to_string(backwards ? 999 - i : i), 1);
    return sink.notes();
  };
  const std::vector<NoteEntry> forwards = collect(false);
  const std::vector<NoteEntry> backwards = collect(true);
  REQUIRE(forwards.size() == 65);
  REQUIRE(backwards.size() == 65);
  for (std::size_t i = 0; i < forwards.size(); ++i) CHECK(forwards[i].text == backwards[i].text);
  CHECK(forwards.back().count == 1000 - 64);
}

TEST_CASE("the host's flag reaches the adapter", "[api][sink]") {
  std::atomic<bool> cancel{false};
  const CollectSink sink("in", "fake", 1, &cancel);
  CHECK_FALSE(sink.cancelled());
  cancel = true;
  CHECK(sink.cancelled());
}
