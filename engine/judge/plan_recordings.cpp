// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/plan_recordings.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/language/cause_reasons.hpp"
#include "engine/recording/recording.hpp"
#include "engine/recording/recording_commands.hpp"

namespace kdiag {
namespace {

/// A recording that could be made. A set of them is a number: bit i stands for candidate i.
struct PossibleRecording {
  Tool tool;
  std::string command;
};
using CandidateSet = std::uint32_t;
// All sets of them are looked at. There are four kinds of tools and a handful of commands of monitoring tools.
constexpr std::size_t most_candidates = 12;

struct Way {
  std::size_t candidate;
  std::string_view fact;
  Setting setting;
};
/// A rule as facts that it needs, each with the ways to record it.
struct Question {
  std::vector<std::vector<Way>> needs;
  CandidateSet some_way_of(const std::vector<Way>& ways) const {
    CandidateSet set = 0;
    for (const Way& way : ways) set |= CandidateSet{1} << way.candidate;
    return set;
  }
  bool settled_by(CandidateSet chosen) const {
    return !needs.empty() && std::all_of(needs.begin(), needs.end(), [&](const std::vector<Way>& ways) {
      return (some_way_of(ways) & chosen) != 0;
    });
  }
};

/// The tool at hand comes first; what is of the same program before what disturbs it, and before another run.
int rank_of(Tool tool, Tool at_hand) {
  if (tool == at_hand) return 0;
  constexpr Tool order[] = {Tool::torch, Tool::timeline, Tool::telemetry, Tool::counters, Tool::baseline};
  return 1 + static_cast<int>(std::find(std::begin(order), std::end(order), tool) - std::begin(order));
}

class Cover {
 public:
  Cover(const std::vector<OpenQuestion>& questions, const Recorder& recorder) : recorder_(recorder) {
    find_candidates(questions);
    for (const OpenQuestion& question : questions) questions_.push_back(parse(question));
  }

  const std::vector<Question>& questions() const { return questions_; }
  const std::vector<PossibleRecording>& candidates() const { return candidates_; }

  CandidateSet best() const {
    CandidateSet best = 0;
    const CandidateSet end = CandidateSet{1} << candidates_.size();
    // Settles most, by fewest, of the first in order.
    const auto merit = [this](CandidateSet set) { return std::tuple(settled(set), -std::popcount(set)); };
    for (CandidateSet set = 1; set < end; ++set)
      if (merit(set) > merit(best)) best = set;
    return best;
  }

  long settled(CandidateSet set) const {
    return std::count_if(questions_.begin(), questions_.end(),
                         [set](const Question& question) { return question.settled_by(set); });
  }

 private:
  void find_candidates(const std::vector<OpenQuestion>& questions) {
    for (const OpenQuestion& question : questions)
      for (const Cause& cause : question.causes)
        for (const RecordingWay& way : ways_of(cause))
          if (place_of(way) == candidates_.size()) candidates_.push_back({way.tool, way.command});
    const Tool at_hand = recorder_.tool_at_hand();
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [at_hand](const PossibleRecording& a, const PossibleRecording& b) {
                       return rank_of(a.tool, at_hand) < rank_of(b.tool, at_hand);
                     });
    if (candidates_.size() > most_candidates) candidates_.resize(most_candidates);
  }

  /// Rules miss the same facts, and to make up a command takes time.
  const std::vector<RecordingWay>& ways_of(const Cause& cause) {
    const auto [known, added] = ways_.try_emplace({cause.fact, cause.reason});
    if (added) known->second = recorder_.ways_to_record(cause.fact, cause.reason);
    return known->second;
  }

  std::size_t place_of(const RecordingWay& way) const {
    const auto found = std::find_if(candidates_.begin(), candidates_.end(), [&](const PossibleRecording& one) {
      return one.tool == way.tool && one.command == way.command;
    });
    return static_cast<std::size_t>(found - candidates_.begin());
  }

