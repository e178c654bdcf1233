// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/event_list.hpp"

#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t longest_text = 64;  // longer ones are no key that is looked for

}  // namespace

void EventListFinder::add(std::string_view piece) {
  for (const char c : piece) {
    ++position_;
    if (in_string_) {
      if (escaped_) escaped_ = false;
      else if (c == '\\') escaped_ = true;
      else if (c == '"') end_string();
      else if (depth_ == 1 && text_.size() < longest_text) text_ += c;
    } else if (!is_blank(c)) {
      structural(c);
    }
  }
}

void EventListFinder::end_string() {
  in_string_ = false;
  if (depth_ == 1 && wants_key_) key_ = text_;
  text_.clear();
}

void EventListFinder::structural(char c) {
  if (first_in_list_) {
    first_in_list_ = false;
    empty_ = c == ']';
  }
  switch (c) {
    case '"':
      in_string_ = true;
      text_.clear();
      return;
    case '{':
    case '[':
      ++depth_;
      if (depth_ == 1) wants_key_ = c == '{';
      if (c == '[' && !begin_ && (depth_ == 1 || (depth_ == 2 && key_ == "traceEvents"))) {
        begin_ = position_;
        first_in_list_ = true;
      }
      return;
    case '}':
    case ']':
      if (depth_ == 1) take_base_time();
      if (depth_ > 0) --depth_;
      return;
    case ':':
      if (depth_ == 1) wants_key_ = false;
      return;
    case ',':
      if (depth_ != 1) return;
      take_base_time();
      wants_key_ = true;
      return;
    default:
      if (depth_ == 1 && text_.size() < longest_text) text_ += c;
  }
}

void EventListFinder::take_base_time() {
  if (key_ == "baseTimeNanoseconds")
    if (const auto number = parse_number<std::int64_t>(text_)) base_time_ = *number;
  text_.clear();
}

}  // namespace kdiag::adapters
