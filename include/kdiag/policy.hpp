// SPDX-License-Identifier: Apache-2.0
// What a team has decided about findings: which of them it accepts, and which it knows already.
//
//     auto waivers = kdiag::load_waivers("kdiag.yaml", *rules);
//     auto known = kdiag::load_known("findings.json");
//     const kdiag::Policy policy{.waivers = *waivers, .known = *known};
//     auto report = kdiag::diagnose(*facts, *rules, {.policy = &policy});
//
// Such findings stay in the report, marked as Finding::waived and Finding::known, and fail no gate.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

struct LoadedWaivers;  // internal

/// Checked waivers (docs/project.md). Immutable; copies share.
class KDIAG_API Waivers {
 public:
  explicit Waivers(Shared<LoadedWaivers> loaded) : loaded_(std::move(loaded)) {}
  const LoadedWaivers& loaded() const { return *loaded_; }
  std::size_t size() const;

 private:
  Shared<LoadedWaivers> loaded_;
};

/// The `waivers:` of a project file; its other keys are checked, and mean nothing here. `rules` are those that it
/// speaks of. All errors at once: K1xx to K3xx. K690 soon after `cancel` was set.
KDIAG_API Result<Waivers> load_waivers(std::string_view path, const RuleSet& rules,
                                       const std::atomic<bool>* cancel = nullptr);
/// Those of a project file from memory. `name` is for messages.
KDIAG_API Result<Waivers> load_waivers_text(std::string_view name, std::string_view text, const RuleSet& rules,
                                            const std::atomic<bool>* cancel = nullptr);

/// A finding of an earlier report, or a symptom in it.
struct KnownFinding {
  std::string fingerprint, rule, title;
  bool symptom = false;                   ///< another finding explained it
  bool waived = false;                    ///< it was accepted then
  std::vector<std::string> others;        ///< fingerprints of its other subjects
  std::optional<Severity> severity = {};  ///< nothing: it is known however severe it becomes
  std::optional<double> impact_share = {};
};

struct KnownFindings {
  std::string name;  ///< of the file, for reports
  std::vector<KnownFinding> findings;
};

/// The findings of a report that `--format json` wrote. Errors: K100 when it cannot be read, K789 what is no such
/// report; K690 soon after `cancel` was set.
KDIAG_API Result<KnownFindings> load_known(std::string_view path, const std::atomic<bool>* cancel = nullptr);
/// Those of a report from memory. `name` is for messages.
KDIAG_API Result<KnownFindings> load_known_text(std::string_view name, std::string_view text);

struct Policy {
  std::optional<Waivers> waivers = {};
  std::optional<KnownFindings> known = {};
  std::string today = {};  ///< "2026-11-26": a waiver `until` an earlier day has expired; empty: today in UTC
};

}  // namespace kdiag
