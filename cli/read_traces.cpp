// SPDX-License-Identifier: Apache-2.0
#include "cli/read_traces.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <thread>

namespace kdiag::cli {

std::unique_ptr<Progress> show_progress(Options& options) {
  std::unique_ptr<Progress> progress;
  if (!options.quiet && ::isatty(STDERR_FILENO) != 0) progress = std::make_unique<Progress>();
  options.load.progress = progress.get();
  options.load.cancel = &interrupted;
  return progress;
}

bool load_maps(Options& options) {
  Diagnostics errors;
  for (const std::string& file : options.maps) {
    const Result<TraceMap> map = load_map(file, &interrupted);
    if (map) options.load.maps.push_back(*map);
    else errors.insert(errors.end(), map.error().begin(), map.error().end());
  }
  complain(options, errors);
  return errors.empty();
}

namespace {

std::optional<Facts> load_files(Options& options, const std::vector<std::string>& files, int& code) {
  std::unique_ptr<Progress> progress = show_progress(options);
  Result<Facts> facts = load_traces(files, options.load);
  progress.reset();
  options.load.progress = nullptr;
  return told(options, std::move(facts), code);
}

}  // namespace

std::optional<Facts> load(Options& options, int& code) {
  code = exit_code::rules;
  if (!load_maps(options)) return std::nullopt;
  return load_files(options, options.files, code);
}

bool load_baseline(Options& options, std::optional<Facts>& baseline, int& code) {
  if (options.baseline.empty()) return true;
  const ScopeOptions asked = options.load.scope;
  // Of a baseline the same time is meant; which device and rank corresponds the comparison finds out.
  options.load.scope.rank.reset();
  options.load.scope.device.reset();
  baseline = load_files(options, options.baseline, code);
  options.load.scope = asked;
  return baseline.has_value();
}

bool should_read_ahead(const Options& options, const std::vector<std::string>& traces) {
  if (options.load.threads == 1 || std::thread::hardware_concurrency() < 2) return false;
  if (!options.maps.empty() || options.timings) return false;
  constexpr std::uintmax_t most_bytes = 16U << 20U;  // docs/performance.md has what was measured
  std::uintmax_t bytes = 0;
  for (const std::string& trace : traces) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(trace, unknown)) return false;
    bytes += std::filesystem::file_size(trace, unknown);
    if (unknown || bytes > most_bytes) return false;
  }
  return true;
}

}  // namespace kdiag::cli
