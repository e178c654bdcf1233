// SPDX-License-Identifier: Apache-2.0
// Tests of rules: finds them, chooses, runs them one by one.
#include <kdiag/error_ids.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/rule_tests.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <re2/re2.h>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "base/interrupt.hpp"
#include "dsl/test_file.hpp"
#include "ingest/reading.hpp"
#include "packs/find_rule_files.hpp"
#include "packs/load_rule_sources.hpp"
#include "packs/rule_files.hpp"
#include "packs/tests_of_rule.hpp"
#include "rules/builtin_packs.hpp"
#include "workshop/run_rule_test.hpp"

namespace kdiag {
namespace {

constexpr std::string_view pack_folder = "builtin/";

/// `clocks` of a built-in pack.
std::string_view short_name(const BuiltinPack& pack) {
  const std::string_view file = pack.files.front().name;
  return file.substr(pack_folder.size(), file.rfind('/') - pack_folder.size());
}

std::string_view without_extension(std::string_view name) {
  if (name.ends_with(".yaml")) name.remove_suffix(5);
  return name;
}

/// The file of the built-in pack that `clocks` or `builtin/clocks` means; `clocks.yaml`, too, as packs were called when
/// each was one file. Empty: none.
std::string_view pack_named(std::string_view name) {
  if (name.starts_with(pack_folder)) name.remove_prefix(pack_folder.size());
  name = without_extension(name);
  for (const BuiltinPack& pack : builtin_packs())
    if (short_name(pack) == name) return pack.files.front().name;
  return {};
}

RuleOptions rule_options(const RuleTestOptions& options) {
  RuleOptions out;
  out.lua = options.lua;
  out.imports_outside = options.imports_outside;
  out.files = options.files;
  out.cancel = options.cancel;
  return out;
}

bool defines(const RuleFile& file, std::string_view rule) {
  return std::any_of(file.rules.begin(), file.rules.end(), [&](const Rule& own) { return own.id == rule; });
}

/// What `rules:` of a test file names.
struct NamedRules {
  std::vector<PackSource> sources;
  std::vector<std::string_view> packs;
};

void find_named(const Reference& named, const TestFile& file, NamedRules& out, Diagnostics& diagnostics,
                const RuleOptions& options) {
  namespace fs = std::filesystem;
  const std::string path = (fs::path(file.source->name).parent_path() / named.rule).lexically_normal().string();
  std::error_code error;
  if (!fs::exists(path, error))
    if (const std::string_view pack = pack_named(named.rule); !pack.empty()) {
      out.packs.push_back(pack);
      return;
    }
  Diagnostics errors;
  FoundRuleFiles found = find_rule_files({&path, 1}, errors, options);
  std::move(found.rules.begin(), found.rules.end(), std::back_inserter(out.sources));
  if (errors.empty()) return;
  std::vector<std::string_view> packs;
  for (const BuiltinPack& pack : builtin_packs()) packs.push_back(short_name(pack));
  Diagnostic& why = errors.front();
  if (why.help.empty()) why.help = did_you_mean(without_extension(named.rule), packs);
  diagnostics.push_back(
      make_error(error_id::unreadable_file, named.span, std::move(why.title), path, std::move(why.help)));
}

Result<RuleSet> rules_for(const TestFile& file, const RuleOptions& options) {
  if (!file.rules) return builtin_rules(options);
  NamedRules named;
  Diagnostics diagnostics;
  for (const Reference& rules : *file.rules) find_named(rules, file, named, diagnostics, options);
  if (!diagnostics.empty()) return diagnostics;
  return load_rule_sources(
      named.sources,
      [&](std::string_view pack) {
        return std::find(named.packs.begin(), named.packs.end(), pack) != named.packs.end();
      },
      options);
}

/// What is said, and where: file and offset. Nothing of a diagnostic without a place.
using Said = std::tuple<std::string_view, std::string_view, std::string_view, std::size_t>;
std::optional<Said> said_by(const Diagnostic& diagnostic) {
  if (diagnostic.labels.empty() || !diagnostic.labels.front().span.source) return {};
  const Span& span = diagnostic.labels.front().span;
  return Said(diagnostic.id, diagnostic.title, span.source->name, span.offset);
}

/// A rule file may be read several times, for itself and for test files: its diagnostics are told once.
void add_new(Diagnostics& into, const Diagnostics& more) {
  if (more.empty()) return;
  std::set<Said> known;
  into.reserve(into.size() + more.size());  // nothing may move that is referred to
  for (const Diagnostic& diagnostic : into)
    if (const auto said = said_by(diagnostic)) known.insert(*said);
  for (const Diagnostic& diagnostic : more)
    if (const auto said = said_by(diagnostic); !said || known.insert(*said).second) into.push_back(diagnostic);
}

/// Within each file in reading order, whichever step found the mistake.
void sort_by_place(Diagnostics& diagnostics) {
  std::vector<std::string> files;
  const auto place = [&](const Diagnostic& diagnostic) {
    std::string file;
    std::size_t offset = 0;
    if (!diagnostic.labels.empty() && diagnostic.labels.front().span.source) {
      file = diagnostic.labels.front().span.source->name;
      offset = diagnostic.labels.front().span.offset;
    }
    const auto known = std::find(files.begin(), files.end(), file);
    const std::pair out{static_cast<std::size_t>(known - files.begin()), offset};
    if (known == files.end()) files.push_back(std::move(file));
    return out;
  };
  for (const Diagnostic& diagnostic : diagnostics) place(diagnostic);  // files in the order of their first mistake
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

/// Which tests to run.
class Selection {
 public:
  explicit Selection(const RuleTestOptions& options) : text_(options.filter) {
    if (!options.pattern.empty()) pattern_.emplace(options.pattern, RE2::Quiet);
  }

  std::optional<Diagnostic> mistake() const {
    if (!pattern_ || pattern_->ok()) return {};
    Diagnostic error;
    error.id = refusal_id::usage;
    error.title = "'" + pattern_->pattern() + "' is no regular expression: " + pattern_->error();
    error.help = "The syntax is that of RE2.";
    return error;
  }

  bool has(const RuleTest& test) const {
    std::vector<std::string> texts = rules_of(test);
    texts.push_back(test.name);
    const auto any = [&](const std::function<bool(const std::string&)>& fits) {
      return std::any_of(texts.begin(), texts.end(), fits);
    };
    return (text_.empty() || any([&](const std::string& t) { return t.find(text_) != std::string::npos; })) &&
           (!pattern_ || any([&](const std::string& t) { return RE2::PartialMatch(t, *pattern_); }));
  }

 private:
  std::string text_;
  std::optional<RE2> pattern_;
};

class Session {
 public:
  explicit Session(const RuleTestOptions& options)
      : options_(options), selection_(options), runner_(options.coverage ? &coverage_ : nullptr, options) {}

  /// The tests inside the rules of a set: of the files of which `wanted` says so.
  void run(const RuleSet& rules, const std::function<bool(const RuleFile&)>& wanted) {
    add_new(warnings_, rules.warnings());
    try {
      expect_coverage(rules, wanted);
      for (const auto& file : rules.loaded().files)
        if (wanted(*file))
          for (const Rule& rule : file->rules) run(tests_of(rule), rules);
    } catch (const Interrupted&) {
      // The tests that were done are the report.
    }
  }

  /// The tests of a test file.
  void run(const SourcePtr& source) {
    try {
      run_file(source);
    } catch (const Interrupted&) {
      // What it was about to run is left out.
    }
  }

  void fail(const Diagnostics& errors) { add_new(errors_, errors); }

  Result<RuleTestReport> finish(std::vector<std::string> skipped = {}) && {
    if (auto mistake = selection_.mistake()) return *mistake;
    sort_by_place(errors_);
    if (!errors_.empty()) return errors_;
    report_.version = version();
    report_.skipped = std::move(skipped);
    if (options_.timings) report_.costs = runner_.costs();
    report_.warnings = std::move(warnings_);
    if (options_.coverage) report_.coverage = covered();
    return std::move(report_);
  }

 private:
  void run_file(const SourcePtr& source) {
    stop_if(options_.cancel);
    Diagnostics diagnostics;
    const TestFile file = parse_test_file(source, diagnostics, options_.cancel);
    const auto rules = rules_for(file, rule_options(options_));
    stop_if(options_.cancel);
    add_new(errors_, diagnostics);
    if (!rules) add_new(errors_, rules.error());
    if (!rules || has_error(diagnostics)) return;
    Diagnostics warnings = rules->warnings();
    std::erase_if(warnings, [](const Diagnostic& d) {
      return d.id == error_id::unknown_link;
    });  // a test file may want few rules
    add_new(warnings_, warnings);
    // Built-in rules beside others are what those work with, not what is tested.
    const auto& files = rules->loaded().files;
    const auto builtin = [](const auto& rule_file) { return rule_file->source->name.starts_with(pack_folder); };
    const bool only_builtin = std::all_of(files.begin(), files.end(), builtin);
    expect_coverage(*rules, [&](const RuleFile& f) { return only_builtin || !builtin(&f); });
    run(file.tests, *rules);
  }

  void run(const std::vector<RuleTest>& tests, const RuleSet& rules) {
    for (const RuleTest& test : tests) {
      if (selection_.mistake()) return;
      stop_if(options_.cancel);
      if (!selection_.has(test)) {
        ++report_.unselected;
        continue;
      }
      auto result = runner_.run(test, rules);
      if (result) report_.tests.push_back(std::move(*result));
      else add_new(errors_, result.error());
    }
  }

  void expect_coverage(const RuleSet& rules, const std::function<bool(const RuleFile&)>& wanted) {
    if (!options_.coverage) return;
    for (const auto& file : rules.loaded().files)
      if (wanted(*file))
        for (const CheckedRule& rule : rules.loaded().complete().rules) {
          stop_if(options_.cancel);
          if (defines(*file, rule.rule->id)) coverage_.add(rule, rules.loaded().complete().library);
        }
  }

  TestCoverage covered() const;

  const RuleTestOptions& options_;
  Selection selection_;
  Coverage coverage_;
  RuleTestRunner runner_;
  RuleTestReport report_;
  Diagnostics errors_, warnings_;
};

TestCoverage Session::covered() const {
  TestCoverage out;
  const auto point = [&](std::size_t times) {
    ++out.points;
    out.seen += times > 0 ? 1 : 0;
  };
  for (const Coverage::OfRule& rule : coverage_.rules()) {
    const auto times = [&](Outcome outcome) { return rule.outcomes[static_cast<std::size_t>(outcome)]; };
    out.rules.push_back({.rule = rule.rule,
                         .file = rule.place.source->name,
                         .line = position_of(*rule.place.source, rule.place.offset).line,
                         .fired = times(Outcome::fired),
                         .clear = times(Outcome::clear),
                         .inconclusive = times(Outcome::inconclusive),
                         .not_applicable = times(Outcome::not_applicable),
                         .failed = times(Outcome::failed)});
    for (const Outcome outcome : {Outcome::fired, Outcome::clear, Outcome::inconclusive}) point(times(outcome));
    for (const Coverage::Condition& condition : rule.conditions) {
      ConditionCoverage entry{.rule = rule.rule,
                              .role = std::string(condition.role),
                              .text = condition.text,
                              .yes = condition.yes,
                              .no = condition.no,
                              .unknown = condition.unknown,
                              .can_be_unknown = condition.can_be_unknown};
      if (condition.place.source) {
        const Position position = position_of(*condition.place.source, condition.place.offset);
        entry.file = condition.place.source->name;
        entry.line = position.line;
        entry.column = position.column;
      }
      point(entry.yes);
      point(entry.no);
      if (entry.can_be_unknown) point(entry.unknown);
      out.conditions.push_back(std::move(entry));
    }
  }
  return out;
}

}  // namespace

std::string_view name_of(TestStatus status) {
  switch (status) {
    case TestStatus::passed: return "passed";
    case TestStatus::failed: return "failed";
    case TestStatus::todo: return "todo";
    case TestStatus::todo_passed: return "todo_passed";
  }
  return "";
}

std::size_t RuleTestReport::count(TestStatus status) const {
  return static_cast<std::size_t>(std::count_if(
      tests.begin(), tests.end(), [status](const RuleTestResult& test) { return test.status == status; }));
}

Result<RuleTestReport> test_rules(const RuleSet& rules, const RuleTestOptions& options) {
  Session session(options);
  session.run(rules, [](const RuleFile&) { return true; });
  return std::move(session).finish();
}

namespace {

/// Throws Interrupted soon after the host asked to stop.
Result<RuleTestReport> test_files(std::span<const std::string> paths, const RuleTestOptions& options) {
  Session session(options);
  Diagnostics diagnostics;
  FoundRuleFiles found = find_rule_files(paths, diagnostics, rule_options(options));
  session.fail(diagnostics);
  if (!found.rules.empty()) {
    const auto rules = load_rule_sources(
        found.rules, [&](std::string_view) { return options.builtin; }, rule_options(options));
    if (rules)
      session.run(*rules, [&](const RuleFile& file) {
        return std::any_of(found.rules.begin(), found.rules.end(),
                           [&](const PackSource& source) { return source.main() == file.source; });
      });
    else session.fail(rules.error());
  }
  for (const SourcePtr& source : found.tests) session.run(source);
  return std::move(session).finish(std::move(found.skipped));
}

}  // namespace

Result<RuleTestReport> test_rules(std::span<const std::string> paths, const RuleTestOptions& options) {
  if (paths.empty()) {
    const auto rules = builtin_rules(rule_options(options));
    if (!rules) return rules.error();
    return test_rules(*rules, options);
  }
  try {
    return test_files(paths, options);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "the tests were interrupted");
  }
}

}  // namespace kdiag
