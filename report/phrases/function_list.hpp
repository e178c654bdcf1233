// SPDX-License-Identifier: Apache-2.0
// The functions of a comparison as people read them: a line for each, whatever the number of its metrics.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

namespace kdiag::report {

struct FunctionList {
  std::string heading;             ///< what is listed, in which order
  std::vector<std::string> lines;  ///< harmless, as visible() makes text
  std::size_t hidden = 0;          ///< rows of the comparison that no line tells
};

/// At most `most` functions that take more time of a cycle than before, most suspicious first; of a run that became
/// faster those whose share changed, which is no suspicion. With `all` each row as it is.
FunctionList function_list(const Comparison& comparison, bool all, std::size_t most);

/// Whether a function is one of the host, whose time is summed over threads and may exceed that of the cycle.
bool is_thread_time(const Comparison& comparison, const std::string& function);

}  // namespace kdiag::report
