// SPDX-License-Identifier: Apache-2.0
// A batch that is filled for ever: rows that are over are taken out.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kdiag/fact.hpp>

namespace kdiag {

/// Takes out rows that end before an instant; how many. Rows by key and rows without an instant stay. Those that are
/// left move up, and references follow them; to a row that was taken out they become absent.
std::size_t drop_rows_before(Batch& batch, std::int64_t time);

}  // namespace kdiag
