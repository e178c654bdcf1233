// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <kdiag/timeline.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

namespace kdiag::fuzz {
namespace {

/// The input as a file, since a trace is copied from one.
const std::string& file_of(Input input) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("kdiag_fuzz_" + std::to_string(::getpid()))).string();
  std::ofstream(path, std::ios::binary) << text_of(input);
  return path;
}

/// How many rows each table has: what is written into a trace is no fact when the copy is read.
std::string rows_of(const Facts& facts) {
  std::string out;
  for (const RunFacts& run : facts.loaded().runs)
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
      out += std::string(info(TableId{t}).name) + " " + std::to_string(run.store->rows({t})) + "\n";
  return out;
}

}  // namespace

void annotate(Input input) {
  const std::string& path = file_of(input);
  LoadOptions options;
  options.threads = 1;
  const auto facts = load_trace(path, options);
  if (facts) {
    const Report report = diagnose(*facts, all_rules(), {.threads = 1});
    std::string copy;
    const Status written = annotate_trace(path, report, [&](std::string_view piece) {
      copy += piece;
      return true;
    });
    if (!written) (void)render(written.error());
    else {
      const auto again = load_trace("copy.json", std::span<const char>(copy.data(), copy.size()), options);
      if (!again) expect_none({render(again.error()), "of a trace that was annotated"});
      else if (rows_of(*facts) != rows_of(*again)) expect_none({rows_of(*facts), rows_of(*again)});
    }
  }
  std::filesystem::remove(path);
}

}  // namespace kdiag::fuzz
