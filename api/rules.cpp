// SPDX-License-Identifier: Apache-2.0
// Loading rules, and what needs rules and facts together.
#include <kdiag/kdiag.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/timings.hpp>

#include <algorithm>
#include <iterator>

#include "api/log_notes.hpp"
#include "base/diagnostic.hpp"
#include "base/escape.hpp"
#include "base/stopwatch.hpp"
#include "dsl/param_value.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/compare.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/ruleset/describe_rule.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "engine/ruleset/rule_settings.hpp"
#include "packs/find_rule.hpp"
#include "packs/load_rule_sources.hpp"
#include "packs/rule_files.hpp"

namespace kdiag {
namespace {

using Files = std::vector<std::shared_ptr<const RuleFile>>;

/// A rule by its id or one that it had before; null when no file has it.
const Rule* find_rule(const Files& files, std::string_view id) {
  const Rule* renamed = nullptr;
  for (const auto& file : files)
    for (const Rule& rule : file->rules) {
      if (rule.id == id) return &rule;
      if (std::any_of(rule.replaces.begin(), rule.replaces.end(),
                      [id](const Reference& old) { return old.rule == id; }))
        renamed = &rule;
    }
  return renamed;
}

/// The type of a parameter of a rule, or of the rules of a pack; empty when none has it.
std::string_view type_of_param(const Files& files, const ParamSetting& setting) {
  std::string_view type;
  const auto look_in = [&](const Rule& rule) {
    for (const Param& param : rule.params)
      if (param.name == setting.param) type = param.type;
  };
  if (const Rule* rule = find_rule(files, setting.rule)) look_in(*rule);
  for (const auto& file : files)
    if (file->pack == setting.rule)
      for (const Rule& rule : file->rules) look_in(rule);
  return type;
}

/// Reads the value of a parameter as its type wants it: 3%, 20us, a text without quotes. Names that no rule has are
/// reported by the checker.
void add_setting(ParamSetting setting, const SourceText& value, const Files& files, std::vector<ParamSetting>& out,
                 Diagnostics& diagnostics) {
  Result<Expression> parsed = parse_param_value(type_of_param(files, setting), value);
  if (!parsed) {
    std::move(parsed.error().begin(), parsed.error().end(), std::back_inserter(diagnostics));
    return;
  }
  setting.value = std::move(*parsed);
  out.push_back(std::move(setting));
}

/// The settings of overrides, file by file, and then those of `--set rule.param=value`: the last one wins.
std::vector<ParamSetting> read_settings(const std::vector<std::pair<std::string, std::string>>& set, const Files& files,
                                        Diagnostics& diagnostics) {
  std::vector<ParamSetting> out;
  for (const auto& file : files)
    for (const Override& change : file->overrides) {
      const Rule* rule = change.of_pack ? nullptr : find_rule(files, change.target.rule);
      if (rule == nullptr && !change.of_pack) continue;  // the checker reports the override, once
      for (const Override::ParamValue& param : change.params)
        add_setting({.rule = rule != nullptr ? rule->id : change.target.rule,
                     .param = param.name,
                     .place = param.name_span,
                     .value = {}},
                    param.value.text, files, out, diagnostics);
    }
  for (const auto& [name, text] : set) {
    const std::size_t dot = name.rfind('.');
    const SourceText value = whole_text(std::make_shared<const Source>(Source{"--set " + name, text}));
    add_setting({.rule = name.substr(0, dot),
                 .param = dot == std::string::npos ? "" : name.substr(dot + 1),
                 .place = value.whole,
                 .value = {}},
                value, files, out, diagnostics);
  }
  return out;
}

/// Reading order: file by file as they were read, then from top to bottom, whichever pass found the mistake.
void sort_by_place(Diagnostics& diagnostics, const Files& files) {
  if (diagnostics.size() < 2) return;
  std::vector<SourcePtr> sources;
  for (const auto& file : files) {
    sources.push_back(file->source);
    sources.insert(sources.end(), file->parts.begin(), file->parts.end());
  }
  const auto place = [&](const Diagnostic& diagnostic) {
    if (diagnostic.labels.empty()) return std::pair<std::size_t, std::size_t>{0, 0};
    const Span& span = diagnostic.labels.front().span;
    const auto file = std::find(sources.begin(), sources.end(), span.source);
    return std::pair{static_cast<std::size_t>(file - sources.begin()), span.offset};
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

/// The patterns of options, each a text of its own for messages.
std::vector<RulePattern> patterns_of(std::string_view option, const std::vector<std::string>& texts) {
  std::vector<RulePattern> out;
  for (const std::string& text : texts)
    out.push_back({text, whole_text(std::make_shared<const Source>(Source{std::string(option), text})).whole});
  return out;
}

RuleChoice choice_of(const RuleOptions& options) {
  RuleChoice choice{.incubating = options.incubating,
                    .select = patterns_of("--select", options.select),
                    .ignore = patterns_of("--ignore", options.ignore)};
  if (options.settings && choice.select.empty()) choice.select = options.settings->select;
  if (options.settings && choice.ignore.empty()) choice.ignore = options.settings->ignore;
  return choice;
}

Result<RuleSet> assemble_rules(RuleFiles read, const RuleOptions& options) {
  Diagnostics diagnostics = std::move(read.diagnostics);
  if (options.settings) read.files.push_back(options.settings->overrides);
  auto settings = read_settings(options.set, read.files, diagnostics);
  auto checked = check_rules(read.files, std::move(settings), choice_of(options), options.functions, options.threads,
                             options.cancel);
  const Diagnostics& found = checked ? (*checked)->warnings : checked.error();
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  sort_by_place(diagnostics, read.files);
  if (has_error(diagnostics)) return diagnostics;
  if (diagnostics.empty() && (*checked)->style.empty() && read.style.empty()) return RuleSet(*checked);
  auto with_warnings = std::make_shared<LoadedRules>(**checked);
  with_warnings->warnings = std::move(diagnostics);
  std::move(read.style.begin(), read.style.end(), std::back_inserter(with_warnings->style));
  sort_by_place(with_warnings->style, read.files);
  return RuleSet(std::shared_ptr<const LoadedRules>(std::move(with_warnings)));
}

Diagnostic interrupted_error(std::string_view what) {
  Diagnostic error;
  error.id = refusal_id::interrupted;
  error.title = std::string(what) + " was interrupted";
  return error;
}

Result<RuleSet> load_read(const std::function<RuleFiles()>& read, const RuleOptions& options) {
  try {
    const Stopwatch watch;
    const Result<RuleSet> rules = assemble_rules(read(), options);
    if (!rules) return rules;
    log_warnings(options.log, rules->warnings());
    return RuleSet(rules->share(), watch.seconds());
  } catch (const Interrupted&) {
    return interrupted_error("loading the rules");
  }
}

}  // namespace

std::size_t RuleSet::size() const {
  return static_cast<std::size_t>(
      std::count_if(loaded_->rules.begin(), loaded_->rules.end(), [](const CheckedRule& rule) { return rule.active; }));
}
const Diagnostics& RuleSet::warnings() const { return loaded_->warnings; }
const Diagnostics& RuleSet::style() const { return loaded_->style; }

Result<RuleSet> builtin_rules(const RuleOptions& options) {
  return load_read([&] { return read_rule_files({}, options); }, options);
}

Result<RuleSet> load_rules(std::span<const std::string> paths, const RuleOptions& options) {
  return load_read([&] { return read_rule_files(paths, options); }, options);
}

Result<RuleSet> load_rules(std::initializer_list<std::string_view> paths, const RuleOptions& options) {
  return load_rules(std::vector<std::string>(paths.begin(), paths.end()), options);
}

Result<RuleSet> load_rule_sources(const std::vector<PackSource>& sources,
                                  const std::function<bool(std::string_view pack_file)>& keep,
                                  const RuleOptions& options) {
  return load_read([&] { return read_rule_sources(sources, keep, options); }, options);
}

Result<RuleSet> load_rules(std::string_view path, const RuleOptions& options) {
  const std::string paths[] = {std::string(path)};
  return load_rules(paths, options);
}

Result<RuleSet> load_rules_text(std::string_view name, std::string_view text, const RuleOptions& options) {
  return load_read([&] { return read_rule_text(name, text, options); }, options);
}

Report diagnose(const Facts& facts, const RuleSet& rules, const DiagnoseOptions& options) {
  std::optional<Report> report;
  if (options.baseline && facts.loaded().runs.size() == 1 && !options.baseline->loaded().runs.empty())
    report = compare_runs(
        *options.baseline, facts, rules.loaded(),
        {.threads = options.threads, .cancel = options.cancel, .timings = options.timings, .policy = options.policy});
  else report = diagnose_runs(facts.loaded(), rules.loaded(), options);
  if (report->timings) {
    auto timings = std::make_shared<Timings>(*report->timings);
    timings->rules = rules.seconds();
    report->timings = std::shared_ptr<const Timings>(std::move(timings));
  }
  report->version = version();
  return std::move(*report);
}

namespace {

/// A line ahead of what is said of a rule that was asked for by an old id.
std::string renamed(const RuleSet& rules, std::string_view asked) {
  const std::string_view now = rules.loaded().id_now(asked);
  return now == asked ? std::string() : std::string(asked) + " is now called " + std::string(now) + ".\n";
}

}  // namespace

Result<std::string> explain(const Facts& facts, const RuleSet& rules, std::string_view rule,
                            const DiagnoseOptions& options) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  try {
    return renamed(rules, rule) +
           joined_lines(explain_rule(facts.loaded(), rules.loaded().complete(), **checked, options));
  } catch (const Interrupted&) {
    return interrupted_error("the explanation");
  }
}

Result<std::string> describe_rule(const RuleSet& rules, std::string_view rule) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  return renamed(rules, rule) + visible_lines(describe(**checked, rules.loaded().complete()));
}

}  // namespace kdiag
