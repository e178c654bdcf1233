// SPDX-License-Identifier: Apache-2.0
// Laying out text in columns: wrapping by code points, hanging labels, colour that never changes the layout.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/phrases/stop_check.hpp"

namespace kdiag::report {

/// Words of a running text, which is made harmless first. A number stays with its unit: "9.24 ms" is one word.
std::vector<std::string> words_of(std::string_view text);

/// Parts as words with dots between: "5 ms of 9 ms ·", "confidence 0.9". Short parts stay whole.
std::vector<std::string> dotted(const std::vector<std::string>& parts);

/// What happens to an address, a path or a name that is longer than a line. Lists are broken behind a comma in any
/// case.
enum class LongWords { whole, broken };

/// Words as lines of at most `first` (the first line) and `rest` code points. Long words that stay whole, so that they
/// can be copied, have a longer line of their own.
std::vector<std::string> wrap(const std::vector<std::string>& words, std::size_t first, std::size_t rest,
                              LongWords long_words = LongWords::whole);

enum class Style { plain, strong, faint, red, alarm, yellow, cyan };

/// Where the labels of a report's closing sections end and their texts start.
inline constexpr std::size_t section_column = 23;

/// A growing page of text of one width.
class Page {
 public:
  /// `stop`: the next line throws Interrupted once it is set.
  Page(std::size_t width, bool color, CancelFlag stop = nullptr);

  std::size_t width() const { return width_; }

  /// The text in a style, or as it is on a page without colour.
  std::string paint(Style style, std::string_view text) const;

  void line(std::string_view text = {});

  /// A label and a text beside it, wrapped in the columns from `column` on:
  ///     Do     Keep the value on the device; read it
  ///            every N steps.
  void field(std::string_view label, std::size_t indent, std::size_t column, const std::vector<std::string>& words,
             Style label_style = Style::faint);

  /// A label and an address beside it: a link where the terminal shows such, nothing where the address is empty.
  void link(std::string_view label, std::size_t indent, std::size_t column, std::string_view address);
  /// Terminals that know OSC 8 open the address, which stays the text, too.
  void show_links() { links_ = true; }

  /// A heading with a tag at the right edge of its first line. `lead` takes `lead_width` columns, colour aside.
  void heading(std::string_view lead, std::size_t lead_width, std::string_view title, std::string_view tag,
               Style style);

  std::string take();

 private:
  std::size_t width_;
  bool color_;
  bool links_ = false;
  CancelFlag stop_;
  std::string out_;
};

}  // namespace kdiag::report
