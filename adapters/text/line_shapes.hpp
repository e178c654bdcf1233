// SPDX-License-Identifier: Apache-2.0
// Shapes of what stands in front of the lines of a text that a tool printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kdiag::adapters {

enum class LineShape : std::uint8_t {
  worker,   ///< "(EngineCore_DP0 pid=17) ", "(WorkerDict pid=17, ip=10.0.0.2) ", "[rank0]:", "[default0]:"
  process,  ///< "[1,0]<stdout>:", "0: ", "host 0: ", "node17: "
  logger,   ///< "INFO 11-05 13:22:49 [worker.py:210] "
  time,     ///< "2026-05-04T10:00:00.123Z ", "[2026-05-04 10:00:00,123] "
  quote,    ///< "> "
  slashes,  ///< "// "
  hash,     ///< "# "
};

/// Whether the shape names the process that wrote a line: lines of others are not of its table.
constexpr bool names_process(LineShape shape) { return shape == LineShape::worker || shape == LineShape::process; }

/// The length of a prefix of a shape in front of a line (without its end); 0 for none.
std::size_t prefix_length(LineShape shape, std::string_view line);

/// A line without the sequences that colour it on a terminal, "\033[36m" and "[36m", which is what copying leaves of
/// it.
std::string without_colours(std::string_view line);

}  // namespace kdiag::adapters
