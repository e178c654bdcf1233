// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/folding.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace kdiag::serve {
namespace {

/// The column of the first character; nothing of a blank line.
std::optional<std::size_t> indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

class Folds {
 public:
  /// Lines in order.
  void add_line(std::size_t number, std::string_view text) {
    const auto indent = indent_of(text);
    if (!indent) return;
    if (text[*indent] == '#') return add_comment(number);
    end_comment();
    const bool is_item = text[*indent] == '-';
    // A list may stand where its key does: it is below it all the same.
    while (!open_.empty() &&
           (open_.back().indent > *indent || (open_.back().indent == *indent && (!is_item || open_.back().is_item))))
      close();
    open_.push_back({number, *indent, is_item});
    last_ = number;
  }

  Json take() && {
    end_comment();
    while (!open_.empty()) close();
    return std::move(out_);
  }

 private:
  struct Open {
    std::size_t line, indent;
    bool is_item;
  };

  void close() {
    if (last_ > open_.back().line) out_.push_back({{"startLine", open_.back().line}, {"endLine", last_}});
    open_.pop_back();
  }
  void add_comment(std::size_t number) {
    if (comment_ && comment_->second + 1 == number) comment_->second = number;
    else {
      end_comment();
      comment_ = {number, number};
    }
  }
  void end_comment() {
    if (comment_ && comment_->second > comment_->first)
      out_.push_back({{"startLine", comment_->first}, {"endLine", comment_->second}, {"kind", "comment"}});
    comment_.reset();
  }

  Json out_ = Json::array();
  std::vector<Open> open_;
  std::size_t last_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> comment_;
};

}  // namespace

Json list_folds(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  Folds folds;
  for (std::size_t i = 0; i < document.lines.size() && !stop; ++i) folds.add_line(i, document.lines.line(i));
  return std::move(folds).take();
}

}  // namespace kdiag::serve
