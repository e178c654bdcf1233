// SPDX-License-Identifier: Apache-2.0
// Renders diagnostics as text with the source lines they point at.
#include <kdiag/diagnostic.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/position_counter.hpp"
#include "base/utf8.hpp"

namespace kdiag {
namespace {

constexpr std::size_t longest_snippet = 160;  // columns of a source line that are shown; as Falco's
constexpr std::size_t snippet_lead = 60;      // columns before the first mark when a line is cut

void append_escaped(std::string& out, std::string_view text, std::size_t at, CodePoint point) {
  char buffer[16];
  if (!point.valid || (point.value < 0x100 && is_hidden(point.value))) {
    std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned>(point.value));
    out += buffer;
  } else if (is_hidden(point.value)) {
    std::snprintf(buffer, sizeof buffer, point.value > 0xFFFF ? "\\u%06x" : "\\u%04x",
                  static_cast<unsigned>(point.value));
    out += buffer;
  } else {
    out += text.substr(at, point.length);
  }
}

/// A title, label or help text: nothing in it may control the terminal.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    append_escaped(out, text, at, point);
    at += point.length;
  }
  return out;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

struct LineRange {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< without the line break
};

LineRange line_at(const std::string& text, std::size_t offset) {
  offset = std::min(offset, text.size());
  LineRange line;
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  line.begin = before == std::string::npos ? 0 : before + 1;
  line.end = std::min(text.find('\n', offset), text.size());
  if (line.end > line.begin && text[line.end - 1] == '\r') --line.end;
  if (line.begin == 0 && text.starts_with(byte_order_mark)) line.begin = byte_order_mark.size();
  line.end = std::max(line.begin, line.end);
  return line;
}

/// A source line as it is shown, and where each of its bytes stands in it.
struct ShownLine {
  std::string text;
  std::vector<std::size_t> column;  ///< by byte of the line, and one for its end
};

ShownLine show(std::string_view line) {
  ShownLine out;
  out.column.resize(line.size() + 1);
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size();) {
    const CodePoint point = code_point_at(line, at);
    std::fill_n(out.column.begin() + static_cast<std::ptrdiff_t>(at), point.length, column);
    const std::size_t size = out.text.size();
    if (line[at] == '\t') out.text += ' ';
    else append_escaped(out.text, line, at, point);
    column += width_of(std::string_view(out.text).substr(size));
    at += point.length;
  }
  out.column[line.size()] = column;
  return out;
}

/// The part of a text between two columns.
std::string columns(const std::string& text, std::size_t first, std::size_t last) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (column >= first && column < last) out += text.substr(at, point.length);
    ++column;
    at += point.length;
  }
  return out;
}

struct Mark {
  std::size_t first = 0;  ///< columns in the shown line
  std::size_t last = 0;
  bool primary = false;
  std::string text;
};

class Renderer {
 public:
  explicit Renderer(RenderOptions options) : options_(options) {}

  std::string render(const Diagnostic& diagnostic) {
    header(diagnostic);
    snippets(diagnostic);
    if (!diagnostic.note.empty()) out_ += " note: " + escaped(diagnostic.note) + '\n';
    if (!diagnostic.help.empty()) out_ += " help: " + escaped(diagnostic.help) + '\n';
    return std::move(out_);
  }

 private:
  std::string_view color(std::string_view code) const { return options_.color ? code : std::string_view{}; }
  std::string_view level_color(Level level) const {
    return color(level == Level::error ? "\033[1;31m" : level == Level::warning ? "\033[1;33m" : "\033[1;36m");
  }

  void header(const Diagnostic& diagnostic) {
    level_ = diagnostic.level;
    if (!diagnostic.labels.empty() && diagnostic.labels.front().span.source) {
      out_ += place(diagnostic.labels.front().span) + ": ";
    }
    constexpr std::string_view words[] = {"error", "warning", "note"};
    out_ += level_color(level_);
    out_ += words[static_cast<std::size_t>(level_)];
    if (!diagnostic.id.empty()) out_ += '[' + diagnostic.id + ']';
    out_ += color("\033[0m");
    out_ += ": " + escaped(diagnostic.title);
    if (!diagnostic.context.empty()) out_ += "  (" + escaped(diagnostic.context) + ')';
    out_ += '\n';
  }

  std::string place(const Span& span) {
    std::string out = escaped(span.source->name);
    if (span.source->text.empty()) return out;
    const Position position = positions_.of(*span.source, span.offset);
    return out + ':' + std::to_string(position.line) + ':' + std::to_string(position.column);
  }

