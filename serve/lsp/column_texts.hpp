// SPDX-License-Identifier: Apache-2.0
// What a text in an expression can be where it is compared with a column: `kind == "`.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace kdiag::serve {

struct ComparedColumn {
  std::string name;
  std::vector<std::string> tables;  ///< that have it: the last one that the line names, else all
};

/// The column that a text is compared with which is open at the end of the beginning of a line.
std::optional<ComparedColumn> compared_column(std::string_view before);

/// The words of the catalogue, where the column can have no others.
std::vector<std::string> words_of(const ComparedColumn& column);
/// The most frequent of its texts in some facts, at most 30 of one table (judgement); none of names that would end the
/// text or steer what shows them.
std::vector<std::string> texts_of(const Facts& facts, const ComparedColumn& column, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
