// SPDX-License-Identifier: Apache-2.0
// What a report says of operations against what devices could do (docs/work.md); unescaped, as all phrases are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// Model FLOPS utilization of the run's devices: "MFU 38.2 %", "MFU 31.0 to 38.2 %", "MFU at least 38.2 %" where
/// operations are known of a part alone; empty where no device has a figure.
std::string utilization_phrase(const RunView& view);

/// A device in parts: "1.52 PFLOP, 180 TFLOP/s", "18.2 % of the device's peak", "17.9 % by three forward passes",
/// "known for 97 % of the time of matrix products, convolutions and attention".
std::vector<std::string> work_phrases(const WorkEntry& entry);

/// Sizes of inputs as people write them: "[[8944, 1024], [1024, 2816], []]" is "8944x1024, 1024x2816". A text of
/// another form comes back as it is.
std::string sizes_phrase(std::string_view shapes);

/// The operators furthest above their least time, with a row of headings: operator, calls, time, attainable time, what
/// is above it as a share of the wall, and the sizes of the inputs.
constexpr std::size_t gaps_shown = 10;  // what can be looked into (judgement)
std::vector<std::vector<std::string>> gap_cells(const RunView& view, const WorkEntry& entry,
                                                std::size_t most = gaps_shown);

}  // namespace kdiag::report
