// SPDX-License-Identifier: Apache-2.0
#include "tests/support/inert.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/utf8.hpp"

namespace kdiag::tests {
namespace {

struct Span {
  char32_t first, last;
};

/// Controls but for the line break and the tab, and what reorders, joins or hides text.
constexpr Span never[] = {{0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},     {0x61C, 0x61C},     {0x200B, 0x200F},
                          {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE0FFF}, {0x115F, 0x1160},
                          {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}};

/// What hostile_texts would add: no line of an output begins so. In Markdown a sentence may: a message that leads with
/// the name of a kernel, where a format ends its records with lines.
constexpr std::string_view forged_lines[] = {"# forged", "forged,line", "forged: line"};
std::span<const std::string_view> forged_lines_of(OutputKind kind) {
  return std::span(forged_lines).first(kind == OutputKind::markdown ? 1 : std::size(forged_lines));
}

std::string at(std::string_view output, std::size_t place, std::string_view what) {
  const std::size_t begin = place > 30 ? place - 30 : 0;
  return std::string(what) + " at byte " + std::to_string(place) + ": " + std::string(output.substr(begin, 60));
}

std::string harm_of_characters(std::string_view output, OutputKind kind) {
  for (std::size_t i = 0; i < output.size();) {
    if (output[i] >= ' ' && output[i] <= '~') {  // nearly all of any output
      ++i;
      continue;
    }
    const CodePoint point = code_point_at(output, i);
    if (!point.valid) return at(output, i, "ill-formed UTF-8");
    const bool harmful = std::any_of(std::begin(never), std::end(never),
                                     [&](Span span) { return point.value >= span.first && point.value <= span.last; });
    // The text report may be coloured; here it is not.
    if (harmful) return at(output, i, "a control or hidden character");
    if (point.value == '\t' && kind != OutputKind::csv) return at(output, i, "a tab");
    i += point.length;
  }
  return {};
}

std::string harm_of_lines(std::string_view output, OutputKind kind) {
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    for (const std::string_view forged : forged_lines_of(kind))
      if (output.substr(begin, end - begin).starts_with(forged)) return at(output, begin, "a forged line");
    begin = end + 1;
  }
  return {};
}

/// The text of Markdown without its code spans, whose content is shown as it is.
std::string without_code(std::string_view output) {
  std::string out;
  for (std::size_t i = 0; i < output.size();) {
    if (output[i] == '\\' && i + 1 < output.size()) {
      i += 2;
      continue;
    }
    if (output[i] != '`') {
      out += output[i++];
      continue;
    }
    const std::size_t fence = std::min(output.find_first_not_of('`', i), output.size()) - i;
    std::size_t close = output.find(std::string(fence, '`'), i + fence);
    while (close != std::string_view::npos && close + fence < output.size() && output[close + fence] == '`') {
      close = output.find_first_not_of('`', close);
      close = close == std::string_view::npos ? close : output.find(std::string(fence, '`'), close);
    }
    i = close == std::string_view::npos ? i + fence : close + fence;
  }
  return out;
}

std::string harm_of_markup(std::string_view output, OutputKind kind) {
  const std::string plain = kind == OutputKind::markdown ? without_code(output) : std::string(output);
  for (const std::string_view markup : {"<script", "<img", "<b>", "](javascript:", "https://evil", "www.evil"}) {
    if (kind == OutputKind::xml && !markup.starts_with('<')) continue;
    if (const std::size_t place = plain.find(markup); place != std::string::npos) return at(plain, place, "markup");
  }
  return {};
}

/// The first character of each cell.
std::string harm_of_cells(std::string_view output) {
  bool quoted = false;
  bool first = true;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const char c = output[i];
    const char next = i + 1 < output.size() ? output[i + 1] : ' ';
    const bool number = c == '-' && next >= '0' && next <= '9';
    if (first && c != '"' && std::string_view("=+-@\t").find(c) != std::string_view::npos && !number)
      return at(output, i, "a formula");
    if (c == '"') {
      quoted = !quoted;
      continue;  // a quoted cell begins behind its quote
    }
    first = !quoted && (c == ',' || c == '\n');
  }
  return quoted ? "a quote is not closed" : "";
}

}  // namespace

std::string harm_of(std::string_view output, OutputKind kind) {
  if (std::string harm = harm_of_characters(output, kind); !harm.empty()) return harm;
  if (kind == OutputKind::csv) return harm_of_cells(output);
  // Elements of XML keep the lines of a text, which are no lines of the document.
  if (std::string harm = harm_of_lines(output, kind); !harm.empty() && kind != OutputKind::xml) return harm;
  if (kind == OutputKind::markdown || kind == OutputKind::xml) return harm_of_markup(output, kind);
  return {};
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      "\x1b[2J\x1b]0;title\x07",
      "\r\n# forged heading\nforged: line\nforged,line",
      "\xc2\x9b"
      "31m",
      "\xe2\x80\xae"
      "desrever",
      "\xe2\x80\x8b\xe2\x81\xa0\xef\xbb\xbf",
      "\xf3\xa0\x80\x81",
      "\xe1\x85\x9f\xe3\x85\xa4\xef\xb8\x8f\xef\xbe\xa0",  // letters and selectors that show as nothing
      "<script>alert(1)</script><img src=x onerror=1><b>",
      "[x](javascript:1) | `code` ``` $math$ @user #12 https://evil.example www.evil.example",
      "=cmd()|' /C calc'!A0",
      "\"quoted\", 'quoted'",
      "{\"key\": 1}, ]]> --> */",
      "\x7f\x01\x1f",
      "%s%n%d",
      "${run.wall}",
  };
  return texts;
}

std::string hostile_text() {
  std::string out = "=1+1 ";
  for (const std::string& text : hostile_texts()) out += text;
  return out;
}

}  // namespace kdiag::tests
