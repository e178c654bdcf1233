// SPDX-License-Identifier: Apache-2.0
// How packs are told apart: by their name, and by a hash of their files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// The name that a pack states; of a rule file that states none its file name.
std::string pack_name(const RuleFile& file);

/// "sha256:..." of the texts of a pack: its rules, their tests and scripts. Names count relative to the pack, so that
/// it has the same hash in whatever folder it lies; the order in which they were read does not count.
std::string hash_of_pack(const RuleFile& file);

/// The packs and rule files of the user among these, in their order.
std::vector<PackEntry> user_packs(const std::vector<std::shared_ptr<const RuleFile>>& files);

/// K316: packs of the user of one name that state different versions.
void refuse_two_versions(const std::vector<std::shared_ptr<const RuleFile>>& files, Diagnostics& diagnostics);

}  // namespace kdiag
