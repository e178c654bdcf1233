// SPDX-License-Identifier: Apache-2.0
#include "report/text/page.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view units[] = {"ns", "us", "ms",  "s",    "min",  "h",    "d",   "times", "%",
                                      "x",  "B",  "KiB", "MiB",  "GiB",  "TiB",  "Hz",  "kHz",   "MHz",
                                      "W",  "°C", "B/s", "KB/s", "MB/s", "GB/s", "TB/s"};

bool is_unit(std::string_view word) {
  word = word.substr(0, word.find_last_not_of(".,;:)") + 1);
  return std::find(std::begin(units), std::end(units), word) != std::end(units);
}

bool ends_in_digit(std::string_view word) { return !word.empty() && word.back() >= '0' && word.back() <= '9'; }

// Below the first nothing can be laid out; above the second a host means "no limit" (judgement).
constexpr std::size_t narrowest_page = 40, widest_page = 10'000;

/// Whether somebody may want to copy or click it: no list, no phrase, no escaped noise, and no longer than paths are
/// (judgement).
bool is_one_thing(std::string_view word) {
  constexpr std::size_t longest = 160;
  const std::string_view inside =
      word.substr(0, word.find_last_not_of(',') + 1);  // a comma behind it is of the sentence
  return inside.find_first_of(", \\") == std::string_view::npos && count_code_points(word) <= longest;
}

/// As much of a long word as fits, behind a comma or blank if there is one in the second half: lists are broken between
/// entries.
std::string_view first_piece(std::string_view word, std::size_t limit) {
  const std::string_view piece = first_code_points(word, limit);
  const std::size_t gap = piece.find_last_of(", ");
  return gap == std::string_view::npos || gap < piece.size() / 2 ? piece : piece.substr(0, gap + 1);
}

std::size_t room(std::size_t width, std::size_t taken) {
  return std::max<std::size_t>(width > taken ? width - taken : 0, 16);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  const std::string plain = flowing(text);
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find(' ', at), plain.size());
    if (end > at) {
      std::string word = plain.substr(at, end - at);
      if (!words.empty() && ends_in_digit(words.back()) && is_unit(word)) words.back() += " " + word;
      else words.push_back(std::move(word));
    }
    at = end + 1;
  }
  return words;
}

std::vector<std::string> dotted(const std::vector<std::string>& parts) {
  constexpr std::size_t longest_whole = 60;  // a broken line may leave so much empty (judgement)
  std::vector<std::string> words;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!words.empty()) words.back() += " ·";
    const std::string plain = flowing(part);
    if (count_code_points(plain) <= longest_whole) {
      words.push_back(plain);
    } else {
      const std::vector<std::string> several = words_of(part);
      words.insert(words.end(), several.begin(), several.end());
    }
  }
  return words;
}

std::vector<std::string> wrap(const std::vector<std::string>& words, std::size_t first, std::size_t rest,
                              LongWords long_words) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;
  std::size_t limit = first;
  const auto finish = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::exchange(line, {}));
    used = 0;
    limit = rest;
  };
  for (std::string_view word : words) {
    std::size_t length = count_code_points(word);
    if (used > 0 && used + 1 + length > limit) finish();
    const bool whole = long_words == LongWords::whole && is_one_thing(word);
    while (length > limit && !whole) {
      const std::string_view piece = first_piece(word, limit);
      lines.emplace_back(piece.substr(0, piece.find_last_not_of(' ') + 1));
      word.remove_prefix(piece.size());
      length -= count_code_points(piece);
      limit = rest;
    }
    if (used > 0) line += ' ', ++used;
    line += word;
    used += length;
  }
  if (used > 0 || lines.empty()) finish();
  return lines;
}

Page::Page(std::size_t width, bool color, CancelFlag stop)
    : width_(std::clamp(width, narrowest_page, widest_page)), color_(color), stop_(stop) {}

std::string Page::paint(Style style, std::string_view text) const {
  if (!color_ || style == Style::plain || text.empty()) return std::string(text);
  // SGR parameters (ECMA-48), in the order of Style.
  constexpr std::string_view codes[] = {"0", "1", "2", "31", "1;31", "33", "36"};
  std::string out = "\x1b[";
  return out.append(codes[static_cast<std::size_t>(style)]).append("m").append(text).append("\x1b[0m");
}

void Page::line(std::string_view text) {
  stop_if(stop_);
  out_.append(text).append("\n");
}

void Page::field(std::string_view label, std::size_t indent, std::size_t column, const std::vector<std::string>& words,
                 Style label_style) {
  const std::size_t taken = indent + count_code_points(label);
  const std::string gap(column > taken ? column - taken : taken > 0 ? 1 : 0, ' ');
  const std::size_t first = room(width_, taken + gap.size());
  std::string head = std::string(indent, ' ') + paint(label_style, label) + gap;
  for (const std::string& text : wrap(words, first, room(width_, column))) {
    line(head + text);
    head.assign(column, ' ');
  }
}

void Page::link(std::string_view label, std::size_t indent, std::size_t column, std::string_view address) {
  if (address.empty()) return;
  const std::string safe = visible(address);
  const bool opens = links_ && safe == address && address.starts_with("https://") &&
                     address.find(' ') == std::string_view::npos && column + count_code_points(safe) <= width_;
  if (!opens) return field(label, indent, column, words_of(address));
  std::string head = std::string(indent, ' ') + paint(Style::faint, label);
  head.append(column > indent + label.size() ? column - indent - label.size() : 1, ' ');
  line(head + "\x1b]8;;" + safe + "\x1b\\" + safe + "\x1b]8;;\x1b\\");
}

void Page::heading(std::string_view lead, std::size_t lead_width, std::string_view title, std::string_view tag,
                   Style style) {
  const std::string safe_tag = shorten_middle(visible(tag), width_ / 3);
  const std::size_t tag_width = count_code_points(safe_tag);
  const std::size_t column = room(width_, lead_width + tag_width + 2);
  const std::vector<std::string> lines = wrap(words_of(title), column, column, LongWords::broken);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string text = i == 0 ? std::string(lead) : std::string(lead_width, ' ');
    text += paint(style, lines[i]);
    if (i == 0) {
      const std::size_t used = lead_width + count_code_points(lines[0]) + tag_width;
      text.append(width_ > used + 2 ? width_ - used : 2, ' ').append(paint(Style::faint, safe_tag));
    }
    line(text);
  }
}

std::string Page::take() { return std::exchange(out_, {}); }

}  // namespace kdiag::report
