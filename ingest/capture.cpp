// SPDX-License-Identifier: Apache-2.0
#include "ingest/capture.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/facts/batch_data.hpp"
#include "ingest/capture_files.hpp"

namespace kdiag {
namespace {

constexpr std::int64_t longest_pause = 60'000'000'000;  // ns between the records of one recording; judgement

bool near(Interval a, Interval b) { return a.start - longest_pause <= b.end && b.start - longest_pause <= a.end; }

bool includes(const std::set<std::int64_t>& all, const std::set<std::int64_t>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// Whether the times of a view allow that it is of the capture. One tool on one machine has one clock, whether it can
/// be compared with others or not.
bool fits(const Capture& capture, const View& view) {
  std::optional<Interval> span;
  for (const View& known : capture.views)
    if (known.span && known.clock() == view.clock()) span = hull(span, *known.span);
  return !span || !view.span || near(*span, *view.span);
}

/// The numbers of the devices that the fragment names.
std::set<std::int64_t> devices_of(const Fragment& fragment) {
  std::set<std::int64_t> devices;
  for (const auto& [sequence, batch] : fragment.batches)
    for (const EntityKey& key : batch.data().entity_keys[table("devices").index]) devices.insert(key.first);
  return devices;
}

/// A file that says how the recording was made may describe its device without its number: it is that of the only one.
void name_device(Capture& capture) {
  std::set<std::int64_t> named;
  for (const View& view : capture.views)
    if (!is_companion(view.fragment().adapter)) named.merge(devices_of(view.fragment()));
  if (named.size() != 1) return;
  for (View& view : capture.views) {
    if (!is_companion(view.fragment().adapter) || devices_of(view.fragment()).size() != 1) continue;
    for (auto& [sequence, batch] : view.fragment().batches) {
      auto& keys = batch.data().entity_keys[table("devices").index];
      for (std::uint32_t row = 0; row < keys.size(); ++row) {
        keys[row].first = *named.begin();
        batch.set({table("devices"), row}, column("devices.id"), *named.begin());
      }
    }
  }
}

/// The captures among views whose files stand together.
class Gatherer {
 public:
  void add(std::size_t position, View view) {
    std::set<std::int64_t> ranks = ranks_of(view.fragment());
    (ranks.empty() ? unranked_ : ranked_).push_back({position, std::move(view), std::move(ranks)});
  }

  std::vector<Capture> gather() && {
    for (Member& member : ranked_) {
      const auto same_ranks = [&member](const Capture& capture) {
        return includes(capture.ranks, member.ranks) || includes(member.ranks, capture.ranks);
      };
      place(member, same_ranks);
    }
    // A view that does not say whose it is can belong to the only rank; of several nothing says which.
    const bool one_rank = captures_.size() <= 1;
    for (Member& member : unranked_) place(member, [one_rank](const Capture&) { return one_rank; });
    for (Capture& capture : captures_) settle(capture);
    return std::move(captures_);
  }

 private:
  struct Member {
    std::size_t position;
    View view;
    std::set<std::int64_t> ranks;
  };

  template <class Belongs>
  void place(Member& member, const Belongs& belongs) {
    const auto found = std::find_if(captures_.begin(), captures_.end(), [&](const Capture& capture) {
      return belongs(capture) && fits(capture, member.view);
    });
    const bool joins = found != captures_.end();
    Capture& capture = joins ? *found : captures_.emplace_back();
    if (!joins) capture.position = member.position;
    capture.position = std::min(capture.position, member.position);
    capture.ranks.insert(member.ranks.begin(), member.ranks.end());
    capture.views.push_back(std::move(member.view));
  }

  static void settle(Capture& capture) {
    name_device(capture);
    std::stable_sort(capture.views.begin(), capture.views.end(),
                     [](const View& a, const View& b) { return a.source.input < b.source.input; });
    if (capture.ranks.size() != 1) return;
    for (View& view : capture.views)
      if (ranks_of(view.fragment()).empty()) view.fragment().info.rank = *capture.ranks.begin();
  }

  std::vector<Member> ranked_, unranked_;
  std::vector<Capture> captures_;
};

}  // namespace

bool Capture::has_input(std::size_t input) const {
  return std::any_of(views.begin(), views.end(), [input](const View& view) { return view.source.input == input; });
}

ClockDomain Capture::clock() const {
  const auto timed = std::find_if(views.begin(), views.end(), [](const View& view) { return view.span.has_value(); });
  return timed == views.end() ? front().clock() : timed->clock();
}

std::optional<Interval> Capture::span(ClockDomain clock) const {
  std::optional<Interval> all;
  for (const View& view : views)
    if (view.span && comparable(view.clock(), clock)) all = hull(all, *view.span);
  return all;
}

std::string Capture::label() const {
  const Fragment& first = front().fragment();
  if (views.size() == 1) return first.info.label;
  const auto files = capture_of(first.adapter, first.input);
  return files && !files->label.empty() ? files->label : first.info.label;
}

std::vector<Capture> gather_captures(std::vector<SourceFragment> fragments) {
  std::map<std::size_t, std::size_t> runs_of_input;
  for (const SourceFragment& source : fragments) ++runs_of_input[source.input];
  std::vector<Capture> captures;
  std::map<std::string, Gatherer> together;
  for (std::size_t position = 0; position < fragments.size(); ++position) {
    SourceFragment& source = fragments[position];
    const Fragment& fragment = source.fragment;
    const bool alone = fragment.info.telemetry || runs_of_input[source.input] > 1;
    const auto files = alone ? std::nullopt : capture_of(fragment.adapter, fragment.input);
    const std::optional<Interval> span = extent(fragment);
    if (files) {
      together[files->place].add(position, {std::move(source), span});
      continue;
    }
    Capture& capture = captures.emplace_back();
    capture.position = position;
    capture.ranks = ranks_of(fragment);
    capture.views.push_back({std::move(source), span});
  }
  for (auto& [files, gatherer] : together)
    for (Capture& capture : std::move(gatherer).gather()) captures.push_back(std::move(capture));
  std::sort(captures.begin(), captures.end(),
            [](const Capture& a, const Capture& b) { return a.position < b.position; });
  return captures;
}

std::set<std::int64_t> ranks_of(const Fragment& fragment) {
  std::set<std::int64_t> ranks;
  if (fragment.info.rank) ranks.insert(*fragment.info.rank);
  for (const auto& [sequence, batch] : fragment.batches)
    for (const EntityKey& key : batch.data().entity_keys[table("ranks").index]) ranks.insert(key.first);
  return ranks;
}

Interval hull(std::optional<Interval> a, Interval b) {
  return a ? Interval{std::min(a->start, b.start), std::max(a->end, b.end)} : b;
}

}  // namespace kdiag
