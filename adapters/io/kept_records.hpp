// SPDX-License-Identifier: Apache-2.0
// Records that a format's reader keeps until it knows what rows they make, counted against the limits of the reading.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// What a reader keeps: records, and about how many bytes.
struct Kept {
  std::int64_t records = 0;
  std::int64_t bytes = 0;

  /// The records of a vector.
  template <class Vector>
  void add(const Vector& list) {
    records += static_cast<std::int64_t>(list.size());
    add_beside(list);
  }
  /// A vector of what is no record of its own.
  template <class Vector>
  void add_beside(const Vector& list) {
    bytes += static_cast<std::int64_t>(list.size() * sizeof(list[0]));
  }
  /// A map of names, about; how long these are is left out.
  template <class Map>
  void add_nodes(const Map& map) {
    bytes += static_cast<std::int64_t>(map.size() * (sizeof(typename Map::value_type) + 48));  // of libstdc++
  }
  void add_bytes(std::size_t more) { bytes += static_cast<std::int64_t>(more); }
};

/// Tells the sink what is kept in one place, until it is destroyed.
class KeptRecords {
 public:
  explicit KeptRecords(FactSink& sink) : sink_(sink) {}
  ~KeptRecords() { count({}); }
  KeptRecords(const KeptRecords&) = delete;
  KeptRecords& operator=(const KeptRecords&) = delete;

  void count(const Kept& kept) {
    sink_.keeps(kept.records - counted_.records, kept.bytes - counted_.bytes);
    counted_ = kept;
  }
  /// Counts what `kept()` says, once in so many calls.
  template <class Look>
  void look(const Look& kept) {
    if (++calls_ % calls_between_looks == 0) count(kept());
  }

 private:
  static constexpr std::size_t calls_between_looks = 4096;  // judgement: of records about 400 KB

  FactSink& sink_;
  Kept counted_;
  std::size_t calls_ = 0;
};

}  // namespace kdiag::adapters
