// SPDX-License-Identifier: Apache-2.0
// Settings of parameters for a whole pack: `--set launch.hole=3us`.
#pragma once

#include <memory>
#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The settings with those that name a pack written out for each of its rules, in front of all others: what is set for
/// one rule wins. K311: neither a rule nor a pack.
std::vector<ParamSetting> written_out(std::vector<ParamSetting> settings,
                                      const std::vector<std::shared_ptr<const RuleFile>>& files,
                                      Diagnostics& diagnostics);

/// Drops those for rules of the pack that have no such parameter; K304 when none has.
void keep_known(std::vector<ParamSetting>& settings, const std::vector<std::shared_ptr<const RuleFile>>& files,
                Diagnostics& diagnostics);

}  // namespace kdiag
