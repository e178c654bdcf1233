// SPDX-License-Identifier: Apache-2.0
// Traces from where the host has them: paths, memory, open files and callbacks, several of them as one recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// Gives the next bytes of a trace: fills the buffer or a part of it and returns how many bytes, 0 at the end, a
/// negative number when it failed (K618; what was delivered before stays valid). Called from one thread at a time.
using ReadBytes = std::function<std::int64_t(std::span<char> buffer)>;

/// One input and where its bytes come from. Whatever the source, the format is recognised by content, containers and
/// archives are unwrapped, and databases without a path are copied to a temporary file.
class KDIAG_API TraceInput {
 public:
  using Bytes = std::span<const char>;
  /// A file, folder, archive, "-" or `FILE#2`, as load_trace takes it.
  static TraceInput path(std::string path) { return {std::move(path), std::monostate{}}; }
  /// Bytes in memory, which must outlive the call that loads them.
  static TraceInput memory(std::string name, Bytes bytes) { return {std::move(name), bytes}; }
  /// An open file, pipe or socket, read from where it stands to its end. It stays the caller's to close.
  static TraceInput descriptor(std::string name, int descriptor) { return {std::move(name), descriptor}; }
  static TraceInput callback(std::string name, ReadBytes read) { return {std::move(name), std::move(read)}; }

  /// The path, or how messages and reports call the input.
  const std::string& name() const { return name_; }
  using Source = std::variant<std::monostate, Bytes, int, ReadBytes>;
  const Source& source() const { return source_; }

 private:
  TraceInput(std::string name, Source source) : name_(std::move(name)), source_(std::move(source)) {}
  std::string name_;
  Source source_;
};

/// Loads several inputs at once, as load_traces does with paths: those that are one run are joined.
///
/// Example:
///     const kdiag::TraceInput inputs[] = {kdiag::TraceInput::memory("rank0.json", first),
///                                         kdiag::TraceInput::descriptor("rank1.json.gz", socket)};
///     auto facts = kdiag::load_inputs(inputs);
KDIAG_API Result<Facts> load_inputs(std::span<const TraceInput> inputs, const LoadOptions& options = {});

}  // namespace kdiag
