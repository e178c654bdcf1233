// SPDX-License-Identifier: Apache-2.0
// A small state machine over the top level of a JSON document.
#include "adapters/json/json_envelope.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

bool opens(char c) { return c == '{' || c == '['; }
bool closes(char c) { return c == '}' || c == ']'; }

}  // namespace

std::size_t ValueScan::feed(std::string_view text) {
  std::size_t at = 0;
  for (; at < text.size() && !ended_; ++at) {
    const char c = text[at];
    if (inside_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        inside_string_ = false;
        ended_ = depth_ == 0;
      }
      continue;
    }
    const bool follows = depth_ == 0 && (c == ',' || closes(c) || is_blank(c) || (started_ && (opens(c) || c == '"')));
    if (follows) {
      ended_ = true;
      return at;
    }
    started_ = true;
    if (c == '"') inside_string_ = true;
    else if (opens(c)) ++depth_;
    else if (closes(c)) ended_ = --depth_ == 0;
  }
  return at;
}

std::size_t EnvelopeScan::feed(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && state_ != State::events && state_ != State::end) {
    const bool in_token = state_ == State::in_key || state_ == State::in_value;
    at += in_token ? feed_token(text.substr(at)) : feed_sign(text[at]);
  }
  return at;
}

/// One byte between keys and values. Returns 0 when the state that follows is to see it again.
std::size_t EnvelopeScan::feed_sign(char sign) {
  if (is_blank(sign)) return 1;
  if (state_ == State::start && sign == '{') {
    state_ = State::key;
    return 1;
  }
  if (state_ == State::key && sign == ',') return 1;
  if (state_ == State::key && sign == '}') {
    state_ = State::end;
    return 1;
  }
  if (state_ == State::key && sign == '"') {
    start_token(State::in_key);
    return 0;
  }
  if (state_ == State::colon && sign == ':') {
    state_ = State::value;
    return 1;
  }
  bare_ = state_ == State::start && sign == '[';
  if (bare_ || (state_ == State::value && sign == '[' && key_ == array_key_)) {
    found_events_ = true;
    state_ = State::events;
    return 1;
  }
  if (state_ == State::value) start_token(State::in_value);
  else state_ = State::end;
  return 0;
}

void EnvelopeScan::start_token(State state) {
  state_ = state;
  token_.clear();
  token_too_large_ = false;
  scan_ = {};
}

std::size_t EnvelopeScan::feed_token(std::string_view text) {
  const std::size_t taken = scan_.feed(text);
  token_too_large_ = token_too_large_ || token_.size() + taken > most_member_bytes;
  if (token_too_large_) token_ = {};
  else token_ += text.substr(0, taken);
  if (!scan_.ended()) return taken;
  if (state_ == State::in_key) {
    key_ = token_too_large_ ? std::string() : token_.substr(1, token_.size() - 2);
    state_ = State::colon;
    return taken;
  }
  state_ = State::key;
  keep_member();
  return taken;
}

void EnvelopeScan::keep_member() {
  if (token_too_large_) return too_large.push_back(key_);
  kept_bytes_ += sizeof(members[0]) + key_.size() + token_.size();
  if (kept_bytes_ > most_members_bytes) ++too_many;
  else members.emplace_back(key_, token_);
}

}  // namespace kdiag::adapters
