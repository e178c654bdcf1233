// SPDX-License-Identifier: Apache-2.0
// kdiag config show: what holds here, and where it comes from.
#include "cli/verbs.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/policy.hpp"

namespace kdiag::cli {
namespace {

std::string flag(bool value) { return value ? "true" : "false"; }

std::string list(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ", ") + value;
  return "[" + out + "]";
}

std::string format_word(Format format) {
  switch (format) {
    case Format::json: return "json";
    case Format::markdown: return "markdown";
    case Format::sarif: return "sarif";
    case Format::github: return "github";
    case Format::gitlab: return "gitlab";
    case Format::junit: return "junit";
    default: return "text";
  }
}

/// Lines of `key: value  # where from`.
class Shown {
 public:
  explicit Shown(const Options& options) : options_(options) {}

  /// `key` is that of the project file, `option` the one of the command line; both may say it where they add up.
  void line(std::string_view key, const std::string& value, std::string_view option, bool adds_up = false) {
    std::string from = place(key == "format" || key == "all" ? "output" : key);
    const bool given = options_.given.contains(option);
    if (given) from = adds_up && !from.empty() ? from + " and " + std::string(option) : std::string(option);
    std::string text = std::string(key) + ": " + shown_value(value);
    text.resize(std::max(text.size(), column), ' ');
    out_ += text + "  # " + (from.empty() ? "default" : shown_value(from)) + "\n";
  }
  void from_file(std::string_view key) {
    if (!options_.project) return;
    for (const ProjectValue& value : options_.project->settings().values)
      if (value.key == key) line(key, value.value, {});
  }
  std::string take() { return std::move(out_); }

 private:
  static constexpr std::size_t column = 32;

  std::string place(std::string_view key) const {
    if (!options_.project) return {};
    for (const ProjectValue& value : options_.project->settings().values)
      if (value.key == key) return value.place;
    return {};
  }

  const Options& options_;
  std::string out_;
};

}  // namespace

int show_config(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // says what is wrong with them
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Policy> policy = load_policy(options, *rules, code);
  if (!policy) return code;
  const RuleOptions& rule = options.rule_options;
  Shown shown(options);
  shown.line("rules", list(options.rules), "--rules", true);
  shown.line("builtin", flag(rule.builtin), "--only-rules");
  for (const auto& [key, option, values] :
       {std::tuple("select", "--select", &rule.select), std::tuple("ignore", "--ignore", &rule.ignore)})
    if (!values->empty()) shown.line(key, list(*values), option);
    else shown.from_file(key);
  shown.line("incubating", flag(rule.incubating), "--incubating");
  shown.from_file("params");
  for (const auto& [name, value] : rule.set) shown.line("params", "{" + name + ": " + value + "}", "--set");
  shown.from_file("for");
  shown.line("maps", list(options.maps), "--map", true);
  shown.line("baseline", list(options.baseline), "--baseline");
  shown.line("known", options.known.empty() ? "none" : options.known, "--known");
  shown.line("fail_on", options.fail_on ? std::string(name_of(*options.fail_on)) : "never", "--fail-on");
  std::vector<std::string> limits;
  for (const GrowthLimit& limit : options.fail_above) limits.push_back(limit.text);
  if (!limits.empty()) shown.line("fail_above", list(limits), "--fail-above");
  shown.line("strict", flag(options.strict), "--strict");
  shown.line("format", format_word(options.format), "--format");
  shown.line("all", flag(options.all), "--all");
  if (policy->waivers && policy->waivers->size() > 0)
    shown.line("waivers", std::to_string(policy->waivers->size()), {});
  const std::string head =
      options.project ? "# " + shown_value(options.project->settings().file) : "# no kdiag.yaml was found";
  return print(options, head + "\n# " + std::to_string(rules->size()) + " rules are judged\n" + shown.take(),
               exit_code::ok);
}

}  // namespace kdiag::cli
