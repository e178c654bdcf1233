// SPDX-License-Identifier: Apache-2.0
// What a report says of a run that has no account of time; unescaped, as all phrases are.
#pragma once

#include <string>
#include <vector>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// A phrase for each kind of record: "12 steps of 750 ms (median)", "34 functions, most time in forward (3.1 s)",
/// "64 collectives, most time in all_reduce (2.1 s), up to 231 GB/s of bus bandwidth".
std::vector<std::string> recorded_phrases(const RunView& view);

}  // namespace kdiag::report
