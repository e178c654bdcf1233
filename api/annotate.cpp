// SPDX-License-Identifier: Apache-2.0
// Copies a trace with findings among its events.
#include <kdiag/timeline.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/gzip_writer.hpp"
#include "adapters/io/input.hpp"
#include "adapters/json/event_list.hpp"
#include "base/interrupt.hpp"
#include "ingest/read_inputs.hpp"
#include "report/finding_events.hpp"

namespace kdiag {
namespace {

using Output = std::function<bool(std::string_view)>;

Diagnostic cannot_annotate(std::string title) {
  Diagnostic error;
  error.id = refusal_id::command_failed;
  error.title = std::move(title);
  error.help = "kdiag --format perfetto --output t.pftrace TRACE shows any timeline with its findings.";
  return error;
}

/// Whether times of the facts are those of the document, but for what it says they are counted from.
bool keeps_times(std::string_view adapter) { return adapter == "pytorch-kineto" || adapter == "chrome-trace"; }

/// Reads the unpacked trace; `take` returns false when it wants no more. An input that is damaged ends where it is.
Status read_all(const std::string& path, CancelFlag cancel, const Output& take) {
  auto input = adapters::open_input(path);
  if (!input) return std::move(input.error());
  std::vector<char> buffer(std::size_t{1} << 20);
  for (;;) {
    stop_if(cancel);
    const Result<std::size_t> size = (*input)->read(buffer);
    if (!size) return size.error();
    if (*size == 0 || !take({buffer.data(), *size})) return ok_status();
  }
}

Status copy_with(const std::string& events, const std::string& path, std::uint64_t begin, CancelFlag cancel,
                 const Output& output) {
  std::uint64_t position = 0;
  return read_all(path, cancel, [&](std::string_view piece) {
    const std::uint64_t start = position;
    position += piece.size();
    if (begin <= start || begin > position) return output(piece);
    const std::size_t cut = static_cast<std::size_t>(begin - start);
    return output(piece.substr(0, cut)) && output(events) && output(piece.substr(cut));
  });
}

Status annotate(const std::string& path, const Report& report, const Output& output, const AnnotateOptions& options) {
  if (report.inputs.size() != 1 || !keeps_times(report.inputs.front().adapter))
    return cannot_annotate("only a single Kineto or Chrome trace can be annotated");
  adapters::EventListFinder finder;
  Status read = read_all(path, options.cancel, [&finder](std::string_view piece) {
    finder.add(piece);
    return true;
  });
  if (!read) return read;
  if (!finder.begin()) return cannot_annotate("the trace has no list of events");
  std::string events = report::finding_events(report, options.facts, finder.base_time());
  if (!events.empty() && !finder.empty()) events += ",";
  if (!options.gzip) return copy_with(events, path, *finder.begin(), options.cancel, output);
  adapters::GzipWriter packed(output);
  Status copied = copy_with(events, path, *finder.begin(), options.cancel,
                            [&packed](std::string_view piece) { return packed.write(piece); });
  if (copied) packed.finish();
  return copied;
}

}  // namespace

Status annotate_trace(const std::string& path, const Report& report, const Output& output,
                      const AnnotateOptions& options) {
  try {
    return annotate(path, report, output, options);
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

}  // namespace kdiag
