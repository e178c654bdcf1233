// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/session.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include <kdiag/project.hpp>

#include "serve/lsp/to_json.hpp"
#include "serve/rpc/request_error.hpp"

namespace kdiag::serve {

void load_bound(BoundTrace& trace, const std::atomic<bool>& stop) {
  if (trace.path.empty() || trace.facts || !trace.error.empty()) return;
  const Result<Facts> facts = load_trace(trace.path, {.limits = default_load_limits(), .cancel = &stop});
  if (facts) trace.facts = *facts;
  else if (!stop) trace.error = shown_value(facts.error().front().title);
}

void Session::check_again(const std::string& changed) {
  const auto waits = [this](const std::string& uri) {
    return std::find(unchecked.begin(), unchecked.end(), uri) != unchecked.end();
  };
  std::erase(unchecked, changed);
  if (documents.find(changed) != nullptr) unchecked.insert(unchecked.begin(), changed);
  for (const auto& [uri, document] : documents.all())
    if (!waits(uri)) unchecked.push_back(uri);
}

const Document& Session::document_of(const Json& params) const {
  const auto uri = params.at("textDocument").at("uri").get<std::string>();
  const Document* document = documents.find(uri);
  if (document == nullptr) throw RequestError(ErrorCode::invalid_params, "the document is not open: " + uri);
  return *document;
}

RuleSet Session::rules_of(const Document& document) {
  if (const auto known = good.find(document.uri); known != good.end()) return known->second.rules;
  if (!builtin_) {
    Result<RuleSet> loaded = builtin_rules();
    if (!loaded) throw RequestError(ErrorCode::internal_error, loaded.error().front().title);
    builtin_ = std::move(*loaded);
  }
  return *builtin_;
}

std::size_t Session::offset_in(const Document& document, const Json& params) const {
  return document.lines.offset_of(position_in(params.at("position")), encoding);
}

}  // namespace kdiag::serve
