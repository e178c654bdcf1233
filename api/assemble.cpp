// SPDX-License-Identifier: Apache-2.0
#include "api/assemble.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "api/align.hpp"
#include "api/collect_sink.hpp"
#include "api/match_devices.hpp"
#include "engine/batch_data.hpp"

namespace kdiag {
namespace {

constexpr std::string_view no_common_clock = "they and the trace have no clock in common";

/// A fragment with what decides where it belongs.
struct Candidate {
  SourceFragment source;
  std::size_t position = 0;  ///< among all fragments
  std::set<std::int64_t> ranks;
  std::optional<Interval> span;
  ClockDomain clock() const { return source.fragment.info.clock; }
};

struct Group {
  std::vector<Candidate> members;
  bool samples_aligned = true;

  bool has_input(std::size_t input) const {
    return std::any_of(members.begin(), members.end(),
                       [&](const Candidate& member) { return member.source.input == input; });
  }
  std::optional<std::int64_t> common_rank(const std::set<std::int64_t>& ranks) const {
    for (const Candidate& member : members)
      for (std::int64_t rank : member.ranks)
        if (ranks.contains(rank)) return rank;
    return std::nullopt;
  }
  bool has_ranks() const {
    return std::all_of(members.begin(), members.end(), [](const Candidate& member) { return !member.ranks.empty(); });
  }
  /// The time its members of a clock span together.
  std::optional<Interval> span(ClockDomain clock) const {
    std::optional<Interval> all;
    for (const Candidate& member : members)
      if (member.span && comparable(member.clock(), clock))
        all = all ? Interval{std::min(all->start, member.span->start), std::max(all->end, member.span->end)}
                  : *member.span;
    return all;
  }
  std::size_t position() const { return members.front().position; }
};

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Batch copy_of(const Batch& batch) {
  Batch copy;
  const Batch::Data& from = batch.data();
  Batch::Data& to = copy.data();
  for (std::uint32_t id = 0; id < from.strings.size(); ++id) to.strings.intern(from.strings[id]);
  to.columns = from.columns;
  to.rows = from.rows;
  to.declared = from.declared;
  to.entities = from.entities;
  to.entity_keys = from.entity_keys;
  return copy;
}

Candidate copy_of(const Candidate& candidate) {
  const Fragment& from = candidate.source.fragment;
  Candidate copy{{{from.info, from.adapter, from.input, {}, from.time_shift}, candidate.source.input},
                 candidate.position,
                 candidate.ranks,
                 candidate.span};
  for (const auto& [sequence, batch] : from.batches)
    copy.source.fragment.batches.emplace_back(sequence, copy_of(batch));
  return copy;
}

class Assembler {
 public:
  std::set<std::int64_t> ranks_of(const Fragment& fragment) {
    std::set<std::int64_t> ranks;
    if (fragment.info.rank) ranks.insert(*fragment.info.rank);
    for (const auto& [sequence, batch] : fragment.batches)
      for (const EntityKey& key : batch.data().entity_keys[table("ranks").index]) ranks.insert(key.first);
    return ranks;
  }

  Assembly assemble(std::vector<SourceFragment> fragments) {
    std::vector<Candidate> telemetry;
    name_fragments(fragments);
    for (SourceFragment& source : fragments) {
      Candidate candidate;
      candidate.position = position_++;
      candidate.ranks = ranks_of(source.fragment);
      candidate.span = extent(source.fragment);
      candidate.source = std::move(source);
      if (candidate.source.fragment.info.telemetry) telemetry.push_back(std::move(candidate));
      else place(std::move(candidate));
    }
    const std::size_t traces = groups_.size();
    for (Candidate& candidate : telemetry) place_telemetry(std::move(candidate), traces);
    std::sort(groups_.begin(), groups_.end(),
              [](const Group& a, const Group& b) { return a.position() < b.position(); });
    for (Group& group : groups_) finish(group);
    return std::move(assembly_);
  }

 private:
  void note(const Candidate& about, std::string_view id, std::string_view detail = {}) {
    assembly_.notes.emplace_back(about.source.input, make_note(id, detail));
  }

  /// A run is called as the adapter says, else like its file, with a number when the file has several.
  void name_fragments(std::vector<SourceFragment>& fragments) {
    for (std::size_t i = 0; i < fragments.size();) {
      std::size_t end = i;
      while (end < fragments.size() && fragments[end].input == fragments[i].input) ++end;
      const std::size_t count = end - i;
      for (std::size_t run = 1; i < end; ++i, ++run) {
        Fragment& fragment = fragments[i].fragment;
        if (!fragment.info.label.empty()) continue;
        fragment.info.label = file_name(fragment.input);
        if (count > 1) fragment.info.label += "#" + std::to_string(run);
      }
      if (count > 1) assembly_.notes.emplace_back(fragments[end - 1].input, make_note("K680", std::to_string(count)));
    }
  }

  void place(Candidate candidate) {
    std::string_view reason;
    std::string detail;
    for (Group& group : groups_) {
      if (group.has_input(candidate.source.input)) continue;  // K680 says it
      if (candidate.ranks.empty() || !group.has_ranks()) {
        reason = "K682";
        continue;
      }
      if (const auto rank = group.common_rank(candidate.ranks)) {
        reason = "K681";
        detail = "rank " + std::to_string(*rank);
        continue;
      }
      const std::optional<Interval> others = group.span(candidate.clock());
      if (others && candidate.span && !overlap(*others, *candidate.span)) {
        reason = "K683";
        continue;
      }
      group.members.push_back(std::move(candidate));
      return;
    }
    if (!reason.empty()) note(candidate, reason, reason == "K681" ? detail : "");
    start_run(std::move(candidate));
  }

