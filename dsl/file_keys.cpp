// SPDX-License-Identifier: Apache-2.0
#include "dsl/file_keys.hpp"

#include <utility>

#include "dsl/param_value.hpp"
#include "dsl/read_rule.hpp"
#include "engine/language/subject_spec.hpp"

namespace kdiag {
namespace {

using S = KeyShape;

// Words, from the tables that the readers choose by.

template <class T>
std::vector<std::string_view> words_of(const std::vector<std::pair<std::string_view, T>>& choices) {
  std::vector<std::string_view> out;
  for (const auto& [word, value] : choices) out.push_back(word);
  return out;
}
std::vector<std::string_view> roles() { return words_of(role_words()); }
std::vector<std::string_view> statuses() { return words_of(status_words()); }
std::vector<std::string_view> severities() { return words_of(severity_words()); }
std::vector<std::string_view> outcomes() { return words_of(outcome_words()); }
std::vector<std::string_view> subjects() { return subject_kinds(); }
std::vector<std::string_view> types_of_params() { return param_types(); }
std::vector<std::string_view> types_of_values() { return value_types(); }
std::vector<std::string_view> todo() { return {"todo"}; }

constexpr FileKey pack_keys[] = {
    {"name", S::text, "Name of the pack.", true},
    {"version", S::text, "Its version."},
    {"engine", S::text, "The oldest kdiag that can run it: \">=0.1\"."},
    {"compares", S::flag, "Its rules judge a run by another: without one to compare with they are not applicable."},
};

constexpr FileKey param_keys[] = {
    {"type", S::word, "Dimension or kind of its value.", true, nullptr, types_of_params},
    {"default", S::expression, "Value unless the user sets another."},
    {"range", S::range, "Lowest and highest value."},
    {"doc", S::text, "What it means, and where the default comes from."},
};

constexpr FileKey define_keys[] = {
    {"name", S::text, "How expressions call it.", true},
    {"doc", S::text, "What it is."},
    {"type", S::text, "Its type: a dimension, number, bool, string, table or intervals."},
    {"params", S::params, "Parameters: `tiny(20us)`.", false, &file_keys::formula_param},
    {"expr", S::expression, "What it stands for.", true},
};

constexpr FileKey ladder_keys[] = {
    {"name", S::text, "How rules call it.", true},
    {"doc", S::text, "What it grades, and where its bounds come from."},
    {"type", S::word, "Dimension of the value that it grades.", true, nullptr, types_of_values},
    {"above", S::bounds, "The value above which each severity holds.", true, nullptr, severities},
    {"else", S::word, "The severity of all else; default: low.", false, nullptr, severities},
};

constexpr FileKey ladder_use_keys[] = {
    {"ladder", S::text, "Name of a ladder, which decides the severity.", true},
    {"of", S::expression, "The value that it grades.", true},
};

constexpr FileKey sentence_keys[] = {
    {"text", S::text, "What is said; ${expression} shows a value.", true},
    {"if", S::expression, "Only when this holds."},
};

constexpr FileKey formula_param_keys[] = {
    {"type", S::word, "Dimension or kind of its value.", true, nullptr, types_of_values},
    {"default", S::expression, "Value unless the caller gives one."},
    {"doc", S::text, "What it means."},
};

constexpr FileKey one_off_keys[] = {
    {"what", S::text, "How reports call the cost: first launches.", true},
    {"time", S::expression, "That cost: intervals.", true},
};

constexpr FileKey recommend_keys[] = {
    {"text", S::text, "What to do; ${expression} shows a value.", true},
    {"if", S::expression, "Only when this holds."},
    {"unless", S::texts, "Rules whose findings on the same subject make this advice wrong."},
    {"where", S::text, "Where to do it."},
    {"risk", S::text, "What it may cost."},
    {"verify", S::expression, "What holds in the next run when it helped."},
    {"url", S::text, "Where to read more."},
};

constexpr FileKey except_keys[] = {
    {"when", S::expression, "When the rule does not fire after all.", true},
    {"reason", S::text, "Why not."},
};

constexpr FileKey rule_keys[] = {
    {"rule", S::rule_id, "Id of the rule: area.name, stable for ever.", true},
    {"title", S::sentences, "What is said when it fires: a text, or the first of several whose `if` holds.", true,
     &file_keys::sentence},
    {"message", S::sentences, "A few sentences of evidence: a text, or all of a list whose `if` holds.", false,
     &file_keys::sentence},
    {"role", S::word, "cause (default), symptom or health.", false, nullptr, roles},
    {"status", S::word, "stable (default), incubating or deprecated.", false, nullptr, statuses},
    {"summary", S::text, "What the rule is about, in one line."},
    {"why", S::text, "Why it matters."},
    {"how", S::text, "How it decides."},
    {"false_positives", S::text, "When it may be wrong."},
    {"references", S::texts, "Where its figures come from."},
    {"tags", S::texts, "Words to find it by."},
    {"for_each", S::subject, "What it is judged once for (default: run): a kind, or kernels group by (class).", false,
     nullptr, subjects},
    {"applies", S::expression, "False: the rule is not applicable."},
    {"params", S::params, "What users can set: $name in expressions.", false, &file_keys::param},
    {"let", S::named, "Names for parts of the condition."},
    {"when", S::expression, "The rule fires when this is true; or `script`."},
    {"script", S::text, "A Lua file of the pack that decides, in the place of `when`."},
    {"severity", S::severity, "The first whose condition holds, or a ladder; default: by the share of the wall.", false,
     &file_keys::ladder_use, severities},
    {"impact", S::expression, "The time that it explains: intervals, a duration or [low, high]."},
    {"gain", S::expression, "The time that a fix gives back; default: at most the impact. none: nobody knows."},
    {"confidence", S::expression, "0 to 1."},
    {"location", S::expression, "A source frame: site(row)."},
    {"one_off", S::mapping, "What of its impact is paid once, however long the run: the account shows it apart.", false,
     &file_keys::one_off},
    {"evidence", S::named, "Values and tables that the report shows."},
    {"recommend", S::items, "What to do.", false, &file_keys::recommend},
    {"verify", S::expression, "What holds in the next run when it helped, of advice that does not say so itself."},
    {"except", S::list, "When it does not fire after all.", false, &file_keys::except},
    {"explains", S::texts, "Rules of which this one is a cause."},
    {"symptom_of", S::texts, "Rules that are causes of this one."},
    {"doubts", S::texts, "Of a rule of role health: tables; what rests on them counts for half where it fires."},
    {"caps", S::word, "Of a rule of role health: no finding that claims time is more severe where it fires.", false,
     nullptr, severities},
    {"replaces", S::texts, "Ids that the rule had before."},
    {"enabled", S::flag, "false: not judged."},
    {"requires", S::texts, "Facts that must be there, beyond those that its expressions name."},
    {"tests", S::list, "Facts and what the rule says of them.", false, &file_keys::rule_test},
};

constexpr FileKey set_keys[] = {
    {"params", S::values, "New values of parameters."},
    {"severity", S::severity, "In place of the rule's.", false, &file_keys::ladder_use, severities},
    {"enabled", S::flag, "false: not judged."},
};

constexpr FileKey append_keys[] = {
    {"except", S::list, "More exceptions.", false, &file_keys::except},
    {"recommend", S::items, "More advice.", false, &file_keys::recommend},
    {"tags", S::texts, "More tags."},
};

constexpr FileKey override_keys[] = {
    {"rule", S::rule_id, "Id of the rule that is changed."},
    {"pack", S::text, "Or the name of a pack, of which parameters are set."},
    {"set", S::mapping, "What takes another value.", false, &file_keys::set},
    {"append", S::mapping, "What gets more.", false, &file_keys::append},
};

constexpr FileKey rule_file_keys[] = {
    {"kdiag", S::edition, "Edition of the rule language.", true},
    {"pack", S::mapping, "What the rules of the file are called together.", false, &file_keys::pack},
    {"import", S::texts, "`std`, or paths of files beside this one."},
    {"params", S::params, "Parameters of every rule of the file.", false, &file_keys::param},
    {"define", S::list, "Derived facts that rules use by name.", false, &file_keys::define},
    {"ladders", S::list, "Scales of severities that rules share.", false, &file_keys::ladder},
    {"rules", S::list, "The rules.", false, &file_keys::rule},
    {"overrides", S::list, "Changes of rules of other files.", false, &file_keys::override_rule},
};

constexpr FileKey eval_keys[] = {
    {"rule", S::rule_id, "The rule whose names the expression may use."},
    {"expr", S::expression, "An expression.", true},
    {"equals", S::value, "Its value, or `unknown`.", true},
    {"within", S::value, "How far it may be off."},
    {"subject", S::text, "For which subject: GPU 0."},
};

constexpr FileKey finding_keys[] = {
    {"rule", S::rule_id, "The rule that fires."},
    {"severity", S::word, "Of the finding.", false, nullptr, severities},
    {"impact", S::range, "In which its impact lies."},
    {"symptom_of", S::rule_id, "The cause beneath which it stands."},
    {"subject", S::text, "What it is about: GPU 0."},
    {"title", S::text, "Its title."},
};

constexpr FileKey outcome_keys[] = {
    {"rule", S::rule_id, "The rule that ends so."},
};

constexpr FileKey inconclusive_keys[] = {
    {"rule", S::rule_id, "The rule that cannot tell."},
    {"missing", S::texts, "Facts that must be among those named."},
};

constexpr FileKey expect_keys[] = {
    {"findings", S::items, "Rules that fire.", false, &file_keys::finding},
    {"inconclusive", S::outcomes, "Rules that cannot tell.", false, &file_keys::inconclusive},
    {"clear", S::outcomes, "Rules that do not fire.", false, &file_keys::outcome},
    {"not_applicable", S::outcomes, "Rules that do not apply.", false, &file_keys::outcome},
    {"failed", S::outcomes, "Rules that fail.", false, &file_keys::outcome},
    {"only", S::flag, "true: no other rule fires."},
};

constexpr FileKey test_keys[] = {
    {"name", S::text, "What the test is about."},
    {"facts", S::facts, "The facts; tables that are not named are absent."},
    {"trace", S::text, "Path of a trace, instead of facts."},
    {"baseline", S::run, "The run to compare with: facts, or the path of a trace."},
    {"set", S::values, "Values of parameters."},
    {"expect", S::outcome, "What the rules say.", false, &file_keys::expect, outcomes},
    {"eval", S::list, "Values of expressions.", false, &file_keys::eval},
    {"status", S::word, "todo: may fail for now.", false, nullptr, todo},
};

constexpr FileKey rule_test_keys[] = {
    {"name", S::text, "What the test is about."},
    {"facts", S::facts, "The facts; tables that are not named are absent."},
    {"trace", S::text, "Path of a trace, instead of facts."},
    {"baseline", S::run, "The run to compare with: facts, or the path of a trace."},
    {"set", S::values, "Values of parameters."},
    {"expect", S::outcome, "What the rule says.", false, &file_keys::expect, outcomes},
    {"eval", S::list, "Values of expressions.", false, &file_keys::eval},
    {"status", S::word, "todo: may fail for now.", false, nullptr, todo},
    {"severity", S::word, "Of the finding.", false, nullptr, severities},
    {"impact", S::range, "In which the impact of the finding lies."},
};

constexpr FileKey rule_tests_keys[] = {
    {"kdiag_test", S::edition, "Edition of test files.", true},
    {"rule", S::rule_id, "The rule in the file of the same name beside the folder of this one.", true},
    {"tests", S::list, "Its tests.", true, &file_keys::rule_test},
};

constexpr FileKey test_file_keys[] = {
    {"kdiag_test", S::edition, "Edition of test files.", true},
    {"rules", S::texts, "Paths of the rule files that are tested."},
    {"tests", S::list, "The tests.", false, &file_keys::test},
};

}  // namespace

namespace file_keys {
const KeyGroup rule_file{"rule_file", rule_file_keys};
const KeyGroup pack{"pack", pack_keys};
const KeyGroup define{"define", define_keys};
const KeyGroup ladder{"ladder", ladder_keys};
const KeyGroup ladder_use{"ladder_use", ladder_use_keys};
const KeyGroup sentence{"sentence", sentence_keys};
const KeyGroup rule{"rule", rule_keys};
const KeyGroup param{"param", param_keys};
const KeyGroup formula_param{"formula_param", formula_param_keys};
const KeyGroup one_off{"one_off", one_off_keys};
const KeyGroup recommend{"recommend", recommend_keys};
const KeyGroup except{"except", except_keys};
const KeyGroup override_rule{"override", override_keys};
const KeyGroup set{"set", set_keys};
const KeyGroup append{"append", append_keys};
const KeyGroup rule_test{"rule_test", rule_test_keys};
const KeyGroup rule_tests{"rule_tests", rule_tests_keys};
const KeyGroup test_file{"test_file", test_file_keys};
const KeyGroup test{"test", test_keys};
const KeyGroup expect{"expect", expect_keys};
const KeyGroup finding{"finding", finding_keys};
const KeyGroup outcome{"outcome", outcome_keys};
const KeyGroup inconclusive{"inconclusive", inconclusive_keys};
const KeyGroup eval{"eval", eval_keys};
}  // namespace file_keys

std::vector<std::string_view> names_of(const KeyGroup& group) {
  std::vector<std::string_view> out;
  for (const FileKey& key : group.keys) out.push_back(key.name);
  return out;
}

}  // namespace kdiag
