// SPDX-License-Identifier: Apache-2.0
#include "ingest/assemble.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include <kdiag/format.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "base/text.hpp"
#include "engine/facts/batch_data.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/align.hpp"
#include "ingest/capture_files.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/match_devices.hpp"
#include "ingest/number_ranks.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

constexpr std::string_view no_common_clock = "they and the trace have no clock in common";

/// The captures of one run. What others ask of all of them is kept beside them: runs and captures can be thousands.
class RunGroup {
 public:
  bool samples_aligned = true;

  void add(Capture capture) {
    for (const View& view : capture.views) inputs_.insert(view.source.input);
    ranks_.insert(capture.ranks.begin(), capture.ranks.end());
    has_ranks_ = has_ranks_ && !capture.ranks.empty();
    for (std::size_t clock = 0; clock < spans_.size(); ++clock)
      if (const auto span = capture.span(static_cast<ClockDomain>(clock))) spans_[clock] = hull(spans_[clock], *span);
    members_.push_back(std::move(capture));
  }
  std::vector<Capture>& members() { return members_; }

  bool has_input(std::size_t input) const { return inputs_.contains(input); }
  std::optional<std::int64_t> common_rank(const std::set<std::int64_t>& ranks) const {
    for (const std::int64_t rank : ranks)
      if (ranks_.contains(rank)) return rank;
    return std::nullopt;
  }
  bool has_ranks() const { return has_ranks_; }
  /// The time its members of a clock span together.
  const std::optional<Interval>& span(ClockDomain clock) const { return spans_[static_cast<std::size_t>(clock)]; }
  std::size_t position() const { return members_.front().position; }

 private:
  std::vector<Capture> members_;
  std::set<std::size_t> inputs_;
  std::set<std::int64_t> ranks_;
  bool has_ranks_ = true;
  std::array<std::optional<Interval>, 4> spans_;  ///< by ClockDomain
};

Capture copy_of(const Capture& capture) {
  const View& view = capture.front();
  const Fragment& from = view.fragment();
  Capture copy{{}, capture.position, capture.ranks};
  copy.views.push_back({{{from.info, from.adapter, from.input, {}, from.time_shift}, view.source.input}, view.span});
  for (const auto& [sequence, batch] : from.batches)
    copy.front().fragment().batches.emplace_back(sequence, copy_of(batch));
  return copy;
}

/// Whether none of its files is a recording: they belong to one that is not here.
bool says_only_whose(const Capture& capture) {
  return std::all_of(capture.views.begin(), capture.views.end(),
                     [](const View& view) { return is_companion(view.fragment().adapter); });
}

class Assembler {
 public:
  Assembly assemble(std::vector<SourceFragment> fragments) {
    std::vector<Capture> telemetry;
    assembly_.notes = number_ranks(fragments);
    name_fragments(fragments);
    std::vector<Capture> captures = gather_captures(std::move(fragments));
    const bool any_run = !std::all_of(captures.begin(), captures.end(), says_only_whose);
    for (Capture& capture : captures) {
      if (any_run && says_only_whose(capture)) note(capture, note_id::unused_metadata);
      else if (capture.front().fragment().info.telemetry) telemetry.push_back(std::move(capture));
      else place(std::move(capture));
    }
    const std::size_t traces = groups_.size();
    for (Capture& capture : telemetry) place_telemetry(std::move(capture), traces);
    std::sort(groups_.begin(), groups_.end(),
              [](const RunGroup& a, const RunGroup& b) { return a.position() < b.position(); });
    for (RunGroup& group : groups_) finish(group);
    return std::move(assembly_);
  }

