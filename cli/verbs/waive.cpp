// SPDX-License-Identifier: Apache-2.0
// kdiag waive: writes waivers of findings of a report.
#include "cli/verbs.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/policy.hpp>
#include <kdiag/project.hpp>

#include "cli/command.hpp"
#include "cli/project_options.hpp"

namespace kdiag::cli {
namespace {

bool is_named(const KnownFinding& finding, const std::string& name) {
  return finding.rule == name || finding.fingerprint == name;
}

/// The findings that the command names; without names those that are not waived.
std::vector<NewWaiver> waivers_for(const Options& options, const KnownFindings& report) {
  const std::vector<std::string> names(options.files.begin() + 1, options.files.end());
  std::vector<NewWaiver> out;
  for (const KnownFinding& finding : report.findings) {
    const bool named =
        std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_named(finding, name); });
    if (names.empty() ? finding.symptom || finding.waived : !named) continue;
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const NewWaiver& other) { return other.fingerprint == finding.fingerprint; });
    if (twice) continue;  // of another run
    NewWaiver waiver = options.waiver;
    waiver.fingerprint = finding.fingerprint;
    waiver.rule = finding.rule;
    waiver.title = finding.title;
    out.push_back(std::move(waiver));
  }
  return out;
}

/// The project file with the waivers, or a new one.
Result<std::string> with_new(const std::string& file, const std::vector<NewWaiver>& waivers) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return "kdiag_project: 1\n\n" + waiver_text(waivers);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return with_waivers(file, text, waivers);
}

}  // namespace

int write_waivers(const Options& options) {
  const Result<KnownFindings> report = load_known(options.files.front(), &interrupted);
  if (!report) {
    complain(options, report.error());
    return exit_code::usage;
  }
  for (std::size_t i = 1; i < options.files.size(); ++i)
    if (std::none_of(report->findings.begin(), report->findings.end(),
                     [&](const KnownFinding& finding) { return is_named(finding, options.files[i]); })) {
      complain(options, options.files.front() + " has no finding of '" + options.files[i] + "'");
      return exit_code::usage;
    }
  const std::vector<NewWaiver> waivers = waivers_for(options, *report);
  if (waivers.empty()) {
    complain(options, options.files.front() + " has no finding that is not waived");
    return exit_code::usage;
  }
  if (!options.write) return print(options, waiver_text(waivers), exit_code::ok);
  Options into = options;
  into.output = project_file(options);
  if (into.output.empty()) into.output = "kdiag.yaml";
  const Result<std::string> text = with_new(into.output, waivers);
  if (!text) {
    complain(options, text.error());
    return exit_code::rules;
  }
  return print(into, *text, exit_code::ok);
}

}  // namespace kdiag::cli
