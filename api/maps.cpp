// SPDX-License-Identifier: Apache-2.0
// Loading mappings of custom formats.
#include <memory>
#include <string>
#include <utility>

#include <kdiag/kdiag.hpp>

#include "api/similar_file.hpp"
#include "dsl/rule_file.hpp"
#include "mapping/map_file.hpp"

namespace kdiag {
namespace {

Result<TraceMap> load(const SourcePtr& source) {
  Diagnostics diagnostics;
  LoadedMap map = mapping::parse_map(source, diagnostics);
  if (!diagnostics.empty()) return diagnostics;
  return TraceMap(std::make_shared<const LoadedMap>(std::move(map)));
}

}  // namespace

std::string_view TraceMap::name() const { return loaded_->name; }

Result<TraceMap> load_map(std::string_view path) {
  const std::string file(path);
  Result<SourcePtr> source = read_rule_source(file, "mapping");
  if (source) return load(*source);
  source.error().front().help = suggest_file(file);
  return std::move(source.error());
}

Result<TraceMap> load_map_text(std::string_view name, std::string_view text) {
  return load(std::make_shared<const Source>(Source{std::string(name), std::string(text)}));
}

}  // namespace kdiag
