// SPDX-License-Identifier: Apache-2.0
// Values of options as people write them. What does not fit is refused with a CLI::ValidationError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/compare.hpp>
#include <kdiag/gate.hpp>

namespace kdiag::cli {

/// One of several processes that share work: of things in order every `count`-th, from `index` on.
struct Part {
  std::size_t index = 0, count = 1;
};

/// `5..15`, `5..`, `..15` or `7`: the first and the last step.
std::pair<std::int64_t, std::int64_t> parse_steps(std::string_view text);

/// `1.5s`, `200ms`, ...: nanoseconds. `option` is for the message.
std::int64_t parse_time(const std::string& option, std::string_view text);

/// The same in whole milliseconds, of which there must be one at least.
std::int64_t parse_milliseconds(const std::string& option, std::string_view text);

/// `500MB`, `4GiB`, `1000000`, ...: bytes; `none`: 0. `option` is for the message.
std::uint64_t parse_size(const std::string& option, std::string_view text);

/// `3/16`: of 16 parts, counted from 0. `option` is for the message.
Part parse_part(const std::string& option, std::string_view text);

/// The part of this process among those that one launcher started, as its environment says: Open MPI, MPICH and other
/// process managers of PMI, MVAPICH, srun, the first that is there. A process of none of them is refused.
Part part_of_process(const std::string& option);

/// More than anything has; what is beyond it is refused.
inline constexpr double most_counted = 1e24;

/// Operations of a step of training for each parameter and token: two forward, four backward (Kaplan et al., "Scaling
/// laws for neural language models", 2020, section 2.1; Chowdhery et al., "PaLM", 2022, appendix B).
inline constexpr double operations_of_token = 6;

/// `6.2TFLOP`, `6.2e12`, ...: operations, more than none. `option` is for the message.
double parse_operations(const std::string& option, std::string_view text);

/// `6.7B`, `4096`, `6.7e9`, ...: how many, more than none. `option` is for the message.
double parse_count(const std::string& option, std::string_view text);

/// `2026-12-31`: as it is written. `option` is for the message.
std::string parse_date(const std::string& option, const std::string& text);

/// `5%`, `20ms`, `idle.host_sync=10ms` or `compute=5%`. `option` is for the message.
GrowthLimit parse_growth(const std::string& option, std::string_view text);

/// `clock.throttled.margin=8%`: the parameter and its value.
std::pair<std::string, std::string> parse_setting(std::string_view text);

/// "tokens=4096,16384": what a cycle does in the normal and in the abnormal run; one number is for both.
SamplesPerCycle parse_samples(const std::string& option, std::string_view text);

}  // namespace kdiag::cli
