// SPDX-License-Identifier: Apache-2.0
// kdiag rules docs and schema: pages about rules, and the schema of their files.
#include "cli/verbs.hpp"

#include <filesystem>
#include <system_error>

#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"

namespace kdiag::cli {
namespace {

/// One page per rule and the index, in the folder of `--output`, which is made.
int write_pages(const Options& options, const RuleSet& rules) {
  namespace fs = std::filesystem;
  const fs::path folder(options.output);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    complain(options, "cannot make the folder " + options.output + ": " + error.message());
    return exit_code::usage;
  }
  const auto write = [&](const std::string& name, const std::string& text) {
    const auto failure = write_output(text, (folder / (name + ".md")).string());
    if (failure) complain(options, *failure);
    return !failure;
  };
  if (!write("index", rule_index(rules))) return exit_code::usage;
  for (const RuleEntry& rule : list_rules(rules))
    if (const Result<std::string> page = rule_page(rules, rule.id); page && !write(rule.id, *page))
      return exit_code::usage;
  return exit_code::ok;
}

}  // namespace

int document_rules(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  if (options.subject.empty() && !options.output.empty()) return write_pages(options, *rules);
  if (!options.subject.empty()) {
    const Result<std::string> page = rule_page(*rules, options.subject);
    if (page) return print(options, *page, exit_code::ok);
    complain(options, page.error());
    return exit_code::usage;
  }
  std::string pages = rule_index(*rules);
  for (const RuleEntry& rule : kdiag::list_rules(*rules))
    if (const Result<std::string> page = rule_page(*rules, rule.id)) pages += "\n" + *page;
  return print(options, pages, exit_code::ok);
}

int show_schema(const Options& options) { return print(options, rule_schema(), exit_code::ok); }

}  // namespace kdiag::cli
