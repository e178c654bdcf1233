// SPDX-License-Identifier: Apache-2.0
// Kinds of copies and of memory: the numbers of exports, the labels of reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/io/sqlite.hpp"
#include "adapters/names/copy_names.hpp"

namespace kdiag::adapters::nsys {

/// What a row of copies says of its direction and memories. Exports since 2022.4 name the numbers in tables ENUM_*; for
/// older ones those of the same profiler count. They are not CUPTI's: pageable memory is 0 here and 1 there.
class CopyKinds {
 public:
  explicit CopyKinds(const Database& database);

  /// A migration of managed memory is of kind "um", between "managed" on the host's side and "device".
  CopyName operator()(std::optional<std::int64_t> kind, std::optional<std::int64_t> source,
                      std::optional<std::int64_t> target);

 private:
  TextTable directions_, memories_;
};

/// The same of a report's labels: `[CUDA memcpy Host-to-Device]`, `[CUDA memcpy HtoD]` before 2023,
/// `[CUDA memcpy Unified Device-to-Host]`, with the memories where the report has columns for them.
CopyName copy_of_labels(std::string_view operation, std::string_view source = {}, std::string_view target = {});

/// Whether a report's operation is a copy or a fill: `[CUDA memcpy ...]`, `[CUDA memset]`.
bool is_copy_label(std::string_view operation);
bool is_memset_label(std::string_view operation);

}  // namespace kdiag::adapters::nsys
