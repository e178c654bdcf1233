// SPDX-License-Identifier: Apache-2.0
// The C interface: project files, and findings that are accepted or known.
#include "capi/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

int stated(const std::optional<bool>& value) { return value ? static_cast<int>(*value) : KDIAG_NOT_STATED; }
int stated(const std::optional<Severity>& value) { return value ? static_cast<int>(*value) : KDIAG_NOT_STATED; }

/// A list of a project by its number; null: there is none.
const std::vector<std::string>* list_of(const kdiag_project* project, int list) {
  if (project == nullptr) return nullptr;
  const ProjectSettings& settings = project->project.settings();
  switch (list) {
    case KDIAG_PROJECT_RULES: return &settings.rules;
    case KDIAG_PROJECT_MAPS: return &settings.maps;
    case KDIAG_PROJECT_BASELINE: return &settings.baseline;
    case KDIAG_PROJECT_FAIL_ABOVE: return &settings.fail_above;
    default: return nullptr;
  }
}

Result<Policy> make_policy(const kdiag_policy_options& options, const RuleSet& rules, const std::atomic<bool>* cancel) {
  Policy out;
  if (options.today != nullptr) {
    require(is_date(options.today), "today is no day as in 2026-11-26");
    out.today = options.today;
  }
  if (options.project != nullptr) {
    Result<Waivers> waivers = waivers_of(options.project->project, rules);
    if (!waivers) return std::move(waivers.error());
    out.waivers = std::move(*waivers);
  }
  require(options.known != nullptr || options.known_text == nullptr, "the report with known findings has no name");
  if (options.known == nullptr) return out;
  Result<KnownFindings> known = options.known_text == nullptr
                                    ? load_known(options.known, cancel)
                                    : load_known_text(options.known, view_of(options.known_text, options.known_size));
  if (!known) return std::move(known.error());
  out.known = std::move(*known);
  return out;
}

}  // namespace

kdiag_status kdiag_project_find(kdiag_context* context, const char* folder, kdiag_text** path) {
  return make_handle(context, path, [&]() -> Result<std::string> { return find_project(required_name(folder)); });
}
kdiag_status kdiag_project_load(kdiag_context* context, const char* name, const char* text, size_t size,
                                kdiag_project** project) {
  return make_handle(context, project,
                     [&] { return load_project_text(required_name(name), view_of(text, size), &context->stop); });
}
kdiag_status kdiag_project_load_path(kdiag_context* context, const char* path, kdiag_project** project) {
  return make_handle(context, project, [&] { return load_project(required_name(path), &context->stop); });
}
kdiag_project* kdiag_project_retain(kdiag_project* project) { return retain(project); }
void kdiag_project_free(kdiag_project* project) { release(project); }

kdiag_status kdiag_project_get(const kdiag_project* project, kdiag_project_info* out) {
  if (project == nullptr) return KDIAG_ERROR_ARGUMENT;
  const ProjectSettings& settings = project->project.settings();
  kdiag_project_info info{};
  info.file = string_of(settings.file);
  info.known = string_of(settings.known);
  info.format = string_of(settings.format);
  info.fail_on = stated(settings.fail_on);
  info.strict = stated(settings.strict);
  info.all = stated(settings.all);
  return write_info(info, out);
}

size_t kdiag_project_count(const kdiag_project* project, int list) {
  const auto* const entries = list_of(project, list);
  return entries == nullptr ? 0 : entries->size();
}
kdiag_string kdiag_project_entry(const kdiag_project* project, int list, size_t index) {
  const auto* const entries = list_of(project, list);
  return entries != nullptr && index < entries->size() ? string_of((*entries)[index]) : string_of({});
}

kdiag_status kdiag_policy_new(kdiag_context* context, const kdiag_rules* rules, const kdiag_policy_options* options,
                              kdiag_policy** policy) {
  return make_handle(context, policy, [&] {
    require(rules != nullptr, "the rules are NULL");
    return make_policy(read_options(options), rules->rules, &context->stop);
  });
}
kdiag_policy* kdiag_policy_retain(kdiag_policy* policy) { return retain(policy); }
void kdiag_policy_free(kdiag_policy* policy) { release(policy); }

kdiag_status kdiag_finding_marked(const kdiag_finding* handle, kdiag_finding_marks* out) {
  if (handle == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Finding& finding = *reinterpret_cast<const Finding*>(handle);
  kdiag_finding_marks marks{};
  marks.waived = finding.waived ? 1 : 0;
  marks.reason = marks.owner = marks.until = marks.place = string_of({});
  if (finding.waived) {
    marks.reason = string_of(finding.waived->reason);
    marks.owner = string_of(finding.waived->owner);
    marks.until = string_of(finding.waived->until);
    marks.place = string_of(finding.waived->place);
  }
  marks.known = !finding.known           ? KDIAG_KNOWN_NOT_ASKED
                : *finding.known         ? KDIAG_KNOWN
                : finding.known_severity ? KDIAG_KNOWN_WORSE
                                         : KDIAG_KNOWN_NEW;
  marks.known_severity = stated(finding.known_severity);
  return write_info(marks, out);
}
