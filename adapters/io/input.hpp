// SPDX-License-Identifier: Apache-2.0
// Opens inputs: files, pipes, memory and members of archives, with gzip, zstd and xz unwrapped by content.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

class UnpackBudget;

inline constexpr int most_layers = 4;  ///< of compression; judgement: .gz in .zst happens, more is an attack

/// Progress of reading, shared with whoever shows it: bytes of the file read so far (before unwrapping), and all
/// of them (0 when unknown: a pipe).
struct ReadProgress {
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> total{0};
  UnpackBudget* budget = nullptr;             ///< of the call; null: each input has its own
  const std::atomic<bool>* cancel = nullptr;  ///< once it is true, a pipe that nobody writes to counts as ended
};

/// Opens a file or pipe ("-" is standard input) for one pass from the start, unwraps gzip (all members), zstd (all
/// frames) and xz (all streams) by their magic bytes, nested up to most_layers deep, and fills the head. Never by
/// extension. Errors, each a sentence that says what to do: no such file, no permission, a directory, an empty file, a
/// Git LFS pointer, an .nsys-rep, an archive where one input is needed, and containers that kdiag does not unwrap:
/// bzip2, parquet, Python pickle.
Result<std::unique_ptr<Input>> open_input(const std::string& path, ReadProgress* progress = nullptr);

/// The same over bytes in memory, which must outlive the input. `name` is for messages.
Result<std::unique_ptr<Input>> open_input(std::string_view name, std::span<const char> bytes);

/// Notes why reading ended early, for an adapter that keeps what it had: `errors` are those of Input::read (K601 a
/// damaged or cut off stream, K608 bytes behind it, K618 any other failure, K707 a bomb), which came after `bytes`
/// unwrapped ones.
void note_read_errors(const Diagnostics& errors, std::uint64_t bytes, FactSink& sink);

}  // namespace kdiag::adapters
