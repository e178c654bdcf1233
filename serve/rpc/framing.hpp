// SPDX-License-Identifier: Apache-2.0
// Where a message begins and ends in a stream of bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kdiag::serve {

enum class Framing {
  headers,  ///< `Content-Length: 17`, an empty line, 17 bytes: the Language Server Protocol
  lines,    ///< a message is a line: the Model Context Protocol
};

struct Frame {
  enum class Kind {
    message,
    refused,  ///< one that is not taken; the next one can be read
    lost,     ///< where the next one begins cannot be known: nothing more is read
    end,      ///< of the input, or the reader was told to end
  };
  Kind kind = Kind::end;
  std::string text;  ///< of the message, or why there is none
};

/// Reads messages of a descriptor. Holds one message of at most `most_bytes` and what came with it; longer ones are
/// skipped without being held.
class FrameReader {
 public:
  /// `wake`: a descriptor that can be read once reading shall end. Both are the caller's.
  FrameReader(int input, int wake, Framing framing, std::size_t most_bytes)
      : input_(input), wake_(wake), framing_(framing), most_bytes_(most_bytes) {}
  /// Waits for a message.
  Frame next();

 private:
  enum class Line { whole, too_long, end };

  bool fill();
  /// The next line without its end, in line_; at the end of the input what is left of it.
  Line take_line(std::size_t most);
  /// Whether all of them came.
  bool skip(std::size_t bytes);
  bool skip_line();
  Frame next_line();
  Frame next_with_headers();
  Frame body(std::size_t bytes);

  int input_, wake_;
  Framing framing_;
  std::size_t most_bytes_;
  std::string buffer_;  ///< what was read, from at_ on not yet used
  std::size_t at_ = 0;
  std::string line_;
};

/// A message as it is sent.
std::string framed(std::string_view message, Framing framing);

/// Whether all of it was written: false when nobody reads any more, or writing fails.
bool write_all(int output, std::string_view bytes);

}  // namespace kdiag::serve
