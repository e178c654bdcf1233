// SPDX-License-Identifier: Apache-2.0
// The rows of a whole trace, and what each of them shows: names say so, else what stands on them. A guess.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/generic/chrome/events.hpp"
#include "adapters/names/row_names.hpp"

namespace kdiag::adapters::chrome {

/// All chunks as one: tracks and names have the same number everywhere.
struct Trace {
  std::vector<std::string> names;
  std::vector<Track> tracks;
  std::vector<std::vector<Mark>> marks;  ///< by track, in order of the file
  std::vector<Sample> samples;
  RowNames row_names;
  std::int64_t begin = absent_integer, end = absent_integer;  ///< of all ranges
};

/// `chunks` stand in file order.
Trace merge(std::vector<std::unique_ptr<Events>> chunks);

/// What a row is, with all that names did not state filled in.
struct Place {
  RowMeaning meaning;
  std::int64_t process = 0, thread = 0;
  std::optional<std::int64_t> rank, stage;
  std::int64_t device = 0, queue = 0;
  std::string_view thread_name;
  bool asynchronous = false;
  bool named = false;     ///< the row, or its process, has a name
  bool executor = false;  ///< of TensorFlow 1: operators of the host, whichever device they are for
};

template <class Key>
std::string_view find_text(const std::map<Key, std::string>& texts, const Key& key) {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string_view{} : std::string_view(found->second);
}

/// By track. Notes ranks that were numbered by their coordinates (K644).
std::vector<Place> find_places(const Trace& trace, FactSink& sink);

}  // namespace kdiag::adapters::chrome
