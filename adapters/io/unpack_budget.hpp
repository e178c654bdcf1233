// SPDX-License-Identifier: Apache-2.0
// What may come out of compressed streams and archives: a few bytes can unpack to terabytes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <kdiag/diagnostic.hpp>

namespace kdiag::adapters {

/// Unpacking that is out of all proportion is no recording (judgement: traces pack 10 to 50 times, zeros 1000 and
/// more), unless it is little: an empty file of records may pack as well as it likes.
inline constexpr std::uint64_t most_times_unpacked = 500;
inline constexpr std::uint64_t harmless_unpacked_bytes = 1ULL << 30;
/// The memory that one decoder may hold (judgement): `xz -9` needs 65 MiB, a hostile header asks for 4 GiB.
inline constexpr std::uint64_t most_decoder_bytes = 1ULL << 30;

/// The budget of one call, shared by all inputs, members of archives and layers of compression. Thread-safe.
class UnpackBudget {
 public:
  /// `most`: bytes that may be unpacked in all. `memory`: that the call may hold. 0: no limit.
  explicit UnpackBudget(std::uint64_t most = 0, std::uint64_t memory = 0) : most_(most), memory_(memory) {}

  /// Bytes of what the user gave were read; each counts once.
  void take(std::uint64_t bytes) { taken_.fetch_add(bytes, std::memory_order_relaxed); }
  /// Bytes came out of a container.
  void unpack(std::uint64_t bytes) { unpacked_.fetch_add(bytes, std::memory_order_relaxed); }

  /// Whether no more is unpacked; `error` then says why: K707 a bomb, K765 more than the limit.
  bool exceeded() const { return is_bomb() || is_too_much(); }
  Diagnostic error() const;

  /// What a decoder may hold, in bytes.
  std::uint64_t decoder_bytes() const {
    return memory_ == 0 ? most_decoder_bytes : std::min(memory_, most_decoder_bytes);
  }

 private:
  bool is_bomb() const {
    const std::uint64_t unpacked = unpacked_.load(std::memory_order_relaxed);
    return unpacked > harmless_unpacked_bytes &&
           unpacked / most_times_unpacked > taken_.load(std::memory_order_relaxed);
  }
  bool is_too_much() const { return most_ > 0 && unpacked_.load(std::memory_order_relaxed) > most_; }

  const std::uint64_t most_, memory_;
  std::atomic<std::uint64_t> taken_{0}, unpacked_{0};
};

}  // namespace kdiag::adapters
