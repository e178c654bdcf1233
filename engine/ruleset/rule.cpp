// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule.hpp"

namespace kdiag {

std::string_view name_of(RuleRole role) {
  switch (role) {
    case RuleRole::cause: return "cause";
    case RuleRole::symptom: return "symptom";
    case RuleRole::health: return "health";
  }
  return "";
}

std::string_view name_of(RuleStatus status) {
  switch (status) {
    case RuleStatus::stable: return "stable";
    case RuleStatus::incubating: return "incubating";
    case RuleStatus::deprecated: return "deprecated";
  }
  return "";
}

}  // namespace kdiag
