// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/xml_scanner.hpp"

#include <algorithm>
#include <cstddef>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t xml_piece_bytes = 64 * 1024;

struct Entity {
  std::string_view name;
  char character;
};
constexpr Entity xml_entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

std::string decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* entity = std::find_if(std::begin(xml_entities), std::end(xml_entities),
                                      [&](const Entity& e) { return text.starts_with(e.name); });
    const bool found = entity != std::end(xml_entities);
    out += found ? entity->character : text.front();
    text.remove_prefix(found ? entity->name.size() : 1);
  }
  return out;
}

std::string_view without_line_ends(std::string_view text) {
  for (;;) {
    const std::size_t before = text.size();
    text = trim(text);
    if (text.starts_with('\n')) text.remove_prefix(1);
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.size() == before) return text;
  }
}

}  // namespace

bool XmlScanner::fill() {
  if (ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t have = buffer_.size();
  if (have > most_xml_piece_bytes) {
    ended_ = truncated_ = true;
    return false;
  }
  buffer_.resize(have + xml_piece_bytes);
  const auto size = input_.read({buffer_.data() + have, xml_piece_bytes});
  buffer_.resize(have + (size ? *size : 0));
  if (!size) error_ = size.error();
  bytes_ += buffer_.size() - have;
  ended_ = !size || *size == 0;
  return !ended_;
}

/// Whether the buffer has such a character, after reading on if need be; `at` is its place.
bool XmlScanner::find(char c, std::size_t& at) {
  std::size_t from = 0;  // behind at_, which moves when the buffer is filled
  while ((at = buffer_.find(c, at_ + from)) == std::string::npos) {
    from = buffer_.size() - at_;
    if (!fill()) return false;
  }
  return true;
}

/// Passes over `<?...>`, `<!-- ... -->` and `<!DOCTYPE name [ ... ]>` at the front of the buffer.
bool XmlScanner::skip_markup() {
  while (buffer_.size() - at_ < 4 && fill()) {
  }
  const bool comment = buffer_.compare(at_, 4, "<!--") == 0;
  declared_ = declared_ || !comment;
  for (std::size_t end = 0, brackets = 0, seen = 0; find('>', end); seen = end + 1 - at_) {
    const std::string_view markup(buffer_.data() + at_, end - at_);
    for (char c : markup.substr(std::min(seen, markup.size()))) {
      brackets += c == '[' ? 1U : 0U;
      brackets -= c == ']' && brackets > 0 ? 1U : 0U;
    }
    if (comment ? markup.size() >= 6 && markup.ends_with("--") : brackets == 0) {
      at_ = end + 1;
      return true;
    }
    // Hide this '>' and look for the next.
    buffer_[end] = ' ';
  }
  return false;
}

XmlScanner::Piece XmlScanner::next() {
  if (close_follows_) {
    close_follows_ = false;
    return Piece::close;
  }
  for (std::size_t open = 0, end = 0;;) {
    if (!find('<', open)) return Piece::end;
    if (const std::string_view text = without_line_ends({buffer_.data() + at_, open - at_}); !text.empty()) {
      value_ = decoded(text);
      at_ = open;
      return Piece::text;
    }
    at_ = open;
    if (buffer_.size() - at_ < 2) fill();
    if (at_ + 1 < buffer_.size() && (buffer_[at_ + 1] == '?' || buffer_[at_ + 1] == '!')) {
      if (skip_markup()) continue;
      truncated_ = true;
      return Piece::end;
    }
    if (!find('>', end)) {
      truncated_ = true;
      return Piece::end;
    }
    std::string_view tag(buffer_.data() + at_ + 1, end - at_ - 1);
    at_ = end + 1;
    const bool close = tag.starts_with('/');
    if (close) tag.remove_prefix(1);
    declared_ = false;
    close_follows_ = tag.ends_with('/');
    if (close_follows_) tag.remove_suffix(1);
    const std::size_t name = std::min(tag.find_first_of(" \t\r\n"), tag.size());
    value_ = tag.substr(0, name);
    attributes_ = tag.substr(name);
    return close ? Piece::close : Piece::open;
  }
}

std::string XmlScanner::attribute(std::string_view name) const {
  const std::size_t at = attributes_.find(std::string(name) + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return decoded(std::string_view(attributes_).substr(begin, attributes_.find('"', begin) - begin));
}

}  // namespace kdiag::adapters
