// SPDX-License-Identifier: Apache-2.0
// Which forms of output the verbs offer, by the words of --format.
#pragma once

#include <map>
#include <string>

#include "cli/options.hpp"

namespace kdiag::cli {

using OutputFormats = std::map<std::string, Format>;

inline const OutputFormats text_or_json = {{"text", Format::text}, {"json", Format::json}};
inline const OutputFormats text_only = {{"text", Format::text}};
inline const OutputFormats report_formats = {
    {"text", Format::text},   {"json", Format::json}, {"markdown", Format::markdown}, {"sarif", Format::sarif},
    {"junit", Format::junit}, {"html", Format::html}, {"github", Format::github},     {"gitlab", Format::gitlab}};
inline const OutputFormats diagnosis_formats = [] {
  OutputFormats formats = report_formats;
  formats.emplace("perfetto", Format::perfetto);  // of one diagnosis: a timeline beside its findings
  return formats;
}();
inline const OutputFormats diagnostic_formats = {
    {"text", Format::text}, {"json", Format::json}, {"sarif", Format::sarif}, {"github", Format::github}};

}  // namespace kdiag::cli
