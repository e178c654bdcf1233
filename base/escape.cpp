// SPDX-License-Identifier: Apache-2.0
#include "base/escape.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace kdiag {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view no_address = " \t\r\n<>\"\\^`{|}";  // what ends a web address

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += hex_digits[(value >> shift) & 0xF];
}

void append_visible(std::string& out, std::string_view text, CodePoint point, std::size_t at) {
  if (point.valid && !is_hidden(point.value)) {
    out += text.substr(at, point.length);
  } else if (point.value < 0x100) {
    out += "\\x";
    append_hex(out, point.value, 2);
  } else {
    out += "\\u";
    append_hex(out, point.value, point.value > 0xFFFF ? 6 : 4);
  }
}

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

// Where a list or rule could start: the position of the character to escape, or npos.
std::size_t block_marker(std::string_view text) {
  const std::size_t at = std::min(text.find_first_not_of("0123456789"), text.size());
  if (at == text.size()) return std::string_view::npos;
  if (at == 0) return std::string_view("-+=").find(text[0]) != std::string_view::npos ? 0 : std::string_view::npos;
  const bool numbered = (text[at] == '.' || text[at] == ')') && (at + 1 == text.size() || text[at + 1] == ' ');
  return numbered ? at : std::string_view::npos;
}

// An underscore between letters marks nothing up (GitHub Flavored Markdown): names stay readable.
bool needs_backslash(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '_')
    return !(at > 0 && is_letter_or_digit(text[at - 1]) && at + 1 < text.size() && is_letter_or_digit(text[at + 1]));
  return std::string_view("\\`*{}[]|~$#!").find(c) != std::string_view::npos;
}

// Whether what ends at this place makes an address of what follows it (GitHub Flavored Markdown): `https:` or `www`.
bool begins_address(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 1);
  if (text[at] == ':') return rest.starts_with("//");
  return rest.starts_with('.') && at >= 2 && lower(text[at - 2]) == 'w' && lower(text[at - 1]) == 'w' &&
         lower(text[at]) == 'w';
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    append_visible(out, text, point, at);
    at += point.length;
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (point.value == '\n' || point.value == '\t') out += text[at];
    else append_visible(out, text, point, at);
    at += point.length;
  }
  return out;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += flowing(line) + "\n";
  return out;
}

std::string flowing(std::string_view text) {
  std::string spaced(text);
  std::replace_if(
      spaced.begin(), spaced.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return visible(spaced);
}

std::string markdown(std::string_view text) {
  std::string plain = flowing(text);
  plain.erase(0, std::min(plain.find_first_not_of(' '), plain.size()));  // four spaces would start a code block
  const std::size_t marker = block_marker(plain);
  std::string out;
  out.reserve(plain.size() + 16);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    const char next = i + 1 < plain.size() ? plain[i + 1] : ' ';
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (i == marker || needs_backslash(plain, i)) out += '\\';
      out += c;
    }
    // Forges look for mentions, references and addresses in the rendered text: only an element inside stops them.
    if ((c == '@' && is_letter_or_digit(next)) || (c == '#' && is_digit(next)) || begins_address(plain, i))
      out += "<!-- -->";
  }
  return out;
}

std::string_view web_address(std::string_view text) {
  const std::size_t begin = std::min(text.find("https://"), text.find("http://"));
  if (begin == std::string_view::npos) return {};
  std::string_view address = text.substr(begin, text.find_first_of(no_address, begin) - begin);
  const auto closes_more = [&] {
    return std::count(address.begin(), address.end(), ')') > std::count(address.begin(), address.end(), '(');
  };
  while (std::string_view(".,;:").find(address.back()) != std::string_view::npos ||
         (address.back() == ')' && closes_more()))
    address.remove_suffix(1);
  const bool plain = std::all_of(address.begin(), address.end(), [](unsigned char c) { return c > ' ' && c < 0x7F; });
  return plain ? address : std::string_view();
}

std::string markdown_reference(std::string_view text) {
  const std::string_view address = web_address(text);
  if (address.empty()) return markdown(text);
  const auto begin = static_cast<std::size_t>(address.data() - text.data());
  if (begin > 0 && text[begin - 1] != '(') return markdown(text);  // the source is another
  const std::string_view rest = text.substr(begin + address.size());
  // What an address cannot hold stands in the middle of one that is none.
  if (!rest.empty() && rest[0] > ' ' && no_address.find(rest[0]) != std::string_view::npos) return markdown(text);
  const std::string_view space = rest.starts_with(' ') ? " " : "";
  return markdown(text.substr(0, begin)) + "<" + std::string(address) + ">" + std::string(space) + markdown(rest);
}

std::string markdown_code(std::string_view text) {
  const std::string plain = visible(text);
  if (plain.empty()) return "` `";
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : plain) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string pad = longest > 0 ? " " : "";
  return fence + pad + plain + pad + fence;
}

std::string markdown_code_cell(std::string_view text) {
  // A table is split at bars before its code spans are read.
  if (text.find('|') != std::string_view::npos) return "<code>" + markdown(visible(text)) + "</code>";
  return markdown_code(text);
}

std::string xml(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    switch (point.valid ? point.value : U'\0') {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      case U'\n': out += '\n'; break;
      case 0xFFFE:
      case 0xFFFF: out += point.value == 0xFFFE ? "\\ufffe" : "\\uffff"; break;
      default: append_visible(out, text, point, at);
    }
    at += point.length;
  }
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid) {
      out += "\xEF\xBF\xBD";  // U+FFFD
    } else if (point.value == '"' || point.value == '\\') {
      out += '\\';
      out += static_cast<char>(point.value);
    } else if (point.value == '\n') {
      out += "\\n";
    } else if (point.value == '\t') {
      out += "\\t";
    } else if (!is_hidden(point.value)) {
      out += text.substr(at, point.length);
    } else if (point.value <= 0xFFFF) {
      out += "\\u";
      append_hex(out, point.value, 4);
    } else {
      const char32_t rest = point.value - 0x10000;
      out += "\\u";
      append_hex(out, 0xD800 + (rest >> 10), 4);
      out += "\\u";
      append_hex(out, 0xDC00 + (rest & 0x3FF), 4);
    }
    at += point.length;
  }
  out += '"';
}

std::string sarif_message(std::string text) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at)) text.insert(at + 1, " ");
  return text;
}

std::string path_to_uri(std::string_view path) {
  const bool drive = path.size() >= 2 && path[1] == ':' && is_letter_or_digit(path[0]);
  std::string out;
  if (drive) out = "file:///";
  else if (path.starts_with('/') || path.starts_with('\\')) out = "file://";
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '\\') {
      out += '/';
    } else if (is_letter_or_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos ||
               (drive && i == 1)) {
      out += c;
    } else {
      out += '%';
      const auto byte = static_cast<unsigned char>(c);
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 0xF];
    }
  }
  return out;
}

std::string shorten_middle(std::string_view text, std::size_t limit) {
  const std::size_t count = count_code_points(text);
  if (count <= limit) return std::string(text);
  const std::size_t tail = (limit - 1) / 3;
  const std::size_t head = limit - 1 - tail;
  std::string out(first_code_points(text, head));
  out += "…";
  out += text.substr(first_code_points(text, count - tail).size());
  return out;
}

}  // namespace kdiag
