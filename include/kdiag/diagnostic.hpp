// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what is wrong, where exactly, and what to do about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/shared.hpp>

namespace kdiag {

/// A text that diagnostics can point into: a rule file, an expression given on the command line, a trace's name.
/// `text` may be empty when only the name is known; spans then carry no position.
struct Source {
  std::string name;
  std::string text;
};
using SourcePtr = Shared<Source>;

/// A half-open range of bytes of a source. A null source means "no place".
struct Span {
  SourcePtr source;
  std::size_t offset = 0;
  std::size_t length = 0;
};

enum class Level { error, warning, note };

/// One marked place. The primary label (the first) carries the carets `^^^`, the others `---`.
struct Label {
  Span span;
  std::string text;
};

/// One thing to tell the user. Ids are stable for ever: K1xx YAML, K2xx types and units, K3xx names, K4xx lint,
/// K5xx run time, K6xx traces and command line, K7xx Lua; docs/errors.md explains each.
struct Diagnostic {
  std::string id;
  Level level = Level::error;
  std::string title;
  std::vector<Label> labels;
  std::string note;     ///< background, printed as "note: ..."
  std::string help;     ///< what to do, printed as "help: ..."
  std::string context;  ///< the rule or test it belongs to, printed in parentheses behind the title
};
using Diagnostics = std::vector<Diagnostic>;

/// A position as people count: 1-based line and 1-based column in code points.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};
KDIAG_API Position position_of(const Source& source, std::size_t offset);

struct RenderOptions {
  bool color = false;
};

/// Diagnostics as text, each ending in a newline:
///
///     throttle.yaml:5:17: error[K301]: unknown column 'device.sm_clok_max'  (rule clock.throttled)
///      5 |     ref: device.sm_clok_max
///        |                 ^^^^^^^^^^^ did you mean 'sm_clock_max'?
///
/// Control characters of the source are shown escaped; tabs count as one space.
KDIAG_API std::string render(const Diagnostic& diagnostic, RenderOptions options = {});
KDIAG_API std::string render(const Diagnostics& diagnostics, RenderOptions options = {});

/// "did you mean 'sm_clock_max'?" when a misspelt word is close to one of the names, else nothing.
KDIAG_API std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

/// Whether any of them is an error.
KDIAG_API bool has_error(const Diagnostics& diagnostics);

}  // namespace kdiag
