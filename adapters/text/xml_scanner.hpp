// SPDX-License-Identifier: Apache-2.0
// Reads XML piece by piece, in bounded memory: elements and their text, as much as tools' reports need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// Longer tags and texts are no tool's (judgement).
inline constexpr std::size_t most_xml_piece_bytes = std::size_t{1} << 20U;

/// Steps through the elements of one or more documents that follow one another. Declarations, comments, document types
/// and processing instructions are passed over. Does not check that elements nest. Not thread-safe.
class XmlScanner {
 public:
  enum class Piece : std::uint8_t { open, text, close, end };

  explicit XmlScanner(Input& input) : input_(input) {}

  /// The next piece; `end` when there is no more. An empty element is an `open` and a `close`.
  Piece next();

  /// Of `open` and `close`: the element's name. Of `text`: the text, entities decoded, without blanks around it.
  std::string_view value() const { return value_; }
  /// Of `open`: the value of an attribute; empty when there is none.
  std::string attribute(std::string_view name) const;
  /// After `end`: the input ends within a tag, or between the declaration of a document and its first element.
  bool truncated() const { return truncated_ || declared_; }
  /// After `end`: why reading failed; empty when it did not.
  const Diagnostics& error() const { return error_; }
  std::uint64_t bytes() const { return bytes_; }  ///< read so far

 private:
  bool fill();
  bool find(char c, std::size_t& at);
  bool skip_markup();

  Input& input_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< first byte of the buffer that was not used
  std::string value_, attributes_;
  bool close_follows_ = false;
  bool ended_ = false, truncated_ = false;
  bool declared_ = false;  ///< a declaration or document type was read, and no element since
  Diagnostics error_;
  std::uint64_t bytes_ = 0;
};

}  // namespace kdiag::adapters
