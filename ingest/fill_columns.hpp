// SPDX-License-Identifier: Apache-2.0
// Columns that only a view which is set aside has.
#pragma once

#include <kdiag/fact.hpp>

namespace kdiag {

struct Fragment;

/// Gives rows of `used` the numbers that the same rows of `other` state in columns which `used` does not have: the
/// utilization of a kernel table beside a timeline. Rows are the same that have one name and begin together, whichever
/// precision their times have; both must count time from the same zero.
void fill_columns(Fragment& used, const Fragment& other, TableId id);

}  // namespace kdiag
