// SPDX-License-Identifier: Apache-2.0
// Where an input's bytes come from: a file, memory, or the decoder of a compressed stream over another source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <kdiag/result.hpp>

#include "adapters/io/input.hpp"
#include "adapters/io/unpack_budget.hpp"

namespace kdiag::adapters {

/// A sequence of bytes, read once from the start.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `buffer` as far as it allows and returns the number of bytes, 0 at the end. An error comes only after
  /// everything before it was delivered, and then again from every further call. Diagnostics carry no label yet.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
  /// Bytes taken so far from what the user gave (the file, pipe or memory at the bottom), before any unwrapping.
  virtual std::uint64_t taken() const = 0;
  /// What may be unpacked of it, with all that shares its budget.
  virtual UnpackBudget& budget() = 0;
  /// Moves to another position as lseek does and returns it; negative when the source only runs forward, or ends before
  /// that position.
  virtual std::int64_t seek(std::int64_t /*offset*/, int /*whence*/) { return -1; }
};

/// A file, pipe or device; "-" is standard input. Errors: K610 no such file, K611 no permission, K612 a directory,
/// K618 any other failure.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path, ReadProgress* progress);

/// An open file, pipe or socket from where it stands, which stays the caller's to close; read from the front only.
/// Errors: K612 a directory, K618 any other failure.
Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, ReadProgress* progress);

/// What a host delivers: <kdiag/input.hpp>.
using ReadCallback = std::function<std::int64_t(std::span<char> buffer)>;
/// A failure or exception of the callback is K618.
std::unique_ptr<ByteSource> callback_source(ReadCallback read, ReadProgress* progress);

/// Bytes in memory, which must outlive the source. `budget`: null for one of its own.
std::unique_ptr<ByteSource> memory_source(std::span<const char> bytes, UnpackBudget* budget = nullptr);

/// Appends up to `limit` bytes to `text`. Fails only when an error came before any byte.
Status append_from(ByteSource& source, std::string& text, std::size_t limit);

inline Diagnostic input_error(std::string_view id, std::string title, std::string help) {
  Diagnostic error;
  error.id = id;
  error.title = std::move(title);
  error.help = std::move(help);
  return error;
}

}  // namespace kdiag::adapters
