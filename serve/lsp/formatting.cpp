// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/formatting.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include <kdiag/tools.hpp>

#include "serve/lsp/to_json.hpp"
#include "serve/rpc/request_error.hpp"

namespace kdiag::serve {
namespace {

/// The lines that differ, so that editors keep cursors and marks elsewhere.
Json edit_between(const TextLines& before, const std::string& after, Encoding encoding) {
  const std::string& text = before.text();
  const auto [first, first_after] = std::mismatch(text.begin(), text.end(), after.begin(), after.end());
  std::size_t begin = static_cast<std::size_t>(first - text.begin());
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  const std::size_t most = std::min(text.size(), after.size()) - begin;
  std::size_t behind = 0;  // bytes that both end in
  while (behind < most && text[text.size() - 1 - behind] == after[after.size() - 1 - behind]) ++behind;
  while (behind > 0 && text[text.size() - 1 - behind] != '\n') --behind;
  return {{"range", range_of(before, begin, text.size() - behind - begin, encoding)},
          {"newText", after.substr(begin, after.size() - behind - begin)}};
}

}  // namespace

Json format_document(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const Result<std::string> formatted = format_rules(document.path, document.text(), &stop);
  if (!formatted) throw RequestError(ErrorCode::request_failed, formatted.error().front().title);
  Json edits = Json::array();
  if (*formatted != document.text()) edits.push_back(edit_between(document.lines, *formatted, session.encoding));
  return edits;
}

}  // namespace kdiag::serve
