// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/places.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "base/parse_number.hpp"

namespace kdiag::adapters::perfetto {
namespace {

constexpr int deepest = 16;  // a track that stands in itself ends here

const Track* parent_of(const Trace& trace, const Track& track) {
  if (track.parent == 0) return nullptr;
  const auto found = trace.track_of_uuid.find(track.parent);
  return found == trace.track_of_uuid.end() ? nullptr : &trace.tracks[found->second];
}

Place place_of(const Trace& trace, const Track& track) {
  Place place;
  place.name = trace.text(track.name);
  std::optional<std::int64_t> process = track.process;
  const Track* at = &track;
  for (int depth = 0; depth < deepest; ++depth) {
    at = parent_of(trace, *at);
    if (at == nullptr) break;
    if (place.around.empty()) place.around = trace.text(at->name);
    if (!process) process = at->process;
  }
  place.process = process.value_or(track.writer);
  if (place.around.empty() && (track.thread || !track.process)) {
    const auto named = trace.process_names.find(place.process);
    if (named != trace.process_names.end()) place.around = trace.text(named->second);
  }
  return place;
}

/// The number in the brackets behind `text`, and what follows them.
std::optional<std::int64_t> take_bracketed(std::string_view& text) {
  const std::size_t open = text.find('[');
  if (open == text.npos) return std::nullopt;
  text.remove_prefix(open + 1);
  const auto number = take_number<std::int64_t>(text);
  if (!number || !text.starts_with(']')) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

/// Where a device has rows of queues, its other rows show the same work again, summed up or grouped.
void choose_work_rows(std::vector<Place>& places) {
  std::set<std::optional<std::int64_t>> queued;
  for (const Place& place : places)
    if (place.meaning.kind == RowKind::queue) queued.insert(place.meaning.device);
  for (Place& place : places)
    if (place.meaning.kind == RowKind::device && queued.contains(place.meaning.device))
      place.meaning.kind = RowKind::device_range;
}

}  // namespace

std::vector<Place> find_places(const Trace& trace) {
  std::int64_t free = 0;
  for (const Track& track : trace.tracks) free = std::max({free, track.thread.value_or(0), track.process.value_or(0)});
  std::vector<Place> places;
  for (const Track& track : trace.tracks) {
    Place place = place_of(trace, track);
    place.thread = track.thread ? *track.thread : track.process ? *track.process : ++free;
    place.meaning = row_meaning(place.around, {}, place.name);
    places.push_back(place);
  }
  choose_work_rows(places);
  return places;
}

AgentTrack parse_agent_track(const Place& place) {
  AgentTrack track{place.meaning.device, place.meaning.queue};
  std::string_view name = place.name;
  if (name.starts_with("GPU Kernel Dispatch ")) {
    track.agent = take_bracketed(name);
  } else if (name.starts_with("COMPUTE ") || name.starts_with("COPY ")) {
    track.agent = take_bracketed(name);
    track.queue = name.starts_with(" THREAD") ? std::nullopt : take_bracketed(name);
  }
  return track;
}

}  // namespace kdiag::adapters::perfetto
