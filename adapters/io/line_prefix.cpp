// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/line_prefix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "adapters/io/calendar_time.hpp"
#include "adapters/io/head_json.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t looked_at = 256;  // lines; judgement
constexpr std::size_t fewest = 3;       // lines with a prefix; judgement

constexpr bool is_host_letter(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_';
}

/// Takes characters off the front as long as they are of a kind; how many.
template <class Kind>
std::size_t take_while(std::string_view& text, Kind kind) {
  const std::size_t count = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), kind) - text.begin());
  text.remove_prefix(count);
  return count;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// "[1,0]<stdout>:", as mpirun tags them.
bool take_mpirun_tag(std::string_view& text) {
  if (!take(text, "[")) return false;
  if (take_while(text, [](char c) { return is_digit(c) || c == ','; }) == 0 || !take(text, "]")) return false;
  return take(text, "<stdout>:") || take(text, "<stderr>:") || take(text, ":");
}

/// A colon, and the blank behind it unless it ends the line.
bool take_colon(std::string_view& text) { return take(text, ": ") || text == ":"; }

/// " 0: " of srun -l; "host 0: " of PALS; "host: " of pdsh, whose hosts have a number in their name.
bool take_rank_tag(std::string_view& text) {
  take_while(text, [](char c) { return c == ' '; });
  const std::string_view word = text;
  if (take_while(text, is_host_letter) == 0) return false;
  const std::string_view host = word.substr(0, word.size() - text.size());
  const bool numbered = std::any_of(host.begin(), host.end(), is_digit);
  if (std::string_view rest = text; take(rest, " ") && take_while(rest, is_digit) > 0 && take_colon(rest)) {
    text = rest;
    return true;
  }
  return numbered && take_colon(text);
}

/// "2026-05-04T10:00:00.123Z ", "2026-05-04 10:00:00,123 ".
bool take_time(std::string_view& text) {
  constexpr std::size_t date = 10, shortest = 19;
  if (text.size() <= shortest || (text[date] != 'T' && text[date] != ' ')) return false;
  const std::size_t end = text.find(' ', shortest);
  if (!parse_calendar_time(text.substr(0, end))) return false;
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return true;
}

/// Marks of a comment, and the blank behind them.
bool take_mark(std::string_view& text, std::string_view mark) {
  if (!take(text, mark)) return false;
  take(text, " ");
  return true;
}

template <class Take>
void each_line(std::string_view text, std::size_t most, Take take_line) {
  for (std::size_t line = 0; line < most && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

class StrippedInput final : public Input {
 public:
  StrippedInput(Input& input, LinePrefix prefix) : input_(input), prefix_(std::move(prefix)) {
    add_lines(input.head().bytes, true, start_);
    head_.bytes = start_;
    head_.complete = input.head().complete;
    head_.json = json_start(start_);
    if (head_.json != 0) head_.keys = top_level_keys(start_);
  }

  std::string_view name() const override { return input_.name(); }
  const Head& head() const override { return head_; }

  Result<std::size_t> read(std::span<char> buffer) override {
    while (at_ == ready_.size()) {
      if (ended_) return failure_.empty() ? Result<std::size_t>(0) : Result<std::size_t>(std::exchange(failure_, {}));
      fill();
    }
    const std::size_t count = std::min(buffer.size(), ready_.size() - at_);
    std::copy_n(ready_.data() + at_, count, buffer.data());
    at_ += count;
    return count;
  }

 private:
  static constexpr std::size_t piece = std::size_t{64} << 10U;
  static constexpr std::size_t longest_line = std::size_t{1} << 20U;  // longer ones are no lines of a tool

  void fill() {
    const std::size_t before = raw_.size();
    raw_.resize(before + piece);
    Result<std::size_t> got = input_.read(std::span(raw_).subspan(before));
    raw_.resize(before + (got ? *got : 0));
    if (!got) failure_ = std::move(got.error());
    ended_ = !got || *got == 0;
    ready_.clear();
    at_ = 0;
    const std::size_t used = add_lines(raw_, ended_ || raw_.size() > longest_line, ready_);
    raw_.erase(0, used);
  }

  /// Adds lines without their prefix; the last one only if it is whole, or `all` are wanted. Returns what was used.
  std::size_t add_lines(std::string_view text, bool all, std::string& out) const {
    const std::size_t whole = all ? text.size() : text.rfind('\n') + 1;
    for (std::size_t begin = 0; begin < whole;) {
      const std::size_t end = std::min(text.find('\n', begin), whole);
      out += prefix_.strip(text.substr(begin, end - begin));
      if (end < whole) out += '\n';
      begin = end + 1;
    }
    return whole;
  }

  Input& input_;
  LinePrefix prefix_;
  std::string start_;  ///< of the head
  Head head_;
  std::string raw_;    ///< lines to come
  std::string ready_;  ///< what is delivered next, from `at_` on
  std::size_t at_ = 0;
  bool ended_ = false;
  Diagnostics failure_;
};

}  // namespace

std::size_t LinePrefix::length(Shape shape, std::string_view line) {
  std::string_view rest = line;
  bool has = false;
  switch (shape) {
    case Shape::process:
      has = take_mpirun_tag(rest);
      if (!has) has = take_rank_tag(rest = line);
      break;
    case Shape::time: has = take_time(rest); break;
    case Shape::slashes: has = take_mark(rest, "//"); break;
    case Shape::hash: has = take_mark(rest, "#"); break;
  }
  return has ? line.size() - rest.size() : 0;
}

std::optional<LinePrefix> LinePrefix::of(std::string_view text) {
  for (const Shape shape : {Shape::process, Shape::time, Shape::slashes, Shape::hash}) {
    std::map<std::string, std::size_t, std::less<>> lines;  // by their prefix
    std::size_t with = 0, without = 0;
    each_line(text, looked_at, [&](std::string_view line) {
      if (blank(line)) return;
      const std::size_t taken = length(shape, line);
      if (taken == 0) return void(++without);
      ++with;
      std::string tag(line.substr(0, taken));
      while (tag.ends_with(' ') || tag.ends_with('\r')) tag.pop_back();
      ++lines[tag];
    });
    if (with < fewest || (without > with && shape != Shape::slashes)) continue;
    const auto most =
        std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    // What begins in as many ways as there are lines is no tag, but the text itself.
    if (shape == Shape::process && most->second * 2 < with) continue;
    LinePrefix prefix;
    prefix.shape_ = shape;
    prefix.tag_ = most->first;
    prefix.others_ = shape == Shape::process ? lines.size() - 1 : 0;
    return prefix;
  }
  return std::nullopt;
}

std::string_view LinePrefix::strip(std::string_view line) const {
  const std::size_t taken = length(shape_, line);
  if (shape_ == Shape::process && taken > 0 && !line.starts_with(tag_)) return {};
  return line.substr(taken);
}

std::string LinePrefix::describe() const {
  std::string text = "'" + tag_ + "'";
  if (others_ > 0)
    text += "; lines of " + std::to_string(others_) + (others_ == 1 ? " other process" : " other processes") +
            " were left out";
  return text;
}

std::unique_ptr<Input> without_line_prefix(Input& input, LinePrefix prefix) {
  return std::make_unique<StrippedInput>(input, std::move(prefix));
}

}  // namespace kdiag::adapters
