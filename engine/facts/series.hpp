// SPDX-License-Identifier: Apache-2.0
// What series of samples are about.
#pragma once

#include <string_view>

namespace kdiag {

/// Whether a series is of the host, and so belongs to no device: cpu_util, cpu_clock.
inline bool of_host(std::string_view series) { return series.starts_with("cpu_"); }

/// Why a value is not known although its series was sampled.
inline constexpr std::string_view no_sample_then = "no sample lies in that time";

}  // namespace kdiag
