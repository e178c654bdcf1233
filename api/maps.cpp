// SPDX-License-Identifier: Apache-2.0
// Loading mappings of custom formats.
#include <memory>
#include <string>
#include <utility>

#include <kdiag/kdiag.hpp>
#include <kdiag/refusal_ids.hpp>

#include "base/similar_file.hpp"
#include "dsl/rule_file.hpp"
#include "ingest/reading.hpp"
#include "mapping/map_file.hpp"

namespace kdiag {
namespace {

/// `read` gives the text of the mapping.
template <class Read>
Result<TraceMap> load(const Read& read, CancelFlag cancel) {
  try {
    const Result<SourcePtr> source = read();
    if (!source) return source.error();
    Diagnostics diagnostics;
    LoadedMap map = mapping::parse_map(*source, diagnostics, cancel);
    if (!diagnostics.empty()) return diagnostics;
    return TraceMap(std::make_shared<const LoadedMap>(std::move(map)));
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "loading the mapping was interrupted");
  }
}

}  // namespace

std::string_view TraceMap::name() const { return loaded_->name; }

Result<TraceMap> load_map(std::string_view path, const std::atomic<bool>* cancel) {
  return load(
      [&, file = std::string(path)] {
        Result<SourcePtr> source = read_rule_source(file, "mapping", cancel);
        if (!source) suggest_similar(file, source.error().front());
        return source;
      },
      cancel);
}

Result<TraceMap> load_map_text(std::string_view name, std::string_view text, const std::atomic<bool>* cancel) {
  return load(
      [&] {
        return Result<SourcePtr>(std::make_shared<const Source>(Source{std::string(name), std::string(text)}));
      },
      cancel);
}

}  // namespace kdiag
