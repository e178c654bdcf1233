// SPDX-License-Identifier: Apache-2.0
// The C interface: the diagnostics of the last call.
#include "capi/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

/// Where a span lies, for a struct that has source, line, column, offset and length.
template <class Info>
void fill_place(Info& info, const Span& span, PositionCounter& positions) {
  info.source = string_of({});
  info.line = info.column = KDIAG_ABSENT_INTEGER;
  if (!span.source) return;
  info.source = string_of(span.source->name);
  if (span.source->text.empty()) return;
  const Position position = positions.of(*span.source, span.offset);
  info.line = static_cast<std::int64_t>(position.line);
  info.column = static_cast<std::int64_t>(position.column);
  info.offset = span.offset;
  info.length = span.length;
}

std::string formatted(const Diagnostics& diagnostics, int format) {
  switch (format) {
    case KDIAG_FORMAT_TEXT: return render(diagnostics);
    case KDIAG_FORMAT_TEXT_COLOR: return render(diagnostics, {.color = true});
    case KDIAG_FORMAT_JSON: return to_json(diagnostics);
    case KDIAG_FORMAT_SARIF: return to_sarif(diagnostics);
    case KDIAG_FORMAT_GITHUB: return to_github(diagnostics);
    default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "diagnostics have no such format"};
  }
}

}  // namespace

size_t kdiag_diagnostic_count(const kdiag_context* context) {
  if (context == nullptr) return 0;
  const Use use(*context);
  return use.alone ? context->diagnostics.size() : 0;
}

kdiag_status kdiag_diagnostic_get(const kdiag_context* context, size_t index, kdiag_diagnostic* out) {
  if (context == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Use use(*context);
  if (!use.alone) return KDIAG_ERROR_ARGUMENT;
  return write_element(
      context->diagnostics, index, out, [context](kdiag_diagnostic& info, const Diagnostic& diagnostic) {
        info.level = static_cast<int>(diagnostic.level);
        info.id = string_of(diagnostic.id);
        info.title = string_of(diagnostic.title);
        info.note = string_of(diagnostic.note);
        info.help = string_of(diagnostic.help);
        info.context = string_of(diagnostic.context);
        info.labels = diagnostic.labels.size();
        fill_place(info, diagnostic.labels.empty() ? Span{} : diagnostic.labels.front().span, context->positions);
      });
}

kdiag_status kdiag_diagnostic_label(const kdiag_context* context, size_t diagnostic, size_t label, kdiag_label* out) {
  if (context == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Use use(*context);
  if (!use.alone || diagnostic >= context->diagnostics.size()) return KDIAG_ERROR_ARGUMENT;
  const std::vector<Label>& labels = context->diagnostics[diagnostic].labels;
  return write_element(labels, label, out, [context](kdiag_label& info, const Label& marked) {
    info.text = string_of(marked.text);
    fill_place(info, marked.span, context->positions);
  });
}

kdiag_status kdiag_diagnostics_format(kdiag_context* context, int format, kdiag_text** text) {
  if (context == nullptr || text == nullptr) return KDIAG_ERROR_ARGUMENT;
  *text = nullptr;
  const Use use(*context);
  if (!use.alone) return KDIAG_ERROR_ARGUMENT;
  try {  // not a call that takes the diagnostics' place
    *text = new kdiag_text{formatted(context->diagnostics, format)};
    return KDIAG_OK;
  } catch (...) {
    return handle_exception(nullptr);
  }
}
