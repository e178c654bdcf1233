// SPDX-License-Identifier: Apache-2.0
// The project file: what a team wants of kdiag, beside its code (docs/project.md).
//
//     const std::string file = kdiag::find_project(".");
//     auto project = kdiag::load_project(file);
//     auto rules = kdiag::load_rules(project->settings().rules, {.settings = project->rules_for(inputs)});
//     auto waivers = kdiag::waivers_of(*project, *rules);
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/policy.hpp>

namespace kdiag {

/// A value of the file as it was written, and where: "fail_on", "high", "kdiag.yaml:7".
struct ProjectValue {
  std::string key, value, place;
};

/// What a project file says. Paths are as the process can open them: those of the file are relative to its folder.
struct ProjectSettings {
  std::string file;
  std::vector<std::string> rules;  ///< files and folders
  std::vector<std::string> maps, baseline;
  std::string known;  ///< of findings; empty: none
  std::optional<bool> builtin, incubating, strict, all;
  std::optional<Severity> fail_on;
  std::vector<std::string> fail_above;  ///< limits of comparisons, as `--fail-above` takes them
  std::string format;                   ///< of reports; empty: not said
  std::vector<ProjectValue> values;     ///< all keys, in the order of the file
};

struct LoadedProject;  // internal

/// A checked project file. Immutable; copies share.
class KDIAG_API Project {
 public:
  explicit Project(Shared<LoadedProject> loaded) : loaded_(std::move(loaded)) {}
  const LoadedProject& loaded() const { return *loaded_; }
  const ProjectSettings& settings() const;

  /// For RuleOptions::settings: which rules are judged, and with which parameters, where these are the inputs. Without
  /// facts parameters for devices are among them, so that mistakes in them are found before any trace is read.
  Shared<RuleSettings> rules_for(std::span<const std::string> inputs, const Facts* facts = nullptr) const;
  /// Whether there are parameters for some devices, so that rules are to be loaded again once the devices are known.
  bool asks_devices() const;
  /// The baseline of these inputs; empty: none.
  std::vector<std::string> baseline_for(std::span<const std::string> inputs) const;

 private:
  Shared<LoadedProject> loaded_;
};

/// The `kdiag.yaml` of a folder or of the nearest folder above it that has one; empty when none has.
KDIAG_API std::string find_project(std::string_view folder);

/// Reads a project file. All errors at once: K1xx. What it says of rules is checked where rules are loaded. K690 soon
/// after `cancel` was set.
KDIAG_API Result<Project> load_project(std::string_view path, const std::atomic<bool>* cancel = nullptr);
/// One from memory, whose paths are relative to the working directory. `name` is for messages.
KDIAG_API Result<Project> load_project_text(std::string_view name, std::string_view text,
                                            const std::atomic<bool>* cancel = nullptr);

/// A text of a project file for people: on one line, with what steers terminals, hides or reorders text escaped.
KDIAG_API std::string shown_value(std::string_view text);

/// Whether a text is a day that there is, as waivers write it: "2026-12-31".
KDIAG_API bool is_date(std::string_view text);

/// Its waivers. Errors: K1xx to K3xx of their conditions, K311 rules that are not there.
KDIAG_API Result<Waivers> waivers_of(const Project& project, const RuleSet& rules);

/// A waiver of a finding of an earlier report, as an entry of `waivers:`.
struct NewWaiver {
  std::string fingerprint, rule, title;
  std::string reason, owner, until;
};
KDIAG_API std::string waiver_text(const std::vector<NewWaiver>& waivers);
/// The text of a project file with more waivers at the end of its `waivers:`. Errors: K110 when these are no list with
/// an entry on a line of its own.
KDIAG_API Result<std::string> with_waivers(std::string_view name, std::string_view text,
                                           const std::vector<NewWaiver>& waivers);

}  // namespace kdiag
