// SPDX-License-Identifier: Apache-2.0
#include "ingest/read_inputs.hpp"

#include <unistd.h>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/nul_in_path.hpp"
#include "base/stopwatch.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/assign_ranks.hpp"
#include "ingest/capture_files.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/read_path.hpp"

namespace kdiag {
namespace {

/// An input as the user named it: `FILE#2` is run 2 of FILE, unless a file of that very name exists.
struct Request {
  std::string path;
  std::optional<std::size_t> run;
};

Request parse_request(const std::string& text) {
  const std::size_t hash = text.rfind('#');
  if (hash == std::string::npos || hash == 0 || hash + 1 == text.size() || text.size() - hash > 7) return {text, {}};
  const std::string digits = text.substr(hash + 1);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return {text, {}};
  if (::access(text.c_str(), F_OK) == 0) return {text, {}};
  return {text.substr(0, hash), std::stoul(digits)};
}

/// What a path names, or its run.
std::vector<Reading> read_request(const std::string& path, LoadCall& call) {
  if (has_nul(path)) {
    std::vector<Reading> refused;
    refused.push_back(
        failed_reading(path, {load_error(refusal_id::no_such_file, "no such file: " + std::string(nul_in_path),
                                         std::string(nul_in_path_help))}));
    return refused;
  }
  const Request request = parse_request(path);
  std::vector<Reading> read = read_path(request.path, call);
  if (request.run) select_run(read, request.path, *request.run);
  // A single file is called as the user called it, with the number of its run.
  if (read.size() == 1 && read.front().entry.path == request.path) read.front().entry.path = path;
  return read;
}

/// Says in errors about an input as a whole which one it is.
void name_errors(Reading& reading) {
  const auto source = std::make_shared<const Source>(Source{reading.entry.path, {}});
  for (Diagnostic& error : reading.errors)
    if (error.labels.empty()) error.labels.push_back({{source, 0, 0}, {}});
}

/// An input that could not be read, among others that could: its errors become notes.
void note_errors(Reading& reading) {
  for (const Diagnostic& error : reading.errors)
    reading.entry.notes.push_back(
        make_note(note_id::input_unreadable, error.help.empty() ? error.title : error.title + ". " + error.help));
}

/// Mappings that no input was for, with what is said of the first input that was looked at.
void note_unused_maps(const std::vector<Reading>& readings, const LoadOptions& options, std::vector<NoteEntry>& notes) {
  for (std::size_t i = 0; i < options.maps.size(); ++i) {
    const Reading* other = nullptr;
    bool used = false;
    for (const Reading& reading : readings) {
      if (i >= reading.mismatches.size()) continue;  // another mapping came first, or it could not be opened
      used = used || reading.mismatches[i].empty();
      if (other == nullptr) other = &reading;
    }
    if (used) continue;
    std::string detail = "'" + std::string(options.maps[i].name()) + "'";
    if (other != nullptr) detail += "; " + other->entry.path + ": " + other->mismatches[i];
    notes.push_back(make_note(note_id::mapping_unused, detail));
  }
}

/// Whether nothing that was read is a recording.
bool holds_metadata_alone(const Reading& reading) {
  return std::all_of(reading.fragments.begin(), reading.fragments.end(),
                     [](const Fragment& fragment) { return is_companion(fragment.adapter); });
}

bool has_rows(const Reading& reading) {
  for (const Fragment& fragment : reading.fragments)
    for (const auto& [sequence, batch] : fragment.batches)
      for (std::uint16_t table = 0; table < catalogue_tables.size(); ++table) {
        const TableTraits& traits = info(TableId{table}).traits;
        if (!traits.entity && traits.role != TableRole::note && batch.rows(TableId{table}) > 0) return true;
      }
  return false;
}

bool names_devices(const Reading& reading) {
  return std::any_of(reading.fragments.begin(), reading.fragments.end(), [](const Fragment& fragment) {
    return std::any_of(fragment.batches.begin(), fragment.batches.end(),
                       [](const auto& batch) { return batch.second.rows(table("devices")) > 0; });
  });
}

/// Whether the records of an input tell nothing but which devices there are: processes that ran on them, say.
bool tells_devices(const Reading& reading) {
  return reading.entry.events > 0 && names_devices(reading) &&
         std::none_of(reading.entry.notes.begin(), reading.entry.notes.end(), [](const NoteEntry& note) {
           return note.id == note_id::unreadable_record || note.id == note_id::malformed_value;
         });
}

/// Whether rows were read, and left out for what they are of.
bool left_rows_out(const Reading& reading) {
  return std::any_of(reading.entry.notes.begin(), reading.entry.notes.end(), [](const NoteEntry& note) {
    return note.id == note_id::unused_report || note.id == note_id::instance_metrics ||
           note.id == note_id::unused_event || note.id == note_id::unused_metric;
  });
}

/// Where no input gave a row: which format each was taken for. Threads alone are nothing to judge.
void note_no_rows(std::vector<Reading>& readings) {
  if (std::any_of(readings.begin(), readings.end(), has_rows)) return;
  for (Reading& reading : readings)
    if (!reading.fragments.empty() && !holds_metadata_alone(reading) && !tells_devices(reading))
      reading.entry.notes.push_back(
          make_note(left_rows_out(reading) ? note_id::rows_without_place : note_id::no_rows,
                    reading.entry.adapter + (reading.begins.empty() ? "" : "; it begins " + reading.begins)));
}

Result<ReadInputs> gather(std::vector<Reading> readings, const LoadOptions& options) {
  if (cancelled(options)) return cancelled_error();
  Diagnostics errors;
  std::for_each(readings.begin(), readings.end(), name_errors);
  for (const Reading& reading : readings) errors.insert(errors.end(), reading.errors.begin(), reading.errors.end());
  const auto first =
      std::find_if(readings.begin(), readings.end(), [](const Reading& reading) { return !reading.fragments.empty(); });
  if (first == readings.end()) {
    if (errors.empty()) return load_error(refusal_id::no_input, "there is no input to read");
    return errors;
  }
  if (std::all_of(readings.begin(), readings.end(), holds_metadata_alone)) {
    if (!errors.empty()) return errors;
    return load_error(refusal_id::metadata_alone,
                      "'" + first->entry.path + "' says only how a recording was made, and holds none of it",
                      "Give the folder of the recording.");
  }
  ReadInputs inputs;
  note_no_rows(readings);
  note_unused_maps(readings, options, first->entry.notes);
  for (Reading& reading : readings) {
    note_errors(reading);
    for (Fragment& fragment : reading.fragments)
      inputs.fragments.push_back({std::move(fragment), inputs.entries.size()});
    inputs.entries.push_back(std::move(reading.entry));
  }
  return inputs;
}

}  // namespace

Diagnostic cancelled_error() { return load_error(refusal_id::interrupted, "loading was interrupted"); }

bool cancelled(const LoadOptions& options) { return is_set(options.cancel); }

Result<ReadInputs> read_inputs(std::span<const std::string> paths, const LoadOptions& options) {
  std::vector<TraceInput> inputs;
  for (const std::string& path : paths) inputs.push_back(TraceInput::path(path));
  return read_inputs(inputs, options);
}

Result<ReadInputs> read_inputs(std::span<const TraceInput> inputs, const LoadOptions& options) {
  if (std::find(options.adapters.begin(), options.adapters.end(), nullptr) != options.adapters.end())
    return load_error(refusal_id::host_adapter_failed, "an adapter of the host is null", std::string(mistake_of_host));
  const Stopwatch watch;
  LoadCall call(options);
  std::vector<Reading> readings;
  std::vector<std::size_t> files;  // readings of inputs that are one file each
  for (const TraceInput& input : inputs) {
    if (cancelled(options)) return cancelled_error();
    std::vector<Reading> read =
        input.source().index() == 0 ? read_request(input.name(), call) : read_trace_input(input, call);
    if (read.size() == 1 && read.front().entry.path == input.name()) files.push_back(readings.size());
    readings.insert(readings.end(), std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
  }
  std::vector<Reading*> named;
  for (const std::size_t file : files) named.push_back(&readings[file]);
  assign_ranks_by_names(named);
  Result<ReadInputs> gathered = gather(std::move(readings), options);
  if (gathered) gathered->seconds = watch.seconds();
  return gathered;
}

}  // namespace kdiag
