// SPDX-License-Identifier: Apache-2.0
// Names of kernels in little room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/phrases/stop_check.hpp"

namespace kdiag::report {

/// At most `limit` code points of a C++ signature: without its return type, template arguments and parameters, then
/// without its namespaces, as far as it does not fit (spoken_name); then as shorten_middle, as all other texts from the
/// start.
///     shorten_signature("void at::native::reduce_kernel<512, 1>(ReduceOp)", 30) == "at::native::reduce_kernel"
std::string shorten_signature(std::string_view text, std::size_t limit);

/// As shorten_signature does it if the text has template arguments, else by its middle: names of ranges and of Python's
/// functions have brackets that are no list of parameters.
std::string shorten_name(std::string_view text, std::size_t limit);

/// Each as shorten_signature does it; those that then read alike though they differ keep the part in which they do:
///     "elementwise_kernel…AddFunctor<float>" beside "elementwise_kernel…FillFunctor<float>"
std::vector<std::string> shorten_signatures(const std::vector<std::string>& texts, std::size_t limit,
                                            const StopCheck& stop_check = {});

}  // namespace kdiag::report
