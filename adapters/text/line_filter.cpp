// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/line_filter.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "adapters/io/head_json.hpp"

namespace kdiag::adapters {
namespace {

class FilteredInput final : public Input {
 public:
  FilteredInput(Input& input, LineFilter filter) : input_(input), filter_(std::move(filter)) {
    LineFilter of_head = filter_;
    add_lines(of_head, input.head().bytes, true, start_);
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
    const std::size_t used = add_lines(filter_, raw_, ended_ || raw_.size() > longest_line, ready_);
    raw_.erase(0, used);
  }

  /// Adds lines as the filter gives them; the last one only if it is whole, or `all` are wanted. Returns what was used.
  static std::size_t add_lines(LineFilter& filter, std::string_view text, bool all, std::string& out) {
    const std::size_t whole = all ? text.size() : text.rfind('\n') + 1;
    for (std::size_t begin = 0; begin < whole;) {
      const std::size_t end = std::min(text.find('\n', begin), whole);
      out += filter(text.substr(begin, end - begin), end == whole);
      if (end < whole) out += '\n';
      begin = end + 1;
    }
    return whole;
  }

  Input& input_;
  LineFilter filter_;
  std::string start_;  ///< of the head
  Head head_;
  std::string raw_;    ///< lines to come
  std::string ready_;  ///< what is delivered next, from `at_` on
  std::size_t at_ = 0;
  bool ended_ = false;
  Diagnostics failure_;
};

}  // namespace

std::unique_ptr<Input> with_lines(Input& input, LineFilter filter) {
  return std::make_unique<FilteredInput>(input, std::move(filter));
}

}  // namespace kdiag::adapters
