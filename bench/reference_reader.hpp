// SPDX-License-Identifier: Apache-2.0
// The yardstick of all measurements: the usual way to read a trace fast.
#pragma once

#include <string>

#include "bench/columns.hpp"

namespace kdiag::bench {

/// Loads the whole file and walks its events with simdjson's on-demand interface, in one thread.
Columns read_reference(const std::string& path);

}  // namespace kdiag::bench
