// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/note_table.hpp"

#include <algorithm>
#include <cassert>

namespace kdiag {
namespace {

// Ids are stable for ever and never reused; docs/notes.md has a line for each.
// K600-K619: any input. K620-K629: Kineto. K630-K639: SQLite databases, Nsight Systems. K640-K644: trace events.
// K645-K649: Nsight Compute. K650-K659: TensorBoard plugin. K660-K669: nvidia-smi. K670-K679: tables. K680-K699:
// assembling runs and deriving facts. K700-K709: folders, archives, recordings of several files. K710-K719: facts
// files. K720-K729: custom formats. K730-K739: comparing with a baseline. K765-K766: limits of
// unpacking. K770-K779: how a profiler recorded.
constexpr NoteInfo notes[] = {
    {"K600", "data-loss", "the input ends in the middle of a record; everything before it was kept",
     "Record again, or wait until the profiler has finished writing. Where the last line of a text is whole, end it "
     "with a newline."},
    {"K601", "data-loss", "the compressed stream is damaged or cut off; everything before that was kept",
     "Copy the file again and compare checksums."},
    {"K602", "warning", "unreadable records were skipped", ""},
    {"K603", "warning", "records with a missing or malformed value were skipped", ""},
    {"K604", "info", "unknown kinds of records were skipped", ""},
    {"K605", "warning", "invalid UTF-8 or control characters in names were replaced", ""},
    {"K606", "warning", "records with a negative duration were skipped", ""},
    {"K607", "warning", "a record is larger than the limit and was skipped", ""},
    {"K608", "warning", "bytes after the end of the trace were ignored", ""},
    {"K609", "error", "this input could not be read", ""},
    {"K618", "data-loss", "reading failed before the end; everything before that was kept",
     "Copy the file to a local disk and try again."},
    {"K619", "warning", "times that cannot be were left out: more than 146 years from zero, or lengths below zero", ""},

    {"K621", "data-loss", "the profiler says that it dropped records",
     "Record fewer steps, or give the profiler larger buffers."},
    {"K622", "warning", "device work without a usable start or duration was kept; its time is unknown", ""},
    {"K623", "info", "counters whose meaning is not known were skipped", ""},
    {"K624", "warning", "the framework's allocator ran out of memory",
     "Look for it before judging the speed: what follows may be recovery."},
    {"K625", "warning", "the profiler logged errors while it recorded", "Read what it says."},
    {"K626", "info", "the profiler logged warnings while it recorded", "Read what it says."},
    {"K627", "warning", "records that state time 0 are kept without a start",
     "The device never stamped them; a newer profiler may help."},
    {"K628", "data-loss", "calls launch work, but no device work was recorded",
     "Record the device too (ProfilerActivity.CUDA, nsys --trace=cuda) and let the profiler finish; CUDA in a virtual "
     "machine may not let it."},

    {"K630", "data-loss", "the database is damaged or cut off; the rows before that were kept",
     "Copy the file again, or export it again."},
    {"K631", "data-loss", "the write-ahead log beside the database was not read",
     "Run `sqlite3 FILE 'PRAGMA wal_checkpoint'`, which merges it."},

    {"K633", "info", "ranges that the program never closed have no duration", ""},
    {"K634", "data-loss",
     "device graphs were recorded as a whole: what their kernels did, and when a device was idle, is unknown",
     "Record with nsys profile --cuda-graph-trace=node."},
    {"K635", "warning", "the profiler reported errors while it recorded", ""},
    {"K636", "info", "reports were left out by nsys stats", ""},
    {"K637", "info", "rows of reports that say again what an earlier one said were not used", ""},
    {"K639", "info", "reports and rows without a place among the facts were not used", ""},

    {"K640", "info", "events without a place among the facts were not used", ""},
    {"K641", "warning", "rows were taken for those of a device because of their names; what stands on them is guessed",
     "Check that these rows show a device's work; a profiler of the device says it for certain."},
    {"K642", "warning", "ranges that never end were closed at the end of the trace", ""},
    {"K643", "warning", "ends without a beginning were skipped", ""},
    {"K644", "info", "ranks were numbered from their coordinates: tensor fastest, then context, data, pipeline", ""},

    {"K646", "warning", "values of a metric that are no numbers were left out", ""},
    {"K647", "info", "the tool's own advice", ""},
    {"K648", "info", "metrics without a place among the facts were not used", ""},
    {"K649", "info", "numbers were read with a decimal comma", "Record with LC_ALL=C to be sure."},

    {"K650", "info", "views of the plugin that hold no facts for rules were not used", ""},
    {"K651", "warning", "documents that are no view of the plugin were skipped", ""},
    {"K652", "info", "the plugin's own advice", ""},
    {"K653", "info", "the steps could not be read one by one; the average step stands for all of them", ""},
    {"K654", "info", "a view came more than once in a run; only the first was used", ""},
    {"K655", "warning", "times of an unknown kind were left out of the phases", ""},

    {"K661", "info", "lines that are no rows of the log were skipped", ""},
    {"K662", "info", "the log states no times; one row per second and GPU was assumed",
     "Add `timestamp` to --query-gpu, or `-o DT` to dmon."},
    {"K663", "info", "no column says which GPU a row is of; rows of one instant were numbered in their order",
     "Add `index` to --query-gpu."},
    {"K664", "warning", "the driver reported that a GPU cannot be used any more",
     "Look for Xid messages in the kernel log, then reset the GPU or restart the machine."},
    {"K665", "info", "too few clock event reasons were recorded to tell whether something slowed the clocks",
     "Add `clocks_throttle_reasons.active` to --query-gpu."},
    {"K666", "info", "unknown columns were ignored", ""},
    {"K667", "warning", "several processes ran on one GPU at the same time; each slows the others",
     "Give each process a GPU of its own when you measure one of them."},
    {"K668", "warning",
     "samples number the devices differently than the records of work do, and which is which cannot be told; they were "
     "left out",
     ""},

    {"K670", "info", "names were cut to 50 columns, so different kernels may look the same", ""},
    {"K671", "warning", "utilizations outside 0..1 were left out", ""},
    {"K672", "info", "unknown columns of the table were ignored", ""},
    {"K674", "info", "clocks have no unit; the one that makes them plausible was assumed", ""},

    {"K675", "info", "the input is a report on two recordings: their means are known, not what they are means of",
     "Give the recordings themselves: findings are then surer."},
    {"K676", "warning",
     "statistics of a comparison that cannot be were left out: probabilities outside 0..1, effects outside -1..1, "
     "shares or numbers of cycles below zero",
     ""},
    {"K677", "warning", "collectives had not ended when the dump was written",
     "Compare the dumps of all ranks: the rank that lacks this number is the one that the others wait for."},
    {"K678", "data-loss", "tasks are missing: most of the others waited for tasks that the table does not have",
     "Use the table as the profiler wrote it, with all of its rows."},
    {"K679", "info",
     "kernels ran one at a time so that counters could be read: how long each took counts, when it ran does not", ""},

    {"K680", "info", "the input holds several runs; each is judged on its own", "FILE#2 selects the second."},
    {"K681", "info", "the input starts another run: an earlier one has its rank already", ""},
    {"K682", "info", "the input starts another run: only inputs that state different ranks are one run", ""},
    {"K683", "info", "the input starts another run: its times lie apart from the earlier ones", ""},
    {"K684", "info", "the samples are in local time without a zone; the one that fits the trace was assumed",
     "Record with TZ=UTC to be sure."},
    {"K685", "warning", "the samples could not be aligned with the trace; only what needs no common clock uses them",
     "Record with TZ=UTC and a date, from before the trace begins until after it ends."},
    {"K686", "warning", "the samples overlap no trace; they are judged on their own", ""},
    {"K687", "warning", "which of the runs the samples belong to cannot be told; they are judged on their own",
     "Give one trace and its samples at a time."},
    {"K688", "warning", "several ranks used a device of that number; its samples belong to none of them",
     "Give the samples of each host with the traces of that host."},
    {"K689", "warning", "steps were set apart as one-off costs; the rest is judged",
     "Name them with --steps to judge them."},

    {"K701", "warning", "files of the folder or archive were skipped", ""},
    {"K702", "info", "hidden files of the folder or archive were skipped", ""},
    {"K703", "info", "the input states no rank; the one in its name was taken", ""},
    {"K704", "data-loss", "the archive is damaged or cut off; the files before that were read",
     "Copy the archive again and compare checksums."},
    {"K707", "data-loss", "the input unpacks to more than 500 times its size; the rest was not read",
     "If you trust it, unpack it by hand and pass what is inside."},
    {"K708", "info", "another file of the same recording says more of this and was used instead", ""},

    {"K711", "warning", "values of a wrong type, unit or sign were left out", "See docs/facts-file.md."},
    {"K712", "warning", "references to rows that there are not, or not yet, were left out", "See docs/facts-file.md."},

    {"K720", "info", "columns that the mapping does not name were not used", ""},
    {"K721", "warning", "a mapping is for none of the inputs", "`match` of the mapping says which ones it is for."},
    {"K722", "warning", "columns of the mapping are not in the input", ""},

    {"K730", "info", "kernels of two runs are the same when their names are, else when only one of each is of a family",
     ""},
    {"K731", "warning", "what the baseline run has no counterpart of is not compared",
     "Give a baseline of the same devices and ranks."},
    {"K732", "info", "of several baseline runs each run is compared with one",
     "Choose one with FILE#N, or one baseline at a time."},
    {"K734", "warning",
     "nothing in the names says which of the two runs is the normal one; the first by name was taken",
     "Give them in order: kdiag compare NORMAL ABNORMAL."},

    {"K765", "data-loss", "the inputs unpack to more than the limit; the rest was not read",
     "Raise it with --max-unpacked, or unpack by hand."},
    {"K766", "data-loss", "the input needs more memory to be unpacked than it is given; the rest was not read",
     "Raise it with --max-memory, or unpack it by hand."},

    {"K770", "info", "CUDA was traced, and no CUDA call was made in the processes that the profiler followed", ""},
    {"K771", "warning",
     "the profiler does not support an installed driver or library; what it recorded of it may be incomplete",
     "Record with a newer version of the profiler."},
    {"K772", "info", "CUDA was traced, but the driver handed over no records of the device",
     "Virtual machines and WSL may not have them, nor does a process that another profiler watches."},
    {"K775", "info", "the file says only how a recording was made that is not among the inputs; it was not used", ""},
};

const NoteInfo* find_note(std::string_view id) {
  return std::find_if(std::begin(notes), std::end(notes), [id](const NoteInfo& note) { return note.id == id; });
}

}  // namespace

std::span<const NoteInfo> note_table() { return notes; }

bool is_note(std::string_view id) { return find_note(id) != std::end(notes); }

const NoteInfo& note_info(std::string_view id) {
  const NoteInfo* found = find_note(id);
  assert(found != std::end(notes) && "every note has a row in the table");
  return *found;
}

NoteEntry make_note(std::string_view id, std::string_view detail, std::uint64_t count) {
  const NoteInfo& info = note_info(id);
  NoteEntry entry;
  entry.id = id;
  entry.severity = info.severity;
  entry.count = count;
  entry.text = info.text;
  if (!detail.empty()) entry.text.append(" (").append(detail).append(")");
  if (!info.help.empty()) entry.text.append(". ").append(info.help);
  return entry;
}

}  // namespace kdiag
