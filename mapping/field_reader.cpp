// SPDX-License-Identifier: Apache-2.0
#include "mapping/field_reader.hpp"

#include "adapters/text/units.hpp"

namespace kdiag::mapping {
namespace {

adapters::CsvOptions options_of(const LoadedMap& map) {
  if (map.format == LoadedMap::Format::json_lines)
    return {.separator = '\0', .quotes = false, .proves_end = adapters::ends_with_brace};
  if (map.separator == LoadedMap::blanks)
    return {.separator = '\0', .quotes = false, .proves_end = adapters::ends_with_blank};
  return {.separator = map.separator};
}

}  // namespace

FieldReader::FieldReader(const LoadedMap& map, Input& input, FactSink& sink)
    : map_(map), csv_(input, sink, options_of(map)) {}

bool FieldReader::next() {
  do {
    if (!csv_.next()) return false;
  } while (!map_.comment.empty() && adapters::trim(csv_.record()).starts_with(map_.comment));
  fields_ = csv_.fields();
  if (map_.format == LoadedMap::Format::csv && map_.separator == LoadedMap::blanks) {
    words_ = adapters::words(csv_.record());
    fields_ = words_;
  }
  return true;
}

}  // namespace kdiag::mapping
