// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/transfers.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

namespace kdiag {
namespace {

constexpr std::int64_t least_bytes = 64 * 1024;  // shorter copies are mostly their start (judgement)
constexpr double about_the_size = 1.5;           // times by which the mean size may differ (judgement)
// Mean time in the baseline run below which a copy of unknown size says nothing of the link: one of 64 KiB takes half
// of it at 12 GB/s, and as long to start (judgement).
constexpr double least_mean_ns = 10'000;

using Rows = std::span<const std::uint32_t>;

enum class Sizes : std::uint8_t { none, some, all };

Sizes sizes_of(const FactStore& store, Rows rows) {
  if (rows.empty()) return Sizes::all;
  const auto known = std::count_if(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return store.integer(column("copies.bytes"), row) != absent_integer;
  });
  if (known == 0) return Sizes::none;
  return static_cast<std::size_t>(known) == rows.size() ? Sizes::all : Sizes::some;
}

/// The large copies of one direction.
struct SizedCopies {
  double calls = 0, bytes = 0, ns = 0;
  std::map<std::string_view, std::size_t> sources, targets;
};

std::map<std::string_view, SizedCopies> sized_copies(const FactStore& store, Rows rows, CancelFlag cancel) {
  std::map<std::string_view, SizedCopies> out;
  for (const std::uint32_t row : rows) {
    stop_if(cancel);
    const std::int64_t bytes = store.integer(column("copies.bytes"), row);
    const std::int64_t dur = store.integer(column("copies.dur"), row);
    const std::string_view kind = store.text(column("copies.kind"), row);
    if (bytes < least_bytes || dur == absent_integer || dur < 0 || kind.empty()) continue;
    SizedCopies& copies = out[kind];
    ++copies.calls;
    copies.bytes += static_cast<double>(bytes);
    copies.ns += static_cast<double>(dur);
    if (const auto from = store.text(column("copies.src"), row); !from.empty()) ++copies.sources[from];
    if (const auto to = store.text(column("copies.dst"), row); !to.empty()) ++copies.targets[to];
  }
  return out;
}

/// The memory that most copies use; empty where it is not known.
std::string_view usual(const std::map<std::string_view, std::size_t>& memories) {
  std::string_view out;
  std::size_t most = 0;
  for (const auto& [memory, count] : memories)
    if (count > most) most = count, out = memory;
  return out;
}

bool same_memory(const std::map<std::string_view, std::size_t>& a, const std::map<std::string_view, std::size_t>& b) {
  return a.empty() || b.empty() || usual(a) == usual(b);
}

std::vector<Change> changes_by_size(const ComparedRuns& runs, const ComparedPlace& place, Rows rows, Rows rows_before) {
  const auto now = sized_copies(runs.run, rows, runs.cancel);
  const auto before = sized_copies(runs.baseline, rows_before, runs.cancel);
  std::vector<Change> out;
  for (const auto& [kind, copies] : now) {
    const auto other = before.find(kind);
    if (other == before.end() || other->second.bytes <= 0) continue;
    const SizedCopies& then = other->second;
    const double size = copies.bytes / copies.calls, size_before = then.bytes / then.calls;
    Change change{.kind = ChangeRowKind::transfer,
                  .name = std::string(kind),
                  .group = std::string(kind),
                  .device = place.device,
                  .rank = place.rank,
                  .basis = ChangeBasis::size,
                  .present = ChangePresent::both,
                  .calls = copies.calls,
                  .calls_before = times(then.calls, place.repetitions),
                  .each = copies.ns / copies.calls,
                  // What a copy of the size of this run's would take at the bandwidth of the baseline run.
                  .each_before = then.ns / then.bytes * size,
                  .total = copies.ns,
                  .total_before = times(then.ns, place.repetitions),
                  .alike = same_memory(copies.sources, then.sources) && same_memory(copies.targets, then.targets) &&
                           size > size_before / about_the_size && size < about_the_size * size_before};
    if (copies.ns > 0) change.value = copies.bytes / copies.ns * 1e9;
    if (then.ns > 0) change.value_before = then.bytes / then.ns * 1e9;
    set_shares(change, copies.calls, place.wall);
    out.push_back(std::move(change));
  }
  return out;
}

}  // namespace

LikeForLike transfer_changes(const ComparedRuns& runs, const ComparedPlace& place, const std::vector<Change>& copies) {
  LikeForLike out;
  const bool recorded = runs.run.present(table("copies")) && runs.baseline.present(table("copies"));
  const Rows rows = runs.rows.on_device(table("copies"), place.device);
  const Rows rows_before = runs.rows_before.on_device(table("copies"), place.device_before);
  const Sizes sizes = sizes_of(runs.run, rows), sizes_before = sizes_of(runs.baseline, rows_before);
  if (recorded && sizes != Sizes::none && sizes_before != Sizes::none) {
    out.rows = changes_by_size(runs, place, rows, rows_before);
    const auto any_large = [&](const FactStore& store, Rows of) {
      return std::any_of(of.begin(), of.end(),
                         [&](std::uint32_t row) { return store.integer(column("copies.bytes"), row) >= least_bytes; });
    };
    const bool nothing_large = (sizes == Sizes::all && !any_large(runs.run, rows)) ||
                               (sizes_before == Sizes::all && !any_large(runs.baseline, rows_before));
    out.known = !out.rows.empty() || nothing_large;
    return out;
  }
  // Of copies that are larger in one run longer ones say nothing.
  if ((!rows.empty() && sizes != Sizes::none) || (!rows_before.empty() && sizes_before != Sizes::none)) {
    if (recorded) out.lacks = "copies.bytes";
    return out;
  }
  for (const Change& copy : copies) {
    if (copy.present != ChangePresent::both || !copy.each || !copy.each_before || *copy.each_before < least_mean_ns)
      continue;
    out.rows.push_back(copy);
    Change& change = out.rows.back();
    change.kind = ChangeRowKind::transfer;
    if (copy.calls && copy.calls_before) change.alike = about_as_often(*copy.calls, *copy.calls_before);
    set_shares(change, copy.calls, place.wall);
  }
  out.known = !out.rows.empty();
  return out;
}

}  // namespace kdiag
