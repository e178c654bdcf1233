// SPDX-License-Identifier: Apache-2.0
// The traces that benchmarks read.
#pragma once

#include <cstdint>
#include <string>

namespace kdiag::bench {

/// The path of a generated trace of so many events, written at the first call.
const std::string& trace_file(std::int64_t events);

/// The number of bytes of a file.
std::int64_t file_size(const std::string& path);

}  // namespace kdiag::bench
