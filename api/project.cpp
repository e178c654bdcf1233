// SPDX-License-Identifier: Apache-2.0
// Project files, and their waivers.
#include <kdiag/project.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/escape.hpp"
#include "base/glob.hpp"
#include "base/similar_file.hpp"
#include "dsl/rule_file.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/policy.hpp"
#include "engine/ruleset/rule_settings.hpp"
#include "ingest/reading.hpp"
#include "project/project_file.hpp"
#include "project/read_waivers.hpp"

namespace kdiag {
namespace {

/// `read` gives the text of the file.
template <class Read>
Result<Project> read_project(const Read& read, const std::string& folder, CancelFlag cancel) {
  try {
    const Result<SourcePtr> source = read();
    if (!source) return source.error();
    Diagnostics diagnostics;
    LoadedProject project = parse_project(*source, folder, diagnostics, cancel);
    if (has_error(diagnostics)) return diagnostics;
    return Project(std::make_shared<const LoadedProject>(std::move(project)));
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "loading the project file was interrupted");
  }
}

bool any_fits(const std::string& pattern, std::span<const std::string> inputs) {
  return pattern.empty() || std::any_of(inputs.begin(), inputs.end(),
                                        [&](const std::string& input) { return glob_matches(pattern, input); });
}

bool has_device(const std::string& pattern, const Facts& facts) {
  const ColumnId names = column("devices.name");
  for (const RunFacts& run : facts.loaded().runs)
    for (std::uint32_t row = 0; row < run.store->rows(table("devices")); ++row)
      if (glob_matches(pattern, run.store->text(names, row))) return true;
  return false;
}

}  // namespace

const ProjectSettings& Project::settings() const { return loaded_->settings; }

Shared<RuleSettings> Project::rules_for(std::span<const std::string> inputs, const Facts* facts) const {
  auto overrides = std::make_shared<RuleFile>();
  overrides->source = loaded_->source;
  overrides->project = true;
  overrides->overrides = loaded_->params;
  for (const ProjectCase& some : loaded_->cases)
    if (any_fits(some.input, inputs) && (facts == nullptr || some.device.empty() || has_device(some.device, *facts)))
      overrides->overrides.insert(overrides->overrides.end(), some.params.begin(), some.params.end());
  auto settings = std::make_shared<RuleSettings>();
  settings->select = loaded_->select;
  settings->ignore = loaded_->ignore;
  settings->overrides = std::move(overrides);
  return std::shared_ptr<const RuleSettings>(std::move(settings));
}

bool Project::asks_devices() const {
  return std::any_of(loaded_->cases.begin(), loaded_->cases.end(),
                     [](const ProjectCase& some) { return !some.device.empty(); });
}

std::vector<std::string> Project::baseline_for(std::span<const std::string> inputs) const {
  for (const ProjectCase& some : loaded_->cases)
    if (!some.baseline.empty() && any_fits(some.input, inputs)) return some.baseline;
  return loaded_->settings.baseline;
}

std::string shown_value(std::string_view text) { return visible(text); }

Result<Project> load_project(std::string_view path, const std::atomic<bool>* cancel) {
  const std::string file(path);
  return read_project(
      [&] {
        Result<SourcePtr> source = read_rule_source(file, "project file", cancel);
        if (!source) suggest_similar(file, source.error().front());
        return source;
      },
      std::filesystem::path(file).parent_path().string(), cancel);
}

Result<Project> load_project_text(std::string_view name, std::string_view text, const std::atomic<bool>* cancel) {
  return read_project([&] { return rule_source(std::string(name), std::string(text), "project file"); }, {}, cancel);
}

Result<Waivers> waivers_of(const Project& project, const RuleSet& rules) {
  Diagnostics diagnostics;
  LoadedWaivers waivers = check_waivers(project.loaded().waivers, rules.share(), diagnostics);
  if (has_error(diagnostics)) return diagnostics;
  return Waivers(std::make_shared<const LoadedWaivers>(std::move(waivers)));
}

std::size_t Waivers::size() const { return loaded_->list.size(); }

Result<Waivers> load_waivers(std::string_view path, const RuleSet& rules, const std::atomic<bool>* cancel) {
  const Result<Project> project = load_project(path, cancel);
  return project ? waivers_of(*project, rules) : Result<Waivers>(project.error());
}

Result<Waivers> load_waivers_text(std::string_view name, std::string_view text, const RuleSet& rules,
                                  const std::atomic<bool>* cancel) {
  const Result<Project> project = load_project_text(name, text, cancel);
  return project ? waivers_of(*project, rules) : Result<Waivers>(project.error());
}

}  // namespace kdiag
