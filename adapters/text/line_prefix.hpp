// SPDX-License-Identifier: Apache-2.0
// What stands in front of every line of a text that a tool printed: the tag of the process that wrote it (mpirun
// --tag-output, srun -l, PALS, pdsh, torchrun, Ray, vLLM), the time at which a log took it, the marks of a comment or a
// quote it was pasted into; and the colours of a terminal.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/text/line_shapes.hpp"

namespace kdiag::adapters {

class LinePrefix {
 public:
  /// What may stand in front of the lines of a text, which may be cut in the middle of one; none when there is nothing
  /// that so many lines have. Of several processes that tag their lines, those that wrote most come first. Prefixes of
  /// several parts stand behind those with fewer; of many there are only the first.
  static std::vector<LinePrefix> of(std::string_view text);

  /// A line (without its end) as the tool printed it; empty for one that another process wrote. Lines without the
  /// prefix stay as they are.
  std::string strip(std::string_view line) const;

  /// Whether a reader of the text as it is may need what is taken off last: `#` begins the header lines of some tools,
  /// and few lines have it.
  bool ambiguous() const { return !layers_.empty() && layers_.back().ambiguous; }

  /// Whether it is the other one and more behind it.
  bool extends(const LinePrefix& outer) const;

  /// How many processes' lines are left out.
  std::size_t others() const;

  /// "'[1,0]<stdout>:'": what it is, for messages.
  std::string describe() const;

 private:
  struct Layer {
    LineShape shape;
    std::string tag;     ///< of the process that is meant; an example otherwise
    std::size_t others;  ///< processes whose lines are left out
    bool ambiguous;

    std::string_view strip(std::string_view line) const;
  };

  /// What may be behind it in front of lines, which it has been taken off of.
  std::vector<Layer> next_layers(const std::vector<std::string>& lines) const;
  static std::vector<Layer> layers_of(LineShape shape, const std::vector<std::string>& lines);

  bool colours_ = false;
  std::vector<Layer> layers_;  ///< the outermost first
};

/// The input without the prefix of its lines. Lines that are left out are blank, so that line numbers stay. `input`
/// must outlive it, and must not have been read from.
std::unique_ptr<Input> without_line_prefix(Input& input, LinePrefix prefix);

}  // namespace kdiag::adapters
