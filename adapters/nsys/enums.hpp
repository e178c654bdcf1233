// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for kinds of copies and of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/util/copy_names.hpp"
#include "adapters/util/sqlite.hpp"

namespace kdiag::adapters::nsys {

/// What a row of copies says of its direction and memories. Exports since 2022.4 name the numbers in tables ENUM_*; for
/// older ones those of the same profiler count. They are not CUPTI's: pageable memory is 0 here and 1 there.
class CopyKinds {
 public:
  CopyKinds(const Database& database, FactSink& sink);

  /// A migration of managed memory is of kind "um", between "managed" on the host's side and "device".
  CopyName operator()(std::optional<std::int64_t> kind, std::optional<std::int64_t> source,
                      std::optional<std::int64_t> target);

 private:
  TextTable directions_, memories_;
};

}  // namespace kdiag::adapters::nsys
