// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/to_json.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include <kdiag/project.hpp>

#include "serve/lsp/file_uri.hpp"

namespace kdiag::serve {
namespace {

int severity_of(Level level) {
  switch (level) {
    case Level::error: return 1;
    case Level::warning: return 2;
    case Level::note: return 3;
  }
  return 1;
}

/// What the command prints around the lines of the file.
std::string message_of(const Diagnostic& diagnostic) {
  std::string out = shown_value(diagnostic.title);
  const auto add = [&](std::string_view heading, const std::string& text) {
    if (!text.empty()) out += "\n" + std::string(heading) + shown_value(text);
  };
  if (!diagnostic.labels.empty()) add("", diagnostic.labels.front().text);
  add("note: ", diagnostic.note);
  add("help: ", diagnostic.help);
  add("", diagnostic.context);
  return out;
}

}  // namespace

Json to_json(TextPosition position) { return {{"line", position.line}, {"character", position.character}}; }

TextPosition position_in(const Json& json) {
  return {json.at("line").get<std::size_t>(), json.at("character").get<std::size_t>()};
}

Json range_of(const TextLines& lines, std::size_t offset, std::size_t length, Encoding encoding) {
  return {{"start", to_json(lines.position_of(offset, encoding))},
          {"end", to_json(lines.position_of(offset + length, encoding))}};
}

Json location_of(const Span& span, Encoding encoding) {
  return {{"uri", uri_of(span.source->name)},
          {"range", range_of(TextLines(span.source->text), span.offset, span.length, encoding)}};
}

Json to_json(const Diagnostic& diagnostic, const Document& document, Encoding encoding) {
  Json out = {{"severity", severity_of(diagnostic.level)}, {"source", "kdiag"}, {"message", message_of(diagnostic)}};
  if (!diagnostic.id.empty()) out["code"] = diagnostic.id;
  Json related = Json::array();
  Span place;
  bool first = true;
  for (const Label& label : diagnostic.labels) {
    if (!label.span.source) continue;
    const bool here = label.span.source->name == document.path;
    if (first && here) place = label.span;
    else if (label.span.source->name.starts_with('/'))
      related.push_back({{"location", location_of(label.span, encoding)},
                         {"message", shown_value(label.text.empty() ? diagnostic.title : label.text)}});
    first = false;
  }
  out["range"] = range_of(document.lines, place.offset, place.length, encoding);
  if (!related.empty()) out["relatedInformation"] = std::move(related);
  return out;
}

}  // namespace kdiag::serve
