// SPDX-License-Identifier: Apache-2.0
// zip and tar archives, member by member. Members are only read, never written anywhere, so their names are labels and
// nothing more: an absolute path or ".." in one does no harm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "adapters/io/byte_source.hpp"

namespace kdiag::adapters {

/// An open archive. Not thread-safe.
class Archive {
 public:
  struct Member {
    enum class Kind {
      file,
      link,       ///< stands for a file elsewhere
      encrypted,  ///< cannot be read without a password
      special,    ///< a device, a pipe
    };
    std::string name;  ///< as the archive states it: any bytes
    Kind kind = Kind::file;
  };

  virtual ~Archive() = default;
  /// Steps to the next member that is no folder; nothing at the end. Errors: K704 the archive is damaged or cut off,
  /// K707 and K765 that no more may be unpacked, and those of the bytes it stands in. No member follows one.
  virtual Result<std::optional<Member>> next() = 0;
  /// The bytes of the current member, to be read before the next step. Errors: K601 damaged, K707 and K765 as
  /// above.
  virtual std::unique_ptr<ByteSource> open() = 0;
};

/// Whether bytes that start like this are a zip or tar archive that this build opens. Wants `refusal_bytes` of them.
bool is_archive(std::string_view start);

/// The archive in `source`, of which `start` was already read. A zip archive is read by its table of contents where
/// the source can be read at random, else from the front.
std::unique_ptr<Archive> open_archive(std::unique_ptr<ByteSource> source, std::string start);

/// What a file or memory holds: one input, or an archive of several.
struct Opened {
  std::unique_ptr<Input> input;
  std::unique_ptr<Archive> archive;
};

/// As open_input, for callers that take archives too (zip, tar, under whatever compression).
Result<Opened> open_input_or_archive(const std::string& path, ReadProgress* progress = nullptr);
Result<Opened> open_input_or_archive(std::string_view name, std::span<const char> bytes,
                                     UnpackBudget* budget = nullptr);
Result<Opened> open_input_or_archive(std::string_view name, std::unique_ptr<ByteSource> source);

/// The current member of an archive as an input, which must end before the archive steps on.
Result<std::unique_ptr<Input>> open_member(std::string_view name, Archive& archive);

}  // namespace kdiag::adapters
