// SPDX-License-Identifier: Apache-2.0
// What stands in front of every line of a text that a tool printed: the tag of the process that wrote it (mpirun
// --tag-output, srun -l, PALS, pdsh), the time at which a log took it, the marks of a comment it was pasted into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

class LinePrefix {
 public:
  /// The prefix of the lines of a text, which may be cut in the middle of one; nothing when there is none that so many
  /// lines have. Of several processes that tag their lines, the one that wrote most is meant.
  static std::optional<LinePrefix> of(std::string_view text);

  /// A line (without its end) as the tool printed it; empty for one that another process wrote. Lines without the
  /// prefix stay as they are.
  std::string_view strip(std::string_view line) const;

  /// Whether a reader of the text as it is needs what is taken off: `#` begins the header lines of some tools.
  bool ambiguous() const { return shape_ == Shape::hash; }

  /// "'[1,0]<stdout>:'": what it is, for messages; with the number of processes whose lines are left out.
  std::string describe() const;

 private:
  enum class Shape : std::uint8_t { process, time, slashes, hash };

  /// The length of a prefix of a shape in front of a line; 0 for none.
  static std::size_t length(Shape shape, std::string_view line);

  Shape shape_ = Shape::process;
  std::string tag_;         ///< of the process that is meant; an example otherwise
  std::size_t others_ = 0;  ///< processes whose lines are left out
};

/// The input without the prefix of its lines. Lines that are left out are blank, so that line numbers stay. `input`
/// must outlive it, and must not have been read from.
std::unique_ptr<Input> without_line_prefix(Input& input, LinePrefix prefix);

}  // namespace kdiag::adapters
