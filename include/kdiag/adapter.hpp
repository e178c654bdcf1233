// SPDX-License-Identifier: Apache-2.0
// What an adapter is: a description, a test on the first bytes, and a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

/// The beginning of an input after containers (gzip, zstd, xz) are unwrapped: up to 1 MiB, and the top-level keys
/// when it is a JSON object, or the tables of an SQLite database. Never the file's name: formats are recognised by
/// content.
struct Head {
  std::string_view bytes;              ///< without a byte-order mark
  bool complete = false;               ///< the input ends within `bytes`
  char json = 0;                       ///< '{' or '[' when the first characters say JSON, else 0
  std::vector<std::string_view> keys;  ///< top-level keys of the first JSON object seen within `bytes`
  std::vector<std::string> tables;     ///< of an SQLite database, wherever in it they stand
  bool has_key(std::string_view key) const {
    for (std::string_view have : keys)
      if (have == key) return true;
    return false;
  }
  bool has_table(std::string_view table) const {
    for (const std::string& have : tables)
      if (have == table) return true;
    return false;
  }
};

/// A sequential reader of an input's unwrapped bytes. Not thread-safe.
class KDIAG_API Input {
 public:
  virtual ~Input() = default;

  /// The name to show in messages: the path as the user wrote it.
  virtual std::string_view name() const = 0;

  virtual const Head& head() const = 0;

  /// Path of a file that holds exactly these bytes, for formats that are read at random: of every SQLite database,
  /// which is copied to a temporary file where it is compressed or comes from a pipe. Empty for other inputs.
  virtual std::string_view file() const { return {}; }

  /// Why file() ends early: what failed while the input was copied to it, as `read` would say it. Empty when all is
  /// there.
  virtual const Diagnostics& file_errors() const {
    static const Diagnostics none;
    return none;
  }

  /// Fills `buffer` from the current position as far as the input allows; the first call starts at the first byte.
  /// Returns the number of bytes, 0 at the end. Errors (a corrupt container, a failing disk) are reported once as
  /// diagnostics; what was delivered before stays valid.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

/// One trace format. A constant of its own file `adapters/<tool>_<shape>.cpp`, named like the file.
struct Adapter {
  std::string_view id;                         ///< "pytorch-kineto"
  std::string_view title;                      ///< one line: what it reads
  std::string_view example;                    ///< first bytes or typical names of such a file, for `kdiag formats`
  std::string_view record;                     ///< command or code that records one
  std::span<const std::string_view> provides;  ///< "table" or "table.column" or "samples:series" it can supply

  /// How sure the bytes are this format: 0 no .. 100 certain. The highest wins; ties are a bug that a test finds.
  int (*sniff)(const Head& head);

  /// Reads all of the input. Bad rows are noted and skipped, never fatal; an error is for an input of which
  /// nothing can be used.
  Status (*read)(Input& input, FactSink& sink);

  /// Whether it finds its records wherever they stand in a line, so that tags of processes are no hindrance, and the
  /// lines of all processes are wanted.
  bool reads_tagged_lines = false;
};

}  // namespace kdiag
