// SPDX-License-Identifier: Apache-2.0
// The name that a finding keeps over recordings of one program (docs/fingerprints.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/eval/eval.hpp"
#include "engine/ruleset/checked_finding.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// What a finding blames: the names in its title that an input states, such as those of kernels, operators and calls;
/// where the title names nothing, what the rule's let `culprit` names. In the order in which they stand. `own_title`:
/// the title is a script's, whose names are not known.
std::vector<std::string> culprits_of(const CheckedFinding& finding, bool own_title, Evaluator& evaluator);

/// A name without what another recording or another build writes otherwise: template arguments, parameters, numbers
/// that stand for themselves, addresses and hashes.
///     lasting_name("void gemm<128, 64>(Params)") == "gemm"
///     lasting_name("triton_poi_fused_add_12") == "triton_poi_fused_add_#"
std::string lasting_name(std::string_view name);

/// "v1:" and 16 hexadecimal digits, from the rule, the kind of the subject, what it is called where its kind is named
/// by what runs (kernels, operators, functions, groups), the culprits, and the location's file without folders and its
/// function.
std::string fingerprint_of(const Rule& rule, const RunContext& run, const Subject& subject,
                           const std::vector<std::string>& culprits, const std::optional<LocationEntry>& location);

}  // namespace kdiag
