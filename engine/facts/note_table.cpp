// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/note_table.hpp"

#include <algorithm>
#include <cassert>

#include <kdiag/note_ids.hpp>

namespace kdiag {
namespace {

// Ids are stable for ever and never reused; docs/notes.md has a line for each.
// K600-K619: any input. K620-K629: Kineto. K630-K639: SQLite databases, Nsight Systems. K640-K644: trace events.
// K645-K649: Nsight Compute. K650-K659: TensorBoard plugin. K660-K669: nvidia-smi. K670-K679: tables. K680-K699:
// assembling runs and deriving facts. K700-K709: folders, archives, recordings of several files. K710-K719: facts
// files. K720-K729: custom formats. K730-K739: comparing with a baseline. K765-K766: limits of
// unpacking. K770-K779: how a profiler recorded. K780-K789: any input, again. K790-K799: packs.
constexpr NoteInfo notes[] = {
    {note_id::input_cut, NoteSeverity::data_loss,
     "the input ends in the middle of a record; everything before it was kept",
     "Record again, or wait until the profiler has finished writing. Where the last line of a text is whole, end it "
     "with a newline."},
    {note_id::stream_damaged, NoteSeverity::data_loss,
     "the compressed stream is damaged or cut off; everything before that was kept",
     "Copy the file again and compare checksums."},
    {note_id::unreadable_record, NoteSeverity::warning, "unreadable records were skipped", ""},
    {note_id::malformed_value, NoteSeverity::warning, "records with a missing or malformed value were skipped", ""},
    {note_id::unknown_kind, NoteSeverity::info, "unknown kinds of records were skipped", ""},
    {note_id::text_repaired, NoteSeverity::warning, "invalid UTF-8 or control characters in names were replaced", ""},
    {note_id::negative_duration, NoteSeverity::warning, "records with a negative duration were skipped", ""},
    {note_id::record_too_large, NoteSeverity::warning, "a record is larger than the limit and was skipped", ""},
    {note_id::bytes_after_end, NoteSeverity::warning, "bytes after the end of the trace were ignored", ""},
    {note_id::input_unreadable, NoteSeverity::error, "this input could not be read", ""},
    {note_id::read_failed, NoteSeverity::data_loss, "reading failed before the end; everything before that was kept",
     "Copy the file to a local disk and try again."},
    {note_id::impossible_time, NoteSeverity::warning,
     "times that cannot be were left out: more than 146 years from zero, or lengths below zero", ""},

    {note_id::records_dropped, NoteSeverity::data_loss, "the profiler says that it dropped records",
     "Record fewer steps, or give the profiler larger buffers."},
    {note_id::time_unknown, NoteSeverity::warning,
     "device work without a usable start or duration was kept; its time is unknown", ""},
    {note_id::unknown_counter, NoteSeverity::info, "counters whose meaning is not known were skipped", ""},
    {note_id::out_of_memory, NoteSeverity::warning, "the framework's allocator ran out of memory",
     "Look for it before judging the speed: what follows may be recovery."},
    {note_id::profiler_errors, NoteSeverity::warning, "the profiler logged errors while it recorded",
     "Read what it says."},
    {note_id::profiler_warnings, NoteSeverity::info, "the profiler logged warnings while it recorded",
     "Read what it says."},
    {note_id::zero_start, NoteSeverity::warning, "records that state time 0 are kept without a start",
     "The device never stamped them; a newer profiler may help."},
    {note_id::no_device_work, NoteSeverity::data_loss, "calls launch work, but no device work was recorded",
     "Record the device too (ProfilerActivity.CUDA, nsys --trace=cuda) and let the profiler finish; CUDA in a virtual "
     "machine may not let it."},

    {note_id::second_document, NoteSeverity::error, "another document follows the trace, and was not read",
     "Split the file, and pass its parts as files of their own."},
    {note_id::database_damaged, NoteSeverity::data_loss,
     "the database is damaged or cut off; the rows before that were kept", "Copy the file again, or export it again."},
    {note_id::write_ahead_log, NoteSeverity::data_loss, "the write-ahead log beside the database was not read",
     "Run `sqlite3 FILE 'PRAGMA wal_checkpoint'`, which merges it."},

    {note_id::range_without_end, NoteSeverity::info, "ranges that the program never closed have no duration", ""},
    {note_id::graphs_as_whole, NoteSeverity::data_loss,
     "device graphs were recorded as a whole: what their kernels did, and when a device was idle, is unknown",
     "Record with nsys profile --cuda-graph-trace=node."},
    {note_id::profiler_reported_errors, NoteSeverity::warning, "the profiler reported errors while it recorded", ""},
    {note_id::report_left_out, NoteSeverity::info, "reports were left out by nsys stats", ""},
    {note_id::repeated_report_row, NoteSeverity::info,
     "rows of reports that say again what an earlier one said were not used", ""},
    {note_id::unused_report, NoteSeverity::info, "reports and rows without a place among the facts were not used", ""},

    {note_id::unused_event, NoteSeverity::info, "events without a place among the facts were not used", ""},
    {note_id::guessed_device_row, NoteSeverity::warning,
     "rows were taken for those of a device because of their names; what stands on them is guessed",
     "Check that these rows show a device's work; a profiler of the device says it for certain."},
    {note_id::closed_range, NoteSeverity::warning, "ranges that never end were closed at the end of the trace", ""},
    {note_id::end_without_begin, NoteSeverity::warning, "ends without a beginning were skipped", ""},
    {note_id::numbered_ranks, NoteSeverity::info,
     "ranks were numbered from their coordinates: tensor fastest, then context, data, pipeline", ""},

    {note_id::metric_not_number, NoteSeverity::warning, "values of a metric that are no numbers were left out", ""},
    {note_id::tool_advice, NoteSeverity::info, "the tool's own advice", ""},
    {note_id::unused_metric, NoteSeverity::info, "metrics without a place among the facts were not used", ""},
    {note_id::decimal_comma, NoteSeverity::info, "numbers were read with a decimal comma",
     "Record with LC_ALL=C to be sure."},

    {note_id::unused_view, NoteSeverity::info, "views of the plugin that hold no facts for rules were not used", ""},
    {note_id::no_view, NoteSeverity::warning, "documents that are no view of the plugin were skipped", ""},
    {note_id::plugin_advice, NoteSeverity::info, "the plugin's own advice", ""},
    {note_id::average_step, NoteSeverity::info,
     "the steps could not be read one by one; the average step stands for all of them", ""},
    {note_id::repeated_view, NoteSeverity::info, "a view came more than once in a run; only the first was used", ""},
    {note_id::unknown_phase, NoteSeverity::warning, "times of an unknown kind were left out of the phases", ""},

    {note_id::no_log_row, NoteSeverity::info, "lines that are no rows of the log were skipped", ""},
    {note_id::assumed_times, NoteSeverity::info, "the log states no times; one row per second and GPU was assumed",
     "Add `timestamp` to --query-gpu, or `-o DT` to dmon; let tegrastats print a line per second (`--interval 1000`)."},
    {note_id::assumed_device, NoteSeverity::info,
     "no column says which GPU a row is of; rows of one instant were numbered in their order",
     "Add `index` to --query-gpu."},
    {note_id::device_lost, NoteSeverity::warning, "the driver reported that a GPU cannot be used any more",
     "Look for Xid messages in the kernel log, then reset the GPU or restart the machine."},
    {note_id::few_clock_reasons, NoteSeverity::info,
     "too few clock event reasons were recorded to tell whether something slowed the clocks",
     "Add `clocks_throttle_reasons.active` to --query-gpu."},
    {note_id::unknown_log_column, NoteSeverity::info, "unknown columns were ignored", ""},
    {note_id::shared_device, NoteSeverity::warning,
     "several processes ran on one GPU at the same time; each slows the others",
     "Give each process a GPU of its own when you measure one of them."},
    {note_id::device_numbers_differ, NoteSeverity::warning,
     "samples number the devices differently than the records of work do, and which is which cannot be told; they were "
     "left out",
     ""},
    {note_id::assumed_date_order, NoteSeverity::info,
     "times name the day and the month without saying which is which; the day was taken to come first",
     "Write times as 2026-01-03T15:36:53.5Z."},

    {note_id::cut_names, NoteSeverity::info, "names were cut to 50 columns, so different kernels may look the same",
     ""},
    {note_id::utilization_out_of_range, NoteSeverity::warning, "utilizations outside 0..1 were left out", ""},
    {note_id::unknown_table_column, NoteSeverity::info, "unknown columns of the table were ignored", ""},
    {note_id::assumed_clock_unit, NoteSeverity::info,
     "clocks have no unit; the one that makes them plausible was assumed", ""},

    {note_id::report_of_two_runs, NoteSeverity::info,
     "the input is a report on two recordings: their means are known, not what they are means of",
     "Give the recordings themselves: findings are then surer."},
    {note_id::impossible_statistic, NoteSeverity::warning,
     "statistics of a comparison that cannot be were left out: probabilities outside 0..1, effects outside -1..1, "
     "shares or numbers of cycles below zero",
     ""},
    {note_id::unfinished_collectives, NoteSeverity::warning, "collectives had not ended when the dump was written",
     "Compare the dumps of all ranks: the rank that lacks this number is the one that the others wait for."},
    {note_id::missing_tasks, NoteSeverity::data_loss,
     "tasks are missing: most of the others waited for tasks that the table does not have",
     "Use the table as the profiler wrote it, with all of its rows."},
    {note_id::serialised_kernels, NoteSeverity::info,
     "kernels ran one at a time so that counters could be read: how long each took counts, when it ran does not", ""},

    {note_id::several_runs, NoteSeverity::info, "the input holds several runs; each is judged on its own",
     "FILE#2 selects the second."},
    {note_id::rank_taken, NoteSeverity::info, "the input starts another run: an earlier one has its rank already", ""},
    {note_id::unranked_input, NoteSeverity::info,
     "the input starts another run: only inputs that state different ranks are one run",
     "Name the traces of one job by their ranks: rank0.json, rank1.json."},
    {note_id::times_apart, NoteSeverity::info,
     "the input starts another run: its times lie apart from the earlier ones", ""},
    {note_id::assumed_time_zone, NoteSeverity::info,
     "the samples are in local time without a zone; the one that fits the trace was assumed",
     "Record with TZ=UTC to be sure."},
    {note_id::samples_not_aligned, NoteSeverity::warning,
     "the samples could not be aligned with the trace; only what needs no common clock uses them",
     "Record with TZ=UTC and a date, from before the trace begins until after it ends."},
    {note_id::samples_apart, NoteSeverity::warning, "the samples overlap no trace; they are judged on their own", ""},
    {note_id::samples_of_no_run, NoteSeverity::warning,
     "which of the runs the samples belong to cannot be told; they are judged on their own",
     "Give one trace and its samples at a time."},
    {note_id::ambiguous_device, NoteSeverity::warning,
     "several ranks used a device of that number; its samples belong to none of them",
     "Give the samples of each host with the traces of that host."},
    {note_id::steps_set_apart, NoteSeverity::warning, "steps were set apart as one-off costs; the rest is judged",
     "Name them with --steps to judge them."},

    {note_id::files_skipped, NoteSeverity::warning, "files of the folder or archive were skipped", ""},
    {note_id::hidden_files_skipped, NoteSeverity::info, "hidden files of the folder or archive were skipped", ""},
    {note_id::rank_from_name, NoteSeverity::info, "the input states no rank; the one in its name was taken", ""},
    {note_id::archive_damaged, NoteSeverity::data_loss,
     "the archive is damaged or cut off; the files before that were read",
     "Copy the archive again and compare checksums."},
    {note_id::unpacks_too_far, NoteSeverity::data_loss,
     "the input unpacks to more than 500 times its size; the rest was not read",
     "If you trust it, unpack it by hand and pass what is inside."},
    {note_id::repeated_recording, NoteSeverity::info,
     "another file of the same recording says more of this and was used instead", ""},

    {note_id::value_left_out, NoteSeverity::warning, "values of a wrong type, unit or sign were left out",
     "See docs/facts-file.md."},
    {note_id::dangling_reference, NoteSeverity::warning,
     "references to rows that there are not, or not yet, were left out", "See docs/facts-file.md."},

    {note_id::unmapped_column, NoteSeverity::info, "columns that the mapping does not name were not used", ""},
    {note_id::mapping_unused, NoteSeverity::warning, "a mapping is for none of the inputs",
     "`match` of the mapping says which ones it is for."},
    {note_id::mapped_column_missing, NoteSeverity::warning, "columns of the mapping are not in the input", ""},

    {note_id::matched_by_name, NoteSeverity::info,
     "kernels of two runs are the same when their names are, else when only one of each is of a family", ""},
    {note_id::no_counterpart, NoteSeverity::warning, "what the baseline run has no counterpart of is not compared",
     "Give a baseline of the same devices and ranks."},
    {note_id::several_baselines, NoteSeverity::info, "of several baseline runs each run is compared with one",
     "Choose one with FILE#N, or one baseline at a time."},
    {note_id::sides_by_name, NoteSeverity::warning,
     "nothing in the names says which of the two runs is the normal one; the first by name was taken",
     "Give them in order: kdiag compare NORMAL ABNORMAL."},

    {note_id::unpack_limit, NoteSeverity::data_loss, "the inputs unpack to more than the limit; the rest was not read",
     "Raise it with --max-unpacked, or unpack by hand."},
    {note_id::unpack_memory, NoteSeverity::data_loss,
     "the input needs more memory to be unpacked than it is given; the rest was not read",
     "Raise it with --max-memory, or unpack it by hand."},

    {note_id::no_cuda_call, NoteSeverity::info,
     "CUDA was traced, and no CUDA call was made in the processes that the profiler followed", ""},
    {note_id::severe_diagnostic, NoteSeverity::warning,
     "the profiler does not support an installed driver or library; what it recorded of it may be incomplete",
     "Record with a newer version of the profiler."},
    {note_id::driver_gave_no_records, NoteSeverity::data_loss,
     "calls launch work and CUDA was traced, but the driver handed over no records of the device",
     "Virtual machines and WSL may not have them, nor does a process that another profiler watches."},
    {note_id::unused_metadata, NoteSeverity::info,
     "the file says only how a recording was made that is not among the inputs; it was not used", ""},
    {note_id::rows_not_printed, NoteSeverity::data_loss,
     "the table has only some of its rows: the totals below it are larger than their sums",
     "Print all of them: prof.key_averages().table(row_limit=-1)."},
    {note_id::rows_not_listed, NoteSeverity::warning,
     "the table states shares or totals of more time than its rows have; the rest counts as kernels without a name",
     "Give the whole table."},

    {note_id::no_rows, NoteSeverity::error, "the format is known, but no row of it could be read",
     "`kdiag formats` shows what the format looks like, and how to record it."},
    {note_id::line_prefixes, NoteSeverity::info,
     "what a launcher or a logger puts in front of each line was taken off before it was read", ""},
    {note_id::host_totals_not_printed, NoteSeverity::data_loss,
     "the table has only some of the operators and calls: the host's total below it is larger than their sum",
     "Print all of them: prof.key_averages().table(row_limit=-1)."},
    {note_id::no_summary, NoteSeverity::warning,
     "the lines that end the table are missing; rows above them may be, too",
     "The test may have hung or been killed at the next size: see whether its process still runs, and how it ended."},
    {note_id::wrong_results, NoteSeverity::warning, "the benchmark found values that are wrong", ""},
    {note_id::average_launch, NoteSeverity::info,
     "launches could not be read one by one; the average of a kernel stands for each of them", ""},
    {note_id::rows_without_place, NoteSeverity::error, "no row of the input has a place among the facts",
     "The other notes say what the rows are of."},
    {note_id::instance_metrics, NoteSeverity::info,
     "metrics of GPU instances (MIG) were left out: they are not of the GPU as a whole", ""},
    {note_id::other_processes, NoteSeverity::warning,
     "several processes tag their lines; one of them was read, and the lines of the others were left out",
     "Give the lines of each process as a file of its own."},
    {note_id::missing_dispatches, NoteSeverity::data_loss,
     "kernels are missing: most of the dispatches that the others are numbered among, of this agent or of others, are "
     "not in the table",
     "Use the table as the profiler wrote it, with all of its rows, and record without a choice of kernels."},
    {note_id::totals_assumed, NoteSeverity::data_loss,
     "a summary has no totals; those of a thousand inferences at the throughput that it states were assumed",
     "Give all lines of the summary."},
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

std::optional<NoteSeverity> note_severity_of(std::string_view word) {
  for (const NoteSeverity severity :
       {NoteSeverity::info, NoteSeverity::warning, NoteSeverity::data_loss, NoteSeverity::error})
    if (name_of(severity) == word) return severity;
  return std::nullopt;
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
