// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/json_recovery.hpp"

#include <vector>

#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view boundary = "},{";  // between two events, with blanks anywhere

bool is_white(char c) { return static_cast<unsigned char>(c) <= ' '; }

/// Walks the tokens of one value.
class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  ElementCheck check() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_white(c)) continue;
      if (objects_.empty() && c != '{' && c != '[') return {ElementCheck::State::broken, at_};
      if (!take(c)) return {unterminated_ ? ElementCheck::State::incomplete : ElementCheck::State::broken, at_};
      if (objects_.empty()) return {ElementCheck::State::complete, at_ + 1};
    }
    return {};
  }

 private:
  enum class Expect : std::uint8_t { key, colon, value, element, separator };

  /// Takes the token that begins with `c`, up to its last byte.
  bool take(char c) {
    switch (expect_) {
      case Expect::key: return c == '"' ? pass_string(Expect::colon) : c == '}' && leave(true);
      case Expect::colon: expect_ = Expect::value; return c == ':';
      case Expect::value: return take_value(c);
      case Expect::element: return c == ',' || (c == ']' ? leave(false) : take_value(c));
      case Expect::separator:
        if (c == ',') expect_ = objects_.back() ? Expect::key : Expect::element;
        return c == ',' || ((c == '}' || c == ']') && leave(c == '}'));
    }
    return false;
  }

  bool take_value(char c) {
    if (c == '"') return pass_string(Expect::separator);
    if (c == '{' || c == '[') {
      objects_.push_back(c == '{');
      expect_ = c == '{' ? Expect::key : Expect::element;
      return true;
    }
    if (c == '}' || c == ']' || c == ',' || c == ':') return false;
    while (at_ + 1 < text_.size() && !ends_bare_value(text_[at_ + 1])) ++at_;
    expect_ = Expect::separator;
    return true;
  }

  static bool ends_bare_value(char c) { return c == ',' || c == '}' || c == ']' || c == '"' || c == '{' || c == '['; }

  bool pass_string(Expect next) {
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '"') {
        at_ = i;
        expect_ = next;
        return true;
      }
    }
    unterminated_ = true;
    return false;
  }

  bool leave(bool object) {
    if (objects_.back() != object) return false;
    objects_.pop_back();
    expect_ = Expect::separator;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<bool> objects_;  ///< the open brackets: whether each is of an object
  Expect expect_ = Expect::element;
  bool unterminated_ = false;
};

/// The first brace from `from` on that follows `},` and stands in front of a quote, strings or not.
std::size_t next_boundary(std::string_view text, std::size_t from) {
  for (std::size_t close = text.find('}', from); close != std::string_view::npos; close = text.find('}', close + 1)) {
    const std::size_t comma = text.find_first_not_of(json_blanks, close + 1);
    if (comma == std::string_view::npos || text[comma] != ',') continue;
    const std::size_t brace = text.find_first_not_of(json_blanks, comma + 1);
    if (brace == std::string_view::npos || text[brace] != '{') continue;
    const std::size_t key = text.find_first_not_of(json_blanks, brace + 1);
    if (key != std::string_view::npos && text[key] == '"') return brace;
  }
  return std::string_view::npos;
}

/// Whether the byte at `place` is the brace of a boundary.
bool is_boundary(std::string_view text, std::size_t place) {
  if (place >= text.size()) return false;
  for (std::size_t left = boundary.size();; --place) {
    if (!is_white(text[place]) && text[place] != boundary[--left]) return false;
    if (left == 0) return true;
    if (place == 0) return false;
  }
}

/// The place of the next event where a quote that is not escaped made strings and the text between them change places:
/// `}, {` shows up at the end of a "string".
std::optional<std::size_t> find_boundary_in_string(std::string_view text) {
  std::size_t matched = 0;
  std::size_t brace = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      if (inside && matched == boundary.size()) return brace;
      inside = !inside;
      matched = 0;
    } else if (c == '\\') {
      ++at;
      matched = 0;
    } else if (inside && json_blanks.find(c) == std::string_view::npos) {
      if (matched < boundary.size() && c == boundary[matched]) ++matched;
      else matched = c == boundary[0] ? 1 : 0;
      if (matched == boundary.size()) brace = at;
    }
  }
  return std::nullopt;
}

/// The place of an event that a broken one swallowed: at its error, where a closing bracket is missing in front of it,
/// or in a string within `quoted`.
std::optional<std::size_t> find_swallowed(std::string_view quoted, std::string_view text, std::size_t error) {
  return is_boundary(text, error) ? error : find_boundary_in_string(quoted);
}

}  // namespace

ElementCheck check_element(std::string_view text) { return Checker(text).check(); }

std::optional<std::size_t> find_next_element(std::string_view text, std::size_t error) {
  if (const auto swallowed = find_swallowed(text.substr(0, error), text, error)) return swallowed;
  const std::size_t next = next_boundary(text, error);
  return next == std::string_view::npos ? std::nullopt : std::optional(next);
}

std::optional<std::size_t> find_swallowed_element(std::string_view element) {
  const ElementCheck check = check_element(element);
  return find_swallowed(element, element, check.state == ElementCheck::State::broken ? check.at : 0);
}

}  // namespace kdiag::adapters
