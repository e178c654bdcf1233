// SPDX-License-Identifier: Apache-2.0
#include "workshop/asked_places.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <kdiag/refusal_ids.hpp>

#include "base/escape.hpp"

namespace kdiag {

SubjectEntry subject_entry(const AskedPlace& place) {
  return {std::string(name_of(place.subject.kind)), place.run->id(place.subject), place.run->label(place.subject)};
}

AskedPlaces::AskedPlaces(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel)
    : baselines_(facts, baseline, cancel) {
  for (std::size_t place = 0; place < facts.runs.size(); ++place) {
    runs_.emplace_back(baselines_.judged(place), baselines_.of(place), cancel);
    all_.push_back({facts.runs[place].id, &runs_.back(), Subject{}});
  }
}

AskedPlaces::AskedPlaces(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel,
                         const SubjectSpec& subjects, const RuleView& view)
    : baselines_(facts, baseline, cancel), plural_(subjects.plural()) {
  asked_ = view.subject.empty() ? std::string() : "subject '" + shorten_middle(visible(view.subject), 80) + "'";
  if (!view.run.empty())
    asked_ += (asked_.empty() ? "" : " in ") + ("run '" + shorten_middle(visible(view.run), 80) + "'");
  for (std::size_t place = 0; place < facts.runs.size(); ++place) {
    if (!view.run.empty() && facts.runs[place].id != view.run) continue;
    runs_.emplace_back(baselines_.judged(place), baselines_.of(place), cancel);
    add_subjects(facts.runs[place], runs_.back(), subjects, view);
  }
}

namespace {

/// The number in `#3`; nothing where a subject is asked for by its name.
std::optional<std::size_t> number_asked(std::string_view asked) {
  std::size_t number = 0;
  const char* const end = asked.data() + asked.size();
  if (!asked.starts_with('#') || asked.size() == 1) return std::nullopt;
  const auto [at, error] = std::from_chars(asked.data() + 1, end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

}  // namespace

void AskedPlaces::add_subjects(const RunFacts& facts, const RunContext& run, const SubjectSpec& subjects,
                               const RuleView& view) {
  constexpr std::size_t most_named = 8;  // judgement: a line
  const std::optional<std::size_t> wanted = number_asked(view.subject);
  const std::string_view name = std::string_view(view.subject).substr(view.subject.starts_with("##") ? 1 : 0);
  std::vector<AskedPlace> by_id, by_label;
  std::size_t number = 0;
  for (const Subject& subject : run.subjects(subjects).subjects) {
    const AskedPlace place{facts.id, &run, subject, ++number};
    const std::string label = run.label(subject);
    if (view.subject.empty() || (wanted ? number == *wanted : run.id(subject) == name)) by_id.push_back(place);
    else if (!wanted && label == name) by_label.push_back(place);
    else if (there_are_.size() < most_named) there_are_.push_back(label);
  }
  const std::vector<AskedPlace>& found = by_id.empty() ? by_label : by_id;
  all_.insert(all_.end(), found.begin(), found.end());
}

std::span<const AskedPlace> AskedPlaces::part(const PlaceRange& range) const {
  const std::size_t first = std::min(range.first, all_.size());
  return std::span(all_).subspan(first, std::min(range.most, all_.size() - first));
}

std::size_t AskedPlaces::behind(std::span<const AskedPlace> part) const {
  return static_cast<std::size_t>(all_.data() + all_.size() - (part.data() + part.size()));
}

Diagnostic AskedPlaces::nothing_there() const {
  Diagnostic error;
  error.id = refusal_id::empty_selection;
  error.title = asked_.empty() ? "these facts have no " + plural_ + ", which the rule is judged for"
                               : "the rule has no " + asked_ + " in these facts; it is judged for " + plural_;
  for (const std::string& label : there_are_)
    error.help += (error.help.empty() ? "there are: " : ", ") + shorten_middle(visible(label), 60);
  return error;
}

}  // namespace kdiag
