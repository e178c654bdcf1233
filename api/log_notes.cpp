// SPDX-License-Identifier: Apache-2.0
#include "api/log_notes.hpp"

#include <new>
#include <string>

namespace kdiag {
namespace {

Level level_of(const NoteEntry& note) {
  if (note.severity == NoteSeverity::error) return Level::error;
  return note.severity == NoteSeverity::info ? Level::note : Level::warning;
}

template <class Tell>
void guard(Log* log, Tell tell) {
  if (log == nullptr) return;
  try {
    tell();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    // A log that fails is no reason to fail a call that did what it should.
  }
}

}  // namespace

void log_notes(Log* log, const Facts& facts) {
  guard(log, [&] {
    for (const InputEntry& input : facts.inputs())
      for (const NoteEntry& note : input.notes) log->tell(level_of(note), note.id, input.path + ": " + note.text);
  });
}

void log_warnings(Log* log, const Diagnostics& warnings) {
  guard(log, [&] {
    for (const Diagnostic& warning : warnings) log->tell(warning.level, warning.id, render(warning));
  });
}

}  // namespace kdiag
