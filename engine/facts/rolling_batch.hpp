// SPDX-License-Identifier: Apache-2.0
// A batch that is filled for ever: a copy of what it has now, and rows that are over taken out.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kdiag/fact.hpp>

namespace kdiag {

/// Another batch of the same rows and texts.
Batch copy_of(const Batch& batch);

/// Takes out rows that end before an instant; how many. Rows by key and rows without an instant stay. Those that are
/// left move up, and references follow them; to a row that was taken out they become absent.
std::size_t drop_rows_before(Batch& batch, std::int64_t time);

}  // namespace kdiag
