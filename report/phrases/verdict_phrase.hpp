// SPDX-License-Identifier: Apache-2.0
// The answer in one sentence: how busy the devices were, and what costs most.
#pragma once

#include <string>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// "GPU busy 28 % of the time. CRITICAL: Host waits for the device in aten::item (68 %).": state, severity, cause and
/// share. The state says "at least" where the account does not know all of the time. The cause is the first finding of
/// medium severity or more; without one the first finding, after "Nothing is above LOW"; without any what clean_phrase
/// says. Unescaped; empty for a run that was not judged.
std::string verdict_phrase(const RunView& view);

/// "GPU busy 28 % of the time. "; empty where that is not known.
std::string state_phrase(const RunView& view);

}  // namespace kdiag::report
