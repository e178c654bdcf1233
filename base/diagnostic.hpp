// SPDX-License-Identifier: Apache-2.0
// Short ways to make a Diagnostic.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

inline Diagnostic make_diagnostic(Level level, std::string_view id, Span span, std::string title,
                                  std::string label = {}, std::string help = {}) {
  Diagnostic out;
  out.id = id;
  out.level = level;
  out.title = std::move(title);
  out.labels.push_back({std::move(span), std::move(label)});
  out.help = std::move(help);
  return out;
}

/// An error at one place; `label` stands beside the carets, `help` says what to do. The id is one of
/// base/diagnostic_table.cpp.
inline Diagnostic make_error(std::string_view id, Span span, std::string title, std::string label = {},
                             std::string help = {}) {
  return make_diagnostic(Level::error, id, std::move(span), std::move(title), std::move(label), std::move(help));
}

inline Diagnostic make_warning(std::string_view id, Span span, std::string title, std::string label = {},
                               std::string help = {}) {
  return make_diagnostic(Level::warning, id, std::move(span), std::move(title), std::move(label), std::move(help));
}

}  // namespace kdiag
