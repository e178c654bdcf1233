// SPDX-License-Identifier: Apache-2.0
// Where a trace in the Trace Event Format holds its events, found without reading them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kdiag::adapters {

/// Takes a document piece by piece.
class EventListFinder {
 public:
  void add(std::string_view piece);

  /// The byte behind the bracket that opens the list of events; nothing where there is none.
  std::optional<std::uint64_t> begin() const { return begin_; }
  /// Whether the list holds nothing.
  bool empty() const { return empty_; }
  /// What times are counted from, in ns, where the document states it (baseTimeNanoseconds).
  std::int64_t base_time() const { return base_time_; }

 private:
  void structural(char c);
  void end_string();
  void take_base_time();

  std::uint64_t position_ = 0;  ///< of the next byte
  std::uint64_t depth_ = 0;
  bool in_string_ = false, escaped_ = false, first_in_list_ = false, empty_ = false;
  bool wants_key_ = false;  ///< of the outermost object
  std::string text_, key_;  ///< the string or number being read; the last key of the outermost object
  std::optional<std::uint64_t> begin_;
  std::int64_t base_time_ = 0;
};

}  // namespace kdiag::adapters
