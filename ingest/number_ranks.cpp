// SPDX-License-Identifier: Apache-2.0
#include "ingest/number_ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"
#include "engine/facts/batch_data.hpp"
#include "engine/facts/note_table.hpp"

namespace kdiag {
namespace {

constexpr std::uint64_t fewest_of_process = 1000;  // judgement: numbers from here on are processes, dates or ports

/// A path with its numbers taken out, and these.
struct NumberedName {
  std::string letters;
  std::vector<std::uint64_t> numbers;
};

std::optional<NumberedName> parse_name(std::string_view path) {
  NumberedName name;
  for (std::size_t at = 0; at < path.size();) {
    if (!is_digit(path[at])) {
      name.letters += path[at++];
      continue;
    }
    std::string_view rest = path.substr(at);
    const auto number = take_number<std::uint64_t>(rest);
    if (!number) return std::nullopt;
    name.letters += '#';
    name.numbers.push_back(*number);
    at = path.size() - rest.size();
  }
  return name;
}

bool exchanges_data(const Fragment& fragment) {
  return std::any_of(fragment.batches.begin(), fragment.batches.end(), [](const auto& batch) {
    return batch.second.rows(table("comms")) > 0 ||
           batch.second.data().strings.find("communication") != absent_index;  // ranges of gloo and MPI
  });
}

/// A trace without rank among those whose names have the same letters.
struct Unranked {
  SourceFragment* source;
  std::vector<std::uint64_t> numbers;
};

bool recorded_at_one_time(const std::vector<Unranked>& traces) {
  std::optional<Interval> common;
  for (const Unranked& trace : traces) {
    const auto span = extent(trace.source->fragment);
    if (!span) return false;
    common = common ? Interval{std::max(common->start, span->start), std::min(common->end, span->end)} : *span;
  }
  return common && common->end > common->start;
}

/// The first place at which no two names have the same number.
std::optional<std::size_t> distinct_number(const std::vector<Unranked>& traces) {
  for (std::size_t place = 0; place < traces.front().numbers.size(); ++place) {
    std::set<std::uint64_t> seen;
    for (const Unranked& trace : traces) seen.insert(trace.numbers[place]);
    if (seen.size() == traces.size()) return place;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::pair<std::size_t, NoteEntry>> number_ranks(std::vector<SourceFragment>& fragments) {
  std::map<std::string, std::vector<Unranked>> alike;  // by the letters of their names
  for (SourceFragment& source : fragments) {
    const Fragment& fragment = source.fragment;
    const bool fits = fragment.adapter == "pytorch-kineto" && fragment.info.clock == ClockDomain::unix_ns &&
                      ranks_of(fragment).empty() && exchanges_data(fragment);
    if (auto name = fits ? parse_name(fragment.input) : std::nullopt)
      alike[name->letters].push_back({&source, std::move(name->numbers)});
  }
  std::vector<std::pair<std::size_t, NoteEntry>> notes;
  for (auto& [letters, traces] : alike) {
    const auto place = traces.size() > 1 ? distinct_number(traces) : std::nullopt;
    if (!place || !recorded_at_one_time(traces)) continue;
    std::sort(traces.begin(), traces.end(),
              [&](const Unranked& a, const Unranked& b) { return a.numbers[*place] < b.numbers[*place]; });
    const bool stated = traces.back().numbers[*place] < fewest_of_process;
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const auto rank = static_cast<std::int64_t>(stated ? traces[i].numbers[*place] : i);
      traces[i].source->fragment.info.rank = rank;
      const std::string how = stated ? "" : ", by its place among the names";
      notes.emplace_back(traces[i].source->input,
                         make_note(note_id::rank_from_name, "rank " + std::to_string(rank) + how));
    }
  }
  return notes;
}

}  // namespace kdiag
