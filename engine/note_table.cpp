// SPDX-License-Identifier: Apache-2.0
#include "engine/note_table.hpp"

#include <algorithm>
#include <cassert>

namespace kdiag {
namespace {

// Ids are stable for ever and never reused; docs/errors.md has a section for each.
// K600-K619: any input. K620-K649: Kineto. K650-K659: TensorBoard plugin. K660-K669: nvidia-smi. K670-K679: tables.
// K680-K699: assembling runs and deriving facts.
constexpr NoteInfo notes[] = {
    {"K600", "data-loss", "the input ends in the middle of a record; everything before it was kept", "Record again, or wait until the profiler has finished writing."},
    {"K601", "data-loss", "the compressed stream is damaged or cut off; everything before that was kept", "Copy the file again and compare checksums."},
    {"K602", "warning", "unreadable records were skipped", ""},
    {"K603", "warning", "records with a missing or malformed value were skipped", ""},
    {"K604", "info", "unknown kinds of records were skipped", ""},
    {"K605", "warning", "invalid UTF-8 or control characters in names were replaced", ""},
    {"K606", "warning", "records with a negative duration were skipped", ""},
    {"K607", "warning", "a record is larger than the limit and was skipped", ""},
    {"K608", "warning", "bytes after the end of the trace were ignored", ""},
    {"K609", "error", "this input could not be read", ""},
    {"K618", "data-loss", "reading failed before the end; everything before that was kept", "Copy the file to a local disk and try again."},
};

}  // namespace

std::span<const NoteInfo> note_table() { return notes; }

const NoteInfo& note_info(std::string_view id) {
  const auto* found = std::find_if(std::begin(notes), std::end(notes), [id](const NoteInfo& note) { return note.id == id; });
  assert(found != std::end(notes) && "every note has a row in the table");
  return *found;
}

}  // namespace kdiag
