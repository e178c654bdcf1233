// SPDX-License-Identifier: Apache-2.0
// Loading rules, and what needs rules and facts together.
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include "api/find_rule.hpp"
#include "api/query.hpp"
#include "api/similar_file.hpp"
#include "dsl/param_value.hpp"
#include "dsl/parse_expr.hpp"
#include "dsl/rule_file.hpp"
#include "engine/describe_rule.hpp"
#include "engine/diagnose.hpp"
#include "engine/diagnostic.hpp"
#include "engine/rule_set.hpp"
#include "rules/builtin_packs.hpp"

namespace kdiag {
namespace {

using Files = std::vector<std::shared_ptr<const RuleFile>>;

/// Whether this kdiag is at least the one that a pack asks for: ">=0.3" against "0.1.0".
bool new_enough(std::string_view wanted) {
  const auto numbers = [](std::string_view text) {
    std::array<int, 3> out{};
    std::size_t part = 0;
    for (const char c : text) {
      if (c == '.') ++part;
      else if (c >= '0' && c <= '9' && part < out.size()) out[part] = std::min(out[part] * 10 + (c - '0'), 1'000'000);
    }
    return out;
  };
  return numbers(version()) >= numbers(wanted);
}

/// A pack for a newer kdiag is passed over with a warning, so that one set of files can serve several versions.
void read_rules(const SourcePtr& source, Files& files, Diagnostics& diagnostics) {
  RuleFile file = parse_rule_file(source, diagnostics);
  if (!new_enough(file.engine)) {
    diagnostics.push_back(make_warning(
        "K411", {source, 0, 0}, "pack '" + file.pack + "' needs kdiag " + file.engine + ": its rules were left out",
        "this is " + std::string(version())));
    file.rules.clear();
    file.defines.clear();
  }
  files.push_back(std::make_shared<const RuleFile>(std::move(file)));
}

void read_builtin(Files& files, Diagnostics& diagnostics) {
  for (const BuiltinPack& pack : builtin_packs())
    read_rules(std::make_shared<const Source>(Source{std::string(pack.name), std::string(pack.text)}), files,
               diagnostics);
}

/// The library of defines comes along even where the built-in rules are left out.
void keep_defines_only(Files& files) {
  for (auto& file : files) {
    auto bare = std::make_shared<RuleFile>(*file);
    bare->rules.clear();
    file = std::move(bare);
  }
}

/// The type of a parameter; empty when no file has it, which the checker reports.
std::string_view param_type(const Files& files, std::string_view rule_id, std::string_view name) {
  for (const auto& file : files)
    for (const Rule& rule : file->rules)
      for (const Param& param : rule.params)
        if (rule.id == rule_id && param.name == name) return param.type;
  return {};
}

/// `--set rule.param=value`: the value is written as in a rule file, such as 3% or 20us.
std::vector<ParamSetting> read_settings(const std::vector<std::pair<std::string, std::string>>& set, const Files& files,
                                        Diagnostics& diagnostics) {
  std::vector<ParamSetting> out;
  for (const auto& [name, text] : set) {
    const std::size_t dot = name.rfind('.');
    ParamSetting setting{
        .rule = name.substr(0, dot), .param = dot == std::string::npos ? "" : name.substr(dot + 1), .value = {}};
    const SourceText source = whole_text(std::make_shared<const Source>(Source{"--set " + name, text}));
    Result<Expression> parsed = parse_param_value(param_type(files, setting.rule, setting.param), source);
    if (!parsed) {
      std::move(parsed.error().begin(), parsed.error().end(), std::back_inserter(diagnostics));
      continue;
    }
    setting.value = std::move(*parsed);
    out.push_back(std::move(setting));
  }
  return out;
}

/// Reading order: file by file as given, then from top to bottom, whichever pass found the mistake.
void sort_by_place(Diagnostics& diagnostics, const std::vector<SourcePtr>& sources) {
  const auto place = [&](const Diagnostic& diagnostic) {
    if (diagnostic.labels.empty()) return std::pair<std::size_t, std::size_t>{0, 0};
    const Span& span = diagnostic.labels.front().span;
    return std::pair{static_cast<std::size_t>(std::find(sources.begin(), sources.end(), span.source) - sources.begin()),
                     span.offset};
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

Result<RuleSet> assemble_rules(const std::vector<SourcePtr>& sources, Diagnostics diagnostics,
                               const RuleOptions& options) {
  Files files;
  read_builtin(files, diagnostics);
  if (!options.builtin) keep_defines_only(files);
  for (const SourcePtr& source : sources) read_rules(source, files, diagnostics);
  const auto settings = read_settings(options.set, files, diagnostics);
  auto checked = check_rules(std::move(files), settings);
  const Diagnostics& found = checked ? (*checked)->warnings : checked.error();
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  sort_by_place(diagnostics, sources);
  if (has_error(diagnostics)) return diagnostics;
  if (diagnostics.empty()) return RuleSet(*checked);
  auto with_warnings = std::make_shared<LoadedRules>(**checked);
  with_warnings->warnings = std::move(diagnostics);
  return RuleSet(std::shared_ptr<const LoadedRules>(std::move(with_warnings)));
}

}  // namespace

std::size_t RuleSet::size() const { return loaded_->rules.size(); }
const Diagnostics& RuleSet::warnings() const { return loaded_->warnings; }

Result<RuleSet> builtin_rules(const RuleOptions& options) { return assemble_rules({}, {}, options); }

Result<RuleSet> load_rules(std::span<const std::string> paths, const RuleOptions& options) {
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  for (const std::string& path : paths) {
    auto source = read_rule_source(path);
    if (source) {
      sources.push_back(std::move(*source));
      continue;
    }
    source.error().front().help = suggest_file(path);
    std::move(source.error().begin(), source.error().end(), std::back_inserter(diagnostics));
  }
  return assemble_rules(sources, std::move(diagnostics), options);
}

Result<RuleSet> load_rules(std::string_view path, const RuleOptions& options) {
  const std::string paths[] = {std::string(path)};
  return load_rules(paths, options);
}

Result<RuleSet> load_rules_text(std::string_view name, std::string_view text, const RuleOptions& options) {
  return assemble_rules({std::make_shared<const Source>(Source{std::string(name), std::string(text)})}, {}, options);
}

Report diagnose(const Facts& facts, const RuleSet& rules, const DiagnoseOptions& options) {
  Report report = diagnose_runs(facts.loaded(), rules.loaded(), options);
  report.version = version();
  return report;
}

Result<std::string> explain(const Facts& facts, const RuleSet& rules, std::string_view rule) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  return explain_rule(facts.loaded(), rules.loaded(), **checked);
}

Result<std::string> describe_rule(const RuleSet& rules, std::string_view rule) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  return describe(**checked, rules.loaded());
}

Result<QueryAnswer> query(const Facts& facts, std::string_view expression) {
  const Result<RuleSet> library = builtin_rules();
  if (!library) return library.error();
  return query(facts, *library, expression);
}

Result<QueryAnswer> query(const Facts& facts, const RuleSet& rules, std::string_view expression,
                          const QueryOptions& options) {
  const auto source = std::make_shared<const Source>(Source{"query", std::string(expression)});
  Expression parsed{.tree = nullptr, .text = whole_text(source)};
  auto tree = parse_expression(parsed.text);
  if (!tree) return tree.error();
  parsed.tree = std::move(*tree);
  Diagnostics diagnostics;
  const PlanPtr plan = check_query(parsed, rules.loaded(), diagnostics);
  if (!plan) return diagnostics;
  return answer_query(facts.loaded(), rules.loaded().library, *plan, options);
}

}  // namespace kdiag
