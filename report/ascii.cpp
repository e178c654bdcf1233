// SPDX-License-Identifier: Apache-2.0
#include "report/ascii.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "base/utf8.hpp"

namespace kdiag::report {
namespace {

struct Spelling {
  std::string_view sign, ascii;  ///< as many columns each where tables hold it
};
constexpr Spelling spellings[] = {{"·", "|"}, {"└", "`"}, {"├", "|"}, {"│", "|"}, {"─", "-"}, {"°", " "}, {"µ", "u"},
                                  {"μ", "u"}, {"…", "~"}, {"×", "x"}, {"β", "b"}, {"Δ", "d"}, {"–", "-"}, {"→", ">"}};

void append_code_point(std::string& out, std::string_view text, char32_t value) {
  const auto* known = std::find_if(std::begin(spellings), std::end(spellings),
                                   [text](const Spelling& one) { return one.sign == text; });
  if (known != std::end(spellings)) {
    out += known->ascii;
    return;
  }
  char escaped[16];
  std::snprintf(escaped, sizeof escaped, value > 0xFFFF ? "\\u%06x" : "\\u%04x", static_cast<unsigned>(value));
  out += escaped;
}

}  // namespace

std::string in_ascii(std::string text, bool wanted) {
  if (!wanted || std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return text;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (point.value < 0x80) out += static_cast<char>(point.value);
    else append_code_point(out, std::string_view(text).substr(at, point.length), point.value);
    at += point.length;
  }
  return out;
}

}  // namespace kdiag::report
