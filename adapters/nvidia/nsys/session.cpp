// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/session.hpp"

#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/text/instants.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::size_t rows_per_batch = 65536;
constexpr std::int64_t no_rank = -1;

/// N of "MPI Rank N", the name that the profiler gives to the thread that calls MPI_Init.
std::optional<std::int64_t> rank_of_thread_name(std::string_view name) {
  constexpr std::string_view prefix = "MPI Rank ";
  return name.starts_with(prefix) ? parse_number<std::int64_t>(name.substr(prefix.size())) : std::nullopt;
}

}  // namespace

Session::Session(const Database& opened, FactSink& facts, Id origin)
    : database(opened),
      sink(facts),
      strings(opened, "StringIds", "id", "value"),
      origin_(origin),
      gpus_(opened, facts) {
  Query names = database.select("ThreadNames", {"globalTid", "nameId"});
  while (names.next())
    if (const auto id = names.integer(0))
      if (const auto rank = rank_of_thread_name(strings(names.integer(1))))
        ranks_.try_emplace(global_process(*id), *rank);
}

Session::Id Session::only_rank() const { return ranks_.size() == 1 ? Id(ranks_.begin()->second) : std::nullopt; }

bool Session::begin_row() {
  sink.count_events(1);
  if (++rows_ % rows_per_batch == 0) submit();
  return !sink.cancelled();
}

void Session::submit() {
  if (rows_ == 0) return;  // an export that holds no records is none
  if (origin_) batch.shift_times(*origin_);
  sink.submit(sequence_++, std::exchange(batch, Batch()));
}

Times Session::times(Id start, Id end) const {
  Times times{.start = in_range(start), .dur = {}};
  if (times.start && in_range(end) && *end >= *start) times.dur = *end - *start;
  return times;
}

std::optional<Times> Session::host_times(Id start, Id end, std::string_view what) const {
  const Times found = times(start, end);
  if (found.dur) return found;
  sink.note(start && end && *end < *start ? note_id::negative_duration : note_id::malformed_value, what);
  return std::nullopt;
}

Row Session::rank(std::int64_t global_id) {
  if (ranks_.size() < 2) return {};  // the run's own rank
  const auto found = ranks_.find(global_process(global_id));
  return found == ranks_.end() ? Row{} : batch.rank(found->second);
}

Row Session::device_row(const std::pair<std::int64_t, std::int64_t>& place) {
  return batch.device(place.first, place.second == no_rank ? Row{} : batch.rank(place.second));
}

Row Session::device(Id global_pid, std::int64_t number) {
  const std::int64_t process = global_pid.value_or(0);
  const auto rank = ranks_.size() < 2 ? ranks_.end() : ranks_.find(global_process(process));
  const std::pair place(gpus_.device(process_of(process), number), rank == ranks_.end() ? no_rank : rank->second);
  devices_.insert(place);
  return device_row(place);
}

Row Session::device_of_gpu(std::int64_t gpu) {
  const std::int64_t number = gpus_.device_of_gpu(gpu);
  const auto used = devices_.lower_bound({number, no_rank});
  const bool known = used != devices_.end() && used->first == number;
  return device_row(known ? *used : std::pair(number, no_rank));
}

Row Session::thread(std::int64_t global_tid) {
  threads_.insert(global_tid);
  return batch.thread(process_of(global_tid), thread_of(global_tid), rank(global_tid));
}

Session::Id Session::correlation(Id global_id, Id number) {
  if (number.value_or(0) == 0) return std::nullopt;
  const auto next = static_cast<std::int64_t>(process_places_.size());
  const std::int64_t place = process_places_.try_emplace(global_process(global_id.value_or(0)), next).first->second;
  return (place << 32) | (*number & 0xFFFFFFFF);
}

void Session::describe_places() {
  if (ranks_.size() < 2)
    for (std::int64_t number : gpus_.devices()) devices_.insert({number, no_rank});
  for (const auto& place : devices_) gpus_.describe(batch, device_row(place), place.first);
  Query names = database.select("ThreadNames", {"globalTid", "nameId"});
  while (names.next()) {
    const auto id = names.integer(0);
    if (!id || threads_.count(*id) == 0) continue;
    const std::string_view name = strings(names.integer(1));
    if (!name.empty()) batch.set(thread(*id), column("threads.name"), name);
  }
}

}  // namespace kdiag::adapters::nsys
