// SPDX-License-Identifier: Apache-2.0
// Pieces of files that keep their places: texts, expressions, names of rules.
#pragma once

#include <cstddef>
#include <string>

#include <kdiag/diagnostic.hpp>

#include "engine/language/expr.hpp"
#include "engine/language/text_origin.hpp"

namespace kdiag {

/// A text that was taken out of a file, with the place of each of its bytes, so that an error inside points at the
/// exact byte of the file.
struct SourceText {
  std::string text;
  SourcePtr source;   ///< null for texts that have no file
  TextOrigin origin;  ///< empty when the style (escapes, folding) allows no map
  Span whole;         ///< the scalar in the file: the fallback place

  /// The place of a range of the text.
  Span span(TextRange range) const;
  /// A part of the text with its places.
  SourceText part(std::size_t begin, std::size_t end) const;
};

/// All of a source as one text: an expression that was given on the command line.
SourceText whole_text(const SourcePtr& source);

/// A parsed expression and its text.
struct Expression {
  ExprPtr tree;  ///< null when it did not parse (a diagnostic says so)
  SourceText text;
};

/// The id of a rule where it is named, or another text of which only the place matters.
struct Reference {
  std::string rule;
  Span span;
};

}  // namespace kdiag