  Question parse(const OpenQuestion& question) {
    Question out;
    for (const Cause& cause : question.causes) {
      // A condition that does not hold may hold once what it rests on is there.
      const bool follows = cause.reason == condition_fails && question.causes.size() > 1;
      if (!cause.instead_of.empty() || follows) continue;
      std::vector<Way>& ways = out.needs.emplace_back();
      add_ways(ways, cause);
      for (const Cause& other : question.causes)
        if (!cause.fact.empty() && other.instead_of == cause.fact) add_ways(ways, other);
    }
    return out;
  }

  void add_ways(std::vector<Way>& ways, const Cause& cause) {
    for (const RecordingWay& way : ways_of(cause))
      if (const std::size_t place = place_of(way); place < candidates_.size())
        ways.push_back({place, cause.fact, way.setting});
  }

  const Recorder& recorder_;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<RecordingWay>> ways_;  ///< of facts and reasons
  std::vector<PossibleRecording> candidates_;
  std::vector<Question> questions_;
};

/// All that is missed, so that one command of a monitoring tool brings it.
std::vector<std::string> facts_of(const std::vector<OpenQuestion>& questions) {
  std::set<std::string> facts;
  for (const OpenQuestion& question : questions)
    for (const Cause& cause : question.causes) facts.insert(cause.fact);
  return {facts.begin(), facts.end()};
}

/// The chosen in the order in which they settle most.
std::vector<std::size_t> in_order(const Cover& cover, CandidateSet chosen) {
  std::vector<std::size_t> order;
  for (CandidateSet so_far = 0; so_far != chosen;) {
    std::size_t next = 0;
    long most = -1;
    for (std::size_t i = 0; i < cover.candidates().size(); ++i) {
      const CandidateSet one = CandidateSet{1} << i;
      if ((chosen & ~so_far & one) == 0) continue;
      if (const long settled = cover.settled(so_far | one); settled > most) most = settled, next = i;
    }
    order.push_back(next);
    so_far |= CandidateSet{1} << next;
  }
  return order;
}

/// What is asked of one recording of a plan.
struct Asked {
  std::set<Setting> settings;
  std::vector<std::string> facts, settles;
};

/// Shares the needs of a rule out to the recordings of a plan: each to the first that meets it.
void share_out(const Question& question, const std::vector<std::size_t>& order, std::vector<Asked>& asked) {
  for (const std::vector<Way>& ways : question.needs)
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto way =
          std::find_if(ways.begin(), ways.end(), [&](const Way& one) { return one.candidate == order[i]; });
      if (way == ways.end()) continue;
      asked[i].settings.insert(way->setting);
      std::vector<std::string>& facts = asked[i].facts;
      if (std::find(facts.begin(), facts.end(), way->fact) == facts.end()) facts.emplace_back(way->fact);
      break;
    }
}

}  // namespace

RunPlan plan_recordings(const std::vector<OpenQuestion>& questions, const FactStore& store) {
  const Recorder recorder(store, facts_of(questions));
  const Cover cover(questions, recorder);
  const CandidateSet chosen = cover.best();
  const std::vector<std::size_t> order = in_order(cover, chosen);
  std::vector<Asked> asked(order.size());
  RunPlan plan;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const Question& question = cover.questions()[q];
    if (!question.settled_by(chosen)) {
      plan.open.push_back({questions[q].rule, questions[q].reason});
      continue;
    }
    share_out(question, order, asked);
    CandidateSet so_far = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      so_far |= CandidateSet{1} << order[i];
      if (!question.settled_by(so_far)) continue;
      asked[i].settles.push_back(questions[q].rule);
      break;
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PossibleRecording& candidate = cover.candidates()[order[i]];
    PlannedRecording recording =
        describe_recording(candidate.tool, asked[i].settings, candidate.command, recorder.vendor());
    recording.facts = std::move(asked[i].facts);
    recording.settles = std::move(asked[i].settles);
    plan.recordings.push_back(std::move(recording));
  }
  return plan;
}

void add_plan(RecordingPlan& plan, RunPlan of_run, const std::string& run) {
  for (RunPlan& other : plan.runs)
    if (other.recordings == of_run.recordings && other.open == of_run.open) {
      other.runs.push_back(run);
      return;
    }
  of_run.runs = {run};
  plan.runs.push_back(std::move(of_run));
}

}  // namespace kdiag
