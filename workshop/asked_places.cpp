// SPDX-License-Identifier: Apache-2.0
#include "workshop/asked_places.hpp"

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

void AskedPlaces::add_subjects(const RunFacts& facts, const RunContext& run, const SubjectSpec& subjects,
                               const RuleView& view) {
  constexpr std::size_t most_named = 8;  // judgement: a line
  std::size_t number = 0;
  for (const Subject& subject : run.subjects(subjects).subjects) {
    const std::string label = run.label(subject);
    ++number;
    if (view.subject.empty() || label == view.subject || run.id(subject) == view.subject ||
        view.subject == "#" + std::to_string(number))
      all_.push_back({facts.id, &run, subject, number});
    else if (there_are_.size() < most_named) there_are_.push_back(label);
  }
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