  /// Shows every line that a label marks: those of the primary label's source first, each source in order of lines.
  void snippets(const Diagnostic& diagnostic) {
    std::vector<const Source*> sources;
    for (const Label& label : diagnostic.labels) {
      const Source* source = label.span.source.get();
      if (source != nullptr && !source->text.empty() &&
          std::find(sources.begin(), sources.end(), source) == sources.end())
        sources.push_back(source);
    }
    for (const Source* source : sources) {
      std::map<std::size_t, std::vector<const Label*>> lines;  // by the line's first byte
      for (const Label& label : diagnostic.labels)
        if (label.span.source.get() == source) lines[line_at(source->text, label.span.offset).begin].push_back(&label);
      std::size_t gutter = 1;
      for (const auto& [begin, labels] : lines)
        gutter = std::max(gutter, std::to_string(positions_.of(*source, begin).line).size());
      if (source != sources.front()) out_ += " --> " + place(lines.begin()->second.front()->span) + '\n';
      for (const auto& [begin, labels] : lines) snippet(*source, begin, labels, &diagnostic.labels.front(), gutter);
    }
  }

  void snippet(const Source& source, std::size_t begin, const std::vector<const Label*>& labels, const Label* primary,
               std::size_t gutter) {
    const LineRange line = line_at(source.text, begin);
    ShownLine shown = show(std::string_view(source.text).substr(line.begin, line.end - line.begin));
    std::vector<Mark> marks;
    for (const Label* label : labels) {
      const std::size_t first = std::clamp(label->span.offset, line.begin, line.end) - line.begin;
      const std::size_t last =
          std::clamp(label->span.offset + label->span.length, line.begin + first, line.end) - line.begin;
      Mark mark{shown.column[first], shown.column[last], label == primary, escaped(label->text)};
      mark.last = std::max(mark.last, mark.first + 1);
      marks.push_back(std::move(mark));
    }
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.first < b.first; });
    cut(shown.text, marks);

    const std::string number = std::to_string(positions_.of(source, line.begin).line);
    out_ += ' ' + std::string(gutter - number.size(), ' ') + number + " | " + shown.text + '\n';
    const std::string margin = ' ' + std::string(gutter, ' ') + " | ";
    underline(margin, marks);
    for (std::size_t i = marks.size(); i-- > 0;)  // the last mark's text stands beside it, the others' below theirs
      if (i + 1 < marks.size() && !marks[i].text.empty())
        out_ += margin + std::string(marks[i].first, ' ') + marks[i].text + '\n';
  }

  void underline(const std::string& margin, const std::vector<Mark>& marks) {
    std::string row;
    for (const bool primary : {false, true})  // carets win over dashes
      for (const Mark& mark : marks) {
        if (mark.primary != primary) continue;
        if (row.size() < mark.last) row.resize(mark.last, ' ');
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(mark.first),
                  row.begin() + static_cast<std::ptrdiff_t>(mark.last), primary ? '^' : '-');
      }
    out_ += margin;
    out_ += level_color(level_);
    out_ += row;
    out_ += color("\033[0m");
    if (!marks.back().text.empty()) out_ += ' ' + marks.back().text;
    out_ += '\n';
  }

  /// Shortens a long line to the part around its marks.
  static void cut(std::string& text, std::vector<Mark>& marks) {
    const std::size_t width = width_of(text);
    if (width <= longest_snippet) return;
    const std::size_t first = marks.front().first > snippet_lead ? marks.front().first - snippet_lead : 0;
    const std::size_t last = std::min(first + longest_snippet, width);
    const std::string_view dots = "...";
    const std::size_t shift = first > 0 ? dots.size() : 0;
    std::string shown = columns(text, first, last);
    if (first > 0) shown.insert(0, dots);
    if (last < width) shown += dots;
    text = std::move(shown);
    for (Mark& mark : marks) {
      mark.first = std::min(mark.first, last) - first + shift;
      mark.last = std::max(std::min(mark.last, last) - first + shift, mark.first + 1);
    }
  }

  RenderOptions options_;
  Level level_ = Level::error;
  std::string out_;
  PositionCounter positions_;
};

}  // namespace

Position PositionCounter::of(const Source& source, std::size_t offset) {
  const std::size_t end = std::min(offset, source.text.size());
  if (source_ != &source || begin_ > end) {
    source_ = &source;
    begin_ = source.text.starts_with(byte_order_mark) ? std::min(byte_order_mark.size(), end) : 0;
    line_ = 1;
  }
  for (std::size_t i = begin_; i < end; ++i)
    if (source.text[i] == '\n') {
      ++line_;
      begin_ = i + 1;
    }
  return {line_, 1 + width_of(std::string_view(source.text).substr(begin_, end - begin_))};
}

Position position_of(const Source& source, std::size_t offset) { return PositionCounter().of(source, offset); }

std::string render(const Diagnostic& diagnostic, RenderOptions options) { return Renderer(options).render(diagnostic); }

std::string render(const Diagnostics& diagnostics, RenderOptions options) {
  std::string out;
  Renderer renderer(options);
  for (const Diagnostic& diagnostic : diagnostics) out += renderer.render(diagnostic);
  return out;
}

bool has_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.level == Level::error; });
}

}  // namespace kdiag
