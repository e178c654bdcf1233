// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/check_document.hpp"

#include <string>
#include <string_view>

#include <kdiag/editing.hpp>
#include <kdiag/project.hpp>
#include <kdiag/rule_tests.hpp>

namespace kdiag::serve {
namespace {

template <class T>
Diagnostics errors_of(const Result<T>& result) {
  return result ? Diagnostics() : result.error();
}

/// Whether a key stands at the beginning of a line.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1))
    if ((at == 0 || text[at - 1] == '\n') && text.substr(at + key.size()).starts_with(':')) return true;
  return false;
}

CheckedDocument check_rules(const Document& document, const Documents& all, const std::atomic<bool>& stop) {
  CheckedDocument out;
  const Result<RuleSet> rules = load_rules(document.path, {.files = all.reader_for(document), .cancel = &stop});
  out.mistakes = mistakes_of(rules);
  if (rules) out.rules = *rules;
  return out;
}

CheckedDocument check_text(const Document& document, const Documents& all, const std::atomic<bool>& stop) {
  const std::string& text = document.text();
  if (has_key(text, "kdiag_project")) return {errors_of(load_project_text(document.path, text, &stop)), {}};
  if (has_key(text, "kdiag_map")) return {errors_of(load_map_text(document.path, text, &stop)), {}};
  switch (kind_of_text(document.path, text)) {
    case FileKind::rules: return check_rules(document, all, stop);
    case FileKind::tests: {
      const std::string paths[] = {document.path};
      return {errors_of(test_rules(paths, {.cancel = &stop, .files = all.reader_for(document)})), {}};
    }
    case FileKind::other: break;
  }
  return {};
}

}  // namespace

std::optional<CheckedDocument> check_document(const Document& document, const Documents& all,
                                              const std::atomic<bool>& stop) {
  CheckedDocument out = check_text(document, all, stop);
  if (stop) return std::nullopt;
  return out;
}

}  // namespace kdiag::serve
