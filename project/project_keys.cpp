// SPDX-License-Identifier: Apache-2.0
#include "project/project_keys.hpp"

namespace kdiag::project_keys {
namespace {

using S = KeyShape;

std::vector<std::string_view> fail_levels() {
  std::vector<std::string_view> out;
  for (const auto& [word, severity] : fail_words()) out.push_back(word);
  return out;
}

constexpr FileKey project_file_keys[] = {
    {"kdiag_project", S::edition, "Edition of project files: 1.", true},
    {"rules", S::texts, "Rule files, packs and folders of them, beside the built-in packs."},
    {"builtin", S::flag, "false leaves out the built-in packs."},
    {"select", S::texts, "Rules that are judged, by patterns: host, host.*, copy.pageable. Default: all."},
    {"ignore", S::texts, "Rules that are not judged, by patterns."},
    {"incubating", S::flag, "true judges rules that are still incubating, too."},
    {"params", S::settings, "Parameters by rule: `host.sync-stall: {share: 10%}`."},
    {"for", S::list, "What holds for some inputs or devices only.", false, &project_case},
    {"maps", S::texts, "Mappings of formats of your own."},
    {"baseline", S::texts, "A run of the same work when it was good."},
    {"known", S::text, "A JSON report whose findings are known: only others fail."},
    {"fail_on", S::word, "The severity from which a finding fails the command.", false, nullptr, fail_levels},
    {"fail_above", S::texts,
     "How much longer a cycle or a part of it may be than in the normal run: 5%, idle.host_sync=10ms."},
    {"strict", S::flag, "true fails what cannot be told."},
    {"output", S::mapping, "How reports are written.", false, &output},
    {"waivers", S::list, "Findings that are accepted.", false, &waiver},
};

constexpr FileKey output_keys[] = {
    {"format", S::word, "Format of reports.", false, nullptr, report_formats},
    {"all", S::flag, "true shows every finding and every outcome."},
};

constexpr FileKey case_keys[] = {
    {"input", S::text, "Pattern of the inputs as they are given; * stands for any characters."},
    {"device", S::text, "Pattern of the name of a device; * stands for any characters."},
    {"params", S::settings, "Parameters by rule."},
    {"baseline", S::texts, "A run of the same work when it was good."},
};

constexpr FileKey waiver_keys[] = {
    {"rule", S::text, "Rules whose findings are accepted: an id or a pattern."},
    {"fingerprint", S::texts, "Fingerprints of the findings that are accepted."},
    {"when", S::expression, "Only in runs in which this holds."},
    {"reason", S::text, "Why.", true},
    {"until", S::text, "The last day on which it holds: 2026-12-31."},
    {"owner", S::text, "Who answers for it."},
};

}  // namespace

const KeyGroup project_file{"project_file", project_file_keys};
const KeyGroup output{"project_output", output_keys};
const KeyGroup project_case{"project_case", case_keys};
const KeyGroup waiver{"waiver", waiver_keys};

const std::vector<std::pair<std::string_view, std::optional<Severity>>>& fail_words() {
  static const auto& words =
      *new std::vector<std::pair<std::string_view, std::optional<Severity>>>{{"never", {}},
                                                                             {"info", Severity::info},
                                                                             {"low", Severity::low},
                                                                             {"medium", Severity::medium},
                                                                             {"high", Severity::high},
                                                                             {"critical", Severity::critical}};
  return words;
}

std::vector<std::string_view> report_formats() {
  return {"text", "json", "markdown", "sarif", "junit", "github", "gitlab"};
}

}  // namespace kdiag::project_keys
