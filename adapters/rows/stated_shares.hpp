// SPDX-License-Identifier: Apache-2.0
// Tables of totals that print beside each time the share of it in a whole: whether all rows of the whole are there.
// People cut such tables, and put "..." in the place of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag::adapters {

class StatedShares {
 public:
  /// A row of the table, whether it is used or not: its time in ns, and its share as printed, "38.7" or "38.7%". A row
  /// without a share says nothing of the whole.
  void add(std::int64_t time, std::string_view percent);

  /// The whole in ns, by the row with the largest share; nothing where that is too small to tell.
  std::optional<std::int64_t> whole() const;

  /// What the whole has beside the rows, in ns; 0 where they are all of it as far as rounded shares tell.
  std::int64_t not_listed() const;

 private:
  double listed_ = 0;
  double whole_ = 0, surest_share_ = 0;  ///< by the row with the largest share
  double least_whole_ = 0;               ///< the shares are rounded: the whole is no less than this
};

}  // namespace kdiag::adapters
