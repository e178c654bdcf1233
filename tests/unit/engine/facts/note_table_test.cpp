// SPDX-License-Identifier: Apache-2.0
// The table of notes and its document.
#include "engine/facts/note_table.hpp"

#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

TEST_CASE("every note has a line in docs/notes.md with its severity and text", "[engine][docs]") {
  const std::string docs = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/docs/notes.md");
  for (const NoteInfo& note : note_table()) {
    std::string line = "| " + std::string(note.id) + " | " + std::string(name_of(note.severity)) + " | " +
                       std::string(note.text) + " |";
    CAPTURE(line);
    CHECK(docs.find(line) != std::string::npos);
  }
}

TEST_CASE("ids of notes are unique", "[engine][notes]") {
  std::set<std::string_view> ids;
  for (const NoteInfo& note : note_table()) {
    CAPTURE(note.id);
    CHECK(ids.insert(note.id).second);
    CHECK(&note_info(note.id) == &note);
  }
}

TEST_CASE("no id of a note or refusal stands for two things", "[engine][notes]") {
  std::set<std::string> ids;
  for (const char* file : {"note_ids.hpp", "refusal_ids.hpp", "error_ids.hpp"}) {
    const std::string text = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/include/kdiag/" + file);
    constexpr std::string_view opening = "= \"K";
    for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at + 1)) {
      const std::string id = text.substr(at + opening.size() - 1, 4);
      CAPTURE(id);
      CHECK(ids.insert(id).second);
    }
  }
  CHECK(ids.size() > note_table().size());
}
