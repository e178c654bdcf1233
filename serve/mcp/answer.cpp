// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/answer.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "serve/mcp/tool_error.hpp"
#include "serve/rpc/message.hpp"

namespace kdiag::serve::mcp {

std::size_t tokens_of(std::string_view text) {
  const auto ascii = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  return (ascii + 2) / 3 + (text.size() - ascii);
}

namespace {

constexpr std::size_t kept_for_the_end = 120;  // what leave_out() and go_on_at() say

}  // namespace

struct Answer::Parts {
  std::size_t most;
  std::size_t text_tokens = 0, data_tokens = 0;
  std::size_t refused = 0;  ///< what the last item would have cost that had no room
  bool any = false;         ///< whether an item had room
  std::string text;
  std::string end;
  Json data = Json::object();

  [[noreturn]] void too_small(std::size_t more) const {
    throw ToolError("'max_tokens' is too small for this answer: give at least " +
                    std::to_string(std::max(text_tokens, data_tokens) + more + kept_for_the_end));
  }

  bool fits(std::size_t text_cost, std::size_t data_cost) const {
    return text_tokens + text_cost + kept_for_the_end <= most && data_tokens + data_cost + kept_for_the_end <= most;
  }
};

Answer::Answer(std::size_t tokens) : parts_(std::make_unique<Parts>()) { parts_->most = tokens; }
Answer::~Answer() = default;
Answer::Answer(Answer&&) noexcept = default;

void Answer::say(const std::string& line) {
  parts_->text += line + "\n";
  parts_->text_tokens += tokens_of(line) + 1;
}

void Answer::set(std::string_view member, Json value) {
  parts_->data_tokens += tokens_of(to_text(value)) + tokens_of(member) + 2;
  parts_->data[std::string(member)] = std::move(value);
}

void Answer::list(std::string_view name) {
  if (!parts_->data.contains(std::string(name))) set(name, Json::array());
}

bool Answer::add(std::string_view list_name, const Json& item, const std::string& text) {
  list(list_name);
  const std::size_t text_cost = tokens_of(text) + 1, data_cost = tokens_of(to_text(item)) + 1;
  if (!parts_->fits(text_cost, data_cost)) {
    parts_->refused = std::max(text_cost, data_cost);
    return false;
  }
  parts_->any = true;
  parts_->text += text + "\n";
  parts_->text_tokens += text_cost;
  parts_->data_tokens += data_cost;
  parts_->data[std::string(list_name)].push_back(item);
  return true;
}

void Answer::leave_out(std::string_view what, std::size_t count, const std::string& next) {
  if (count == 0) return;
  Json& counted = parts_->data["left_out"][std::string(what)];
  counted = count + (counted.is_null() ? 0 : counted.get<std::size_t>());
  parts_->end += (parts_->end.empty() ? "Left out: " : "; ") + std::to_string(count) + " " + std::string(what) +
                 (next.empty() ? "" : " (" + next + ")");
}

void Answer::go_on_at(std::string cursor) {
  if (!parts_->any) parts_->too_small(parts_->refused);
  parts_->end += (parts_->end.empty() ? "" : "; ") + std::string("go on with cursor \"") + cursor + "\"";
  parts_->data["next_cursor"] = std::move(cursor);
}

void Answer::stop_at(std::string_view list, std::size_t place, std::size_t size, const std::string& next) {
  leave_out(list, size - place, next);
  go_on_at(std::string(list) + ":" + std::to_string(place));
}

void Answer::say_more(std::string_view list, std::size_t count, std::size_t first) {
  const std::string cursor = std::string(list) + ":" + std::to_string(first);
  set(std::string(list) + "_left_out", count);
  set(std::string(list) + "_cursor", cursor);
  say("and " + std::to_string(count) + " more " + std::string(list) + ": cursor \"" + cursor + "\"");
}

Json Answer::result() && {
  if (std::max(parts_->text_tokens, parts_->data_tokens) + kept_for_the_end > parts_->most) parts_->too_small(0);
  std::string text = std::move(parts_->text);
  if (!parts_->end.empty()) text += parts_->end + ".\n";
  if (!text.empty()) text.pop_back();
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})},
          {"structuredContent", std::move(parts_->data)}};
}

}  // namespace kdiag::serve::mcp
