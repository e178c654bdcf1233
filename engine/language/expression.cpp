// SPDX-License-Identifier: Apache-2.0
#include "engine/language/expression.hpp"

#include <algorithm>

namespace kdiag {

Span SourceText::span(TextRange range) const {
  if (origin.empty()) return whole;
  const std::size_t last = origin.size() - 1;
  const std::size_t begin = origin[std::min<std::size_t>(range.begin, last)];
  const std::size_t end = origin[std::min<std::size_t>(range.end, last)];
  return {source, begin, end > begin ? end - begin : 0};
}

SourceText SourceText::part(std::size_t begin, std::size_t end) const {
  SourceText out;
  out.text = text.substr(begin, end - begin);
  out.source = source;
  out.whole = whole;
  if (origin.empty()) return out;
  out.origin = origin.part(begin, end + 1);
  out.whole = span({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  return out;
}

SourceText whole_text(const SourcePtr& source) {
  SourceText out;
  out.text = source->text;
  out.source = source;
  out.whole = {source, 0, out.text.size()};
  out.origin = TextOrigin(0, out.text.size() + 1);
  return out;
}

}  // namespace kdiag
