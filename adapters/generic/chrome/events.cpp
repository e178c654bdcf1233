// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/events.hpp"

#include <utility>

#include <kdiag/note_ids.hpp>

namespace kdiag::adapters::chrome {
namespace {

/// Kinds of events that say nothing a rule could use, by phase; empty for all others.
std::string_view useless(char phase) {
  switch (phase) {
    case 'i':
    case 'I':
    case 'R':
    case 'n': return "instants";
    case 's':
    case 't':
    case 'f': return "flows";
    case 'P': return "stack samples";
    case 'N':
    case 'O':
    case 'D': return "objects";
    case 'V':
    case 'v': return "memory dumps";
    case 'c': return "clock synchronisation";
    case '(':
    case ')': return "contexts";
    case 'T':
    case 'p': return "steps of asynchronous ranges, thread states";
    default: return {};
  }
}

}  // namespace

Kept Events::kept() const {
  Kept out;
  out.add_bytes(names.bytes() + track_keys_.bytes());
  out.add_beside(tracks);
  out.add_nodes(row_names.processes);
  out.add_nodes(row_names.labels);
  out.add_nodes(row_names.threads);
  out.add(marks);
  out.add(samples);
  return out;
}

void Events::add(const TraceEvent& event) {
  if (event.of_diagnosis()) return;
  const std::string_view phase = unquoted(event.ph);
  if (phase.empty() && event.name.text.empty()) return;  // `{}` closes the list of some writers
  switch (phase.size() == 1 ? phase[0] : '\0') {
    case 'X': return add_range(event, Phase::complete, row(event));
    case 'B': return add_range(event, Phase::begin, row(event));
    case 'E': return add_range(event, Phase::end, row(event));
    case 'b': return add_range(event, Phase::begin, asynchronous(event, false));
    case 'e': return add_range(event, Phase::end, asynchronous(event, false));
    case 'S': return add_range(event, Phase::begin, asynchronous(event, true));
    case 'F': return add_range(event, Phase::end, asynchronous(event, true));
    case 'C': return add_counter(event);
    case 'M': return add_metadata(event);
    default: break;
  }
  const std::string_view kind = phase.size() == 1 ? useless(phase[0]) : std::string_view{};
  if (kind.empty()) sink_->note(note_id::unknown_kind, decode(event.ph, scratch_));
  else sink_->note(note_id::unused_event, kind);
}

void Events::add_range(const TraceEvent& event, Phase phase, std::uint32_t track) {
  Mark mark{.track = track, .phase = phase};
  const auto time = event.start_ns();
  const auto dur = phase == Phase::complete ? event.dur_ns() : 0;
  if (!time || !dur) return sink_->note(note_id::malformed_value, time ? "dur" : "ts");
  if (*dur < 0) return sink_->note(note_id::negative_duration);
  mark.time = *time;
  mark.dur = *dur;
  const std::string_view name = decode(event.name, scratch_);
  if (!name.empty() && event.name.text != "null") mark.name = names(name);
  // TensorFlow 1 states the kind of an operator twice, and which node of the graph it is.
  if (const Token kind = event.arg("op"); !kind.is_missing() && kind.text == event.name.text)
    if (const Token node = event.arg("name"); !node.is_missing()) mark.node = names(decode(node, scratch_));
  marks.push_back(mark);
}

void Events::add_counter(const TraceEvent& event) {
  const auto time = event.start_ns();
  if (!time) return sink_->note(note_id::malformed_value, "ts");
  std::string series(decode(event.name, scratch_));
  if (!event.id.text.empty()) series += "[" + identity(event.id) + "]";
  for (const Member& argument : event.args.members()) {
    const auto value = to_real(argument.value);
    if (!value) {
      sink_->note(note_id::malformed_value, "counter");
      continue;
    }
    const std::string key = argument.key.empty() ? "value" : std::string(argument.key);
    samples.push_back({.time = *time, .value = *value, .series = names(series + "." + key), .track = row(event)});
  }
}

void Events::add_metadata(const TraceEvent& event) {
  const std::string_view what = unquoted(event.name);
  const Token value = event.arg(what == "process_labels" ? "labels" : "name");
  if (value.is_missing()) return;
  const Track& place = tracks[row(event)];
  const std::string text(decode(value, scratch_));
  if (what == "process_name") row_names.processes.try_emplace(place.process, text);
  if (what == "process_labels") row_names.labels.try_emplace(place.process, text);
  if (what == "thread_name") row_names.threads.try_emplace({place.process, place.thread}, text);
}

std::uint32_t Events::row(const TraceEvent& event) {
  if (last_row_ != Mark::no_name && last_process_ == event.pid.text && last_thread_ == event.tid.text) return last_row_;
  last_process_ = event.pid.text;
  last_thread_ = event.tid.text;
  const std::string process = identity(event.pid);
  last_row_ = track({process, event.tid.is_missing() ? process : identity(event.tid), {}});
  return last_row_;
}

/// Ranges that begin on one thread and may end on another belong together by category and id; those of the older
/// phases S and F by name, too. An id may be local to its process.
std::uint32_t Events::asynchronous(const TraceEvent& event, bool by_name) {
  std::string scope(unquoted(event.cat));
  if (!event.scope.text.empty()) scope += '\n' + identity(event.scope);
  if (by_name) scope += '\n' + std::string(decode(event.name, scratch_));
  const bool local = event.id2.text.find("\"local\"") != std::string_view::npos;
  const Token id = event.id2.text.empty() ? event.id : event.id2;
  return track({local ? identity(event.pid) : std::string(), {}, scope + '\n' + identity(id)});
}

std::uint32_t Events::track(Track track) {
  const std::uint32_t index = track_keys_(track.process + '\0' + track.thread + '\0' + track.id);
  if (index == tracks.size()) tracks.push_back(std::move(track));
  return index;
}

/// "7" for 7, "7" and 7.0; text as it is; "0" for nothing.
std::string Events::identity(Token token) {
  if (token.is_missing()) return "0";
  if (const auto number = to_integer(token)) return std::to_string(*number);
  return std::string(decode(token, scratch_));
}

}  // namespace kdiag::adapters::chrome