  void start_run(Candidate candidate) {
    groups_.emplace_back();
    groups_.back().members.push_back(std::move(candidate));
  }

  /// `traces` groups stand for traces, those behind them for telemetry that found none.
  void place_telemetry(Candidate candidate, std::size_t traces) {
    if (candidate.clock() == ClockDomain::local_ns && candidate.span) find_zone(candidate, traces);
    std::vector<Group*> overlapped;
    bool compared = false;
    for (std::size_t i = 0; i < traces; ++i) {
      const std::optional<Interval> span = groups_[i].span(candidate.clock());
      if (!span || !candidate.span) continue;
      compared = true;
      if (overlap(*span, *candidate.span)) overlapped.push_back(&groups_[i]);
    }
    if (!overlapped.empty()) {
      for (std::size_t i = 1; i < overlapped.size(); ++i) overlapped[i]->members.push_back(copy_of(candidate));
      overlapped.front()->members.push_back(std::move(candidate));
    } else if (traces == 0) {
      join_telemetry(std::move(candidate));
    } else if (compared) {
      note(candidate, "K686");
      join_telemetry(std::move(candidate), traces);
    } else if (traces == 1) {
      note(candidate, "K685", unaligned_because_);
      groups_.front().samples_aligned = false;
      groups_.front().members.push_back(std::move(candidate));
    } else {
      note(candidate, "K687");
      join_telemetry(std::move(candidate), traces);
    }
    unaligned_because_ = no_common_clock;
  }

  /// Telemetry without a trace is one run as far as its times allow.
  void join_telemetry(Candidate candidate, std::size_t first = 0) {
    for (std::size_t i = first; i < groups_.size(); ++i) {
      const std::optional<Interval> span = groups_[i].span(candidate.clock());
      if (!span || !candidate.span || overlap(*span, *candidate.span)) {
        groups_[i].members.push_back(std::move(candidate));
        return;
      }
    }
    start_run(std::move(candidate));
  }

  void find_zone(Candidate& candidate, std::size_t traces) {
    std::vector<Interval> spans;
    for (std::size_t i = 0; i < traces; ++i)
      if (const auto span = groups_[i].span(ClockDomain::unix_ns)) spans.push_back(*span);
    if (spans.empty()) return;
    const ZoneGuess guess = guess_zone(*candidate.span, spans);
    if (guess.kind == ZoneGuess::Kind::found) {
      candidate.source.fragment.time_shift = -guess.offset_ns;
      candidate.source.fragment.info.clock = ClockDomain::unix_ns;
      candidate.span = Interval{candidate.span->start - guess.offset_ns, candidate.span->end - guess.offset_ns};
      note(candidate, "K684", zone_name(guess.offset_ns));
    } else {
      unaligned_because_ = guess.kind == ZoneGuess::Kind::several_fit ? "several time zones fit equally well"
                                                                      : "under no time zone does it overlap the trace";
    }
  }

  static std::string zone_name(std::int64_t offset_ns) {
    const std::int64_t minutes = std::abs(offset_ns) / 60'000'000'000;
    const auto two = [](std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return std::string("UTC") + (offset_ns < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
  }

  void finish(Group& group) {
    AssembledRun run;
    run.samples_aligned = group.samples_aligned;
    std::size_t traces = 0;
    std::set<std::size_t> inputs;
    std::size_t telemetry_input = 0;
    for (Candidate& member : group.members) {
      inputs.insert(member.source.input);
      run.origins.push_back(member.source.input);
      Fragment& fragment = member.source.fragment;
      if (fragment.info.telemetry) telemetry_input = member.source.input;
      else if (traces++ == 0) run.label = fragment.info.label;
      run.fragments.push_back(std::move(fragment));
    }
    if (traces == 0) run.label = run.fragments.front().info.label;
    if (traces > 1) run.label += " and " + std::to_string(traces - 1) + " more";
    run.inputs.assign(inputs.begin(), inputs.end());
    for (std::int64_t device : match_devices(run.fragments))
      assembly_.notes.emplace_back(telemetry_input, make_note("K688", "device " + std::to_string(device)));
    assembly_.runs.push_back(std::move(run));
  }

  std::vector<Group> groups_;
  Assembly assembly_;
  std::size_t position_ = 0;
  std::string_view unaligned_because_ = no_common_clock;
};

}  // namespace

std::set<std::int64_t> ranks_of(const Fragment& fragment) {
  std::set<std::int64_t> ranks;
  if (fragment.info.rank) ranks.insert(*fragment.info.rank);
  for (const auto& [sequence, batch] : fragment.batches)
    for (const EntityKey& key : batch.data().entity_keys[table("ranks").index]) ranks.insert(key.first);
  return ranks;
}

Assembly assemble(std::vector<SourceFragment> fragments) { return Assembler().assemble(std::move(fragments)); }

std::string run_id(std::size_t index) {
  std::string id;
  for (++index; index > 0; index = (index - 1) / 26) id.insert(id.begin(), static_cast<char>('A' + (index - 1) % 26));
  return id;
}

}  // namespace kdiag
