// SPDX-License-Identifier: Apache-2.0
// kdiag rules list and show: the rules at hand.
#include "cli/verbs.hpp"

#include <algorithm>
#include <string_view>

#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include "cli/command.hpp"

namespace kdiag::cli {
namespace {

std::string_view area_of(const RuleEntry& rule) { return std::string_view(rule.id).substr(0, rule.id.find('.')); }

bool wanted(const RuleEntry& rule, const Options& options) {
  const bool tagged =
      options.tag.empty() || std::find(rule.tags.begin(), rule.tags.end(), options.tag) != rule.tags.end();
  return tagged && (options.area.empty() || area_of(rule) == options.area);
}

/// The areas and tags that there are, when what was asked for names none of them.
Diagnostic nothing_found(const Options& options, const std::vector<RuleEntry>& rules) {
  std::vector<std::string_view> areas;
  std::vector<std::string_view> tags;
  for (const RuleEntry& rule : rules) {
    areas.push_back(area_of(rule));
    tags.insert(tags.end(), rule.tags.begin(), rule.tags.end());
  }
  Diagnostic error;
  error.id = refusal_id::command_failed;
  error.title = "no rule has";
  if (!options.area.empty()) error.title += " the area '" + options.area + "'";
  if (!options.tag.empty())
    error.title += std::string(options.area.empty() ? "" : " and") + " the tag '" + options.tag + "'";
  error.help = did_you_mean(options.area, areas);
  if (error.help.empty()) error.help = did_you_mean(options.tag, tags);
  return error;
}

}  // namespace

int list_rules(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  const std::vector<RuleEntry> all = kdiag::list_rules(*rules);
  std::vector<RuleEntry> chosen;
  std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
               [&](const RuleEntry& rule) { return wanted(rule, options); });
  if (chosen.empty() && !all.empty()) {
    complain(options, Diagnostics{nothing_found(options, all)});
    return exit_code::usage;
  }
  return print(options, options.format == Format::json ? to_json(chosen) : to_text(chosen), exit_code::ok);
}

int show_rule(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  const Result<std::string> text = describe_rule(*rules, options.subject);
  if (!text) {
    complain(options, text.error());
    return exit_code::usage;
  }
  const Result<RuleSource> source = rule_source(*rules, options.subject);
  return print(options, *text + "\n" + source->file + ":" + std::to_string(source->line) + "\n" + source->text,
               exit_code::ok);
}

}  // namespace kdiag::cli
