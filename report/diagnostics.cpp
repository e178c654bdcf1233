// SPDX-License-Identifier: Apache-2.0
#include "report/diagnostics.hpp"

#include <algorithm>
#include <vector>

#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "report/github_commands.hpp"
#include "report/sarif_parts.hpp"

namespace kdiag::report {
namespace {

std::string_view level_name(Level level) {
  switch (level) {
    case Level::error: return "error";
    case Level::warning: return "warning";
    case Level::note: return "note";
  }
  return "note";
}

/// Where a span lies, in every way of counting; `text` is false when only the file is known.
struct Place {
  std::string file;
  bool text = false;
  Position begin, end;
  std::size_t offset = 0, length = 0;
};

Place place_of(const Span& span) {
  Place out;
  if (!span.source) return out;
  const Source& source = *span.source;
  out.file = source.name;
  out.text = !source.text.empty();
  out.offset = std::min(span.offset, source.text.size());
  out.length = std::min(span.length, source.text.size() - out.offset);
  out.begin = position_of(source, out.offset);
  out.end = position_of(source, out.offset + out.length);
  return out;
}

Place place_of(const Diagnostic& diagnostic) {
  return diagnostic.labels.empty() ? Place{} : place_of(diagnostic.labels.front().span);
}

/// The title with what stands beside its carets: "unknown column 'durr': did you mean 'dur'?"
std::string message_of(const Diagnostic& diagnostic) {
  std::string out = diagnostic.title;
  if (!diagnostic.labels.empty() && !diagnostic.labels.front().text.empty())
    out += ": " + diagnostic.labels.front().text;
  return out;
}

/// The message with everything that helps, one thing a line.
std::string full_message(const Diagnostic& diagnostic) {
  std::string out = message_of(diagnostic);
  if (!diagnostic.context.empty()) out += " (" + diagnostic.context + ")";
  if (!diagnostic.note.empty()) out += "\nnote: " + diagnostic.note;
  if (!diagnostic.help.empty()) out += "\nhelp: " + diagnostic.help;
  return out;
}

// --- JSON -----------------------------------------------------------------------------------------------------------

void write_place(JsonWriter& json, const Place& place) {
  json.text_or_null("file", place.file);
  const auto number = [&](std::string_view name, std::size_t value) {
    if (place.text) json.member(name, static_cast<std::uint64_t>(value));
    else json.null_member(name);
  };
  number("line", place.begin.line);
  number("column", place.begin.column);
  number("end_line", place.end.line);
  number("end_column", place.end.column);
  number("offset", place.offset);
  number("length", place.length);
}

void write_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  json.object([&] {
    write_place(json, place_of(diagnostic));
    json.member("code", diagnostic.id);
    json.member("level", level_name(diagnostic.level));
    json.member("message", diagnostic.title);
    json.text_or_null("context", diagnostic.context);
    json.text_or_null("note", diagnostic.note);
    json.text_or_null("help", diagnostic.help);
    json.list("labels", diagnostic.labels, [&](const Label& label) {
      json.object(Layout::line, [&] {
        write_place(json, place_of(label.span));
        json.text_or_null("text", label.text);
      });
    });
  });
}

std::uint64_t count_of(const Diagnostics& diagnostics, Level level) {
  return static_cast<std::uint64_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(), [level](const Diagnostic& d) { return d.level == level; }));
}

// --- SARIF ----------------------------------------------------------------------------------------------------------

void write_location(JsonWriter& json, const Label& label, bool with_message) {
  const Place place = place_of(label.span);
  json.object([&] {
    json.object("physicalLocation", [&] {
      json.object("artifactLocation", Layout::line, [&] { json.member("uri", path_to_uri(place.file)); });
      if (place.text)
        json.object("region", Layout::line, [&] {
          const auto number = [&json](std::string_view name, std::size_t value) {
            json.member(name, static_cast<std::uint64_t>(value));
          };
          number("startLine", place.begin.line);
          number("startColumn", place.begin.column);
          number("endLine", place.end.line);
          number("endColumn", place.end.column);
          number("byteOffset", place.offset);
          number("byteLength", place.length);
        });
      else json.object("region", Layout::line, [&] { json.member("startLine", 1); });
    });
    if (with_message && !label.text.empty()) write_sarif_text(json, "message", sarif_message(label.text));
  });
}

void write_result(JsonWriter& json, const Diagnostic& diagnostic) {
  json.object([&] {
    json.member("ruleId", diagnostic.id);
    json.member("level", level_name(diagnostic.level));
    write_sarif_text(json, "message", sarif_message(full_message(diagnostic)));
    json.array("locations", Layout::lines, [&] {
      if (!diagnostic.labels.empty() && diagnostic.labels.front().span.source)
        write_location(json, diagnostic.labels.front(), false);
    });
    json.array("relatedLocations", Layout::lines, [&] {
      for (std::size_t i = 1; i < diagnostic.labels.size(); ++i)
        if (diagnostic.labels[i].span.source) write_location(json, diagnostic.labels[i], true);
    });
  });
}

void write_codes(JsonWriter& json, const Diagnostics& diagnostics, const DescribeCode& describe) {
  std::vector<std::string_view> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.push_back(diagnostic.id);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  json.list("rules", codes, [&](std::string_view code) {
    const CodeDescription about = describe(code);
    write_sarif_rule(
        json,
        {.id = std::string(code), .summary = std::string(about.title), .description = std::string(about.explanation)});
  });
}

}  // namespace

std::string diagnostics_json(const Diagnostics& diagnostics, std::string_view version) {
  JsonWriter json;
  json.object([&] {
    json.member("schema", "kdiag.diagnostics/1");
    json.member("version", version);
    json.member("errors", count_of(diagnostics, Level::error));
    json.member("warnings", count_of(diagnostics, Level::warning));
    json.list("diagnostics", diagnostics, [&](const Diagnostic& diagnostic) { write_diagnostic(json, diagnostic); });
  });
  return json.take();
}

std::string diagnostics_sarif(const Diagnostics& diagnostics, std::string_view version, const DescribeCode& describe) {
  JsonWriter json;
  json.object([&] {
    write_sarif_head(json);
    json.array("runs", Layout::lines, [&] {
      json.object([&] {
        json.object("tool", [&] {
          json.object("driver", [&] {
            json.member("name", "kdiag");
            json.member("version", version);
            write_codes(json, diagnostics, describe);
          });
        });
        json.member("columnKind", "unicodeCodePoints");
        json.list("results", diagnostics, [&](const Diagnostic& diagnostic) { write_result(json, diagnostic); });
      });
    });
  });
  return json.take();
}

std::string diagnostics_github(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Place place = place_of(diagnostic);
    Annotation annotation{.level = diagnostic.level == Level::note ? "notice" : level_name(diagnostic.level),
                          .file = place.file,
                          .title = diagnostic.id,
                          .message = full_message(diagnostic)};
    if (place.text) annotation.range = {place.begin, place.end};
    out += workflow_command(annotation);
  }
  return out;
}

}  // namespace kdiag::report