 private:
  void note(const View& about, std::string_view id, std::string_view detail = {}) {
    assembly_.notes.emplace_back(about.source.input, make_note(id, detail));
  }
  void note(const Capture& about, std::string_view id, std::string_view detail = {}) {
    note(about.front(), id, detail);
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
      if (count > 1)
        assembly_.notes.emplace_back(fragments[end - 1].input, make_note(note_id::several_runs, std::to_string(count)));
    }
  }

  void place(Capture capture) {
    std::string_view reason;
    std::string detail;
    choose_candidates(capture.front().source.input);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      RunGroup& group = groups_[candidates_[i]];
      if (capture.ranks.empty() || !group.has_ranks()) {
        reason = note_id::unranked_input;
        continue;
      }
      if (const auto rank = group.common_rank(capture.ranks)) {
        reason = note_id::rank_taken;
        detail = "rank " + std::to_string(*rank);
        continue;
      }
      const std::optional<Interval> others = group.span(capture.clock()), own = capture.span(capture.clock());
      if (others && own && !overlap(*others, *own)) {
        reason = note_id::times_apart;
        continue;
      }
      group.add(std::move(capture));
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    if (!reason.empty()) note(capture, reason, reason == note_id::rank_taken ? detail : "");
    start_run(std::move(capture));
  }

  /// The groups without captures of an input: one file has each run once (K680 says so). They are looked for where the
  /// input changes, since a file can have a hundred thousand runs.
  void choose_candidates(std::size_t input) {
    if (input == candidates_input_) return;
    candidates_input_ = input;
    candidates_.clear();
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (!groups_[i].has_input(input)) candidates_.push_back(i);
  }

  void start_run(Capture capture) {
    groups_.emplace_back();
    groups_.back().add(std::move(capture));
  }

  /// `traces` groups stand for traces, those behind them for telemetry that found none.
  void place_telemetry(Capture capture, std::size_t traces) {
    if (capture.clock() == ClockDomain::local_ns && capture.front().span) find_zone(capture.front(), traces);
    std::vector<RunGroup*> overlapped;
    bool compared = false;
    for (std::size_t i = 0; i < traces; ++i) {
      const std::optional<Interval> span = groups_[i].span(capture.clock());
      if (!span || !capture.front().span) continue;
      compared = true;
      if (overlap(*span, *capture.front().span)) overlapped.push_back(&groups_[i]);
    }
    if (!overlapped.empty()) {
      for (std::size_t i = 1; i < overlapped.size(); ++i) overlapped[i]->add(copy_of(capture));
      overlapped.front()->add(std::move(capture));
    } else if (traces == 0) {
      join_telemetry(std::move(capture));
    } else if (compared) {
      note(capture, note_id::samples_apart);
      join_telemetry(std::move(capture), traces);
    } else if (traces == 1) {
      note(capture, note_id::samples_not_aligned, unaligned_because_);
      groups_.front().samples_aligned = false;
      groups_.front().add(std::move(capture));
    } else {
      note(capture, note_id::samples_of_no_run);
      join_telemetry(std::move(capture), traces);
    }
    unaligned_because_ = no_common_clock;
  }

  /// Telemetry without a trace is one run as far as its times allow.
  void join_telemetry(Capture capture, std::size_t first = 0) {
    for (std::size_t i = first; i < groups_.size(); ++i) {
      const std::optional<Interval> span = groups_[i].span(capture.clock());
      if (!span || !capture.front().span || overlap(*span, *capture.front().span)) {
        groups_[i].add(std::move(capture));
        return;
      }
    }
    start_run(std::move(capture));
  }

  void find_zone(View& view, std::size_t traces) {
    std::vector<Interval> spans;
    for (std::size_t i = 0; i < traces; ++i)
      if (const auto span = groups_[i].span(ClockDomain::unix_ns)) spans.push_back(*span);
    if (spans.empty()) return;
    const ZoneGuess guess = guess_zone(*view.span, spans);
    if (guess.kind == ZoneGuess::Kind::found) {
      view.fragment().time_shift = -guess.offset_ns;
      view.fragment().info.clock = ClockDomain::unix_ns;
      view.span = Interval{view.span->start - guess.offset_ns, view.span->end - guess.offset_ns};
      note(view, note_id::assumed_time_zone, zone_name(guess.offset_ns));
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

  void finish(RunGroup& group) {
    AssembledRun run;
    run.samples_aligned = group.samples_aligned;
    std::size_t traces = 0;
    std::set<std::size_t> inputs;
    std::size_t telemetry_input = 0;
    for (std::size_t place = 0; place < group.members().size(); ++place) {
      Capture& member = group.members()[place];
      if (member.front().fragment().info.telemetry) telemetry_input = member.front().source.input;
      else if (traces++ == 0) run.label = member.label();
      for (View& view : member.views) {
        inputs.insert(view.source.input);
        run.origins.push_back(view.source.input);
        run.captures.push_back(place);
        run.fragments.push_back(std::move(view.source.fragment));
      }
    }
    if (traces == 0) run.label = run.fragments.front().info.label;
    if (traces > 1) run.label += " and " + std::to_string(traces - 1) + " more";
    run.inputs.assign(inputs.begin(), inputs.end());
    for (std::int64_t device : match_devices(run.fragments))
      assembly_.notes.emplace_back(telemetry_input,
                                   make_note(note_id::ambiguous_device, "device " + std::to_string(device)));
    assembly_.runs.push_back(std::move(run));
  }

  std::vector<RunGroup> groups_;
  std::vector<std::size_t> candidates_;  ///< places of the groups that a capture of `candidates_input_` may join
  std::optional<std::size_t> candidates_input_;
  Assembly assembly_;
  std::string_view unaligned_because_ = no_common_clock;
};

}  // namespace

std::optional<Diagnostic> too_many_runs(const Assembly& assembly) {
  const auto count = [](std::size_t number) { return format_count(static_cast<std::int64_t>(number)); };
  const auto refused = [&](const std::string& who, std::size_t runs, std::size_t most, const std::string& of) {
    return load_error(refusal_id::too_many_facts,
                      who + count(runs) + " runs, and at most " + count(most) + of + " are judged at a time",
                      "FILE#2 is the second run of a file: choose those that matter.");
  };
  if (assembly.runs.size() > most_runs_together)
    return refused("the inputs hold ", assembly.runs.size(), most_runs_together, "");
  std::map<std::size_t, std::size_t> runs_of;  // by their first input
  for (const AssembledRun& run : assembly.runs) ++runs_of[run.inputs.front()];
  const auto most = std::ranges::max_element(runs_of, {}, &std::pair<const std::size_t, std::size_t>::second);
  if (most == runs_of.end() || most->second <= most_runs) return std::nullopt;
  return refused("one input holds ", most->second, most_runs, " of one");
}

Assembly assemble(std::vector<SourceFragment> fragments) { return Assembler().assemble(std::move(fragments)); }

}  // namespace kdiag
