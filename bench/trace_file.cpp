// SPDX-License-Identifier: Apache-2.0
// Keeps generated traces in the build folder, where the next run finds them.
#include "bench/trace_file.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "bench/trace_generator.hpp"

namespace kdiag::bench {

const std::string& trace_file(std::int64_t events) {
  static std::map<std::int64_t, std::string> paths;
  std::string& path = paths[events];
  if (!path.empty()) return path;
  path = std::string(KDIAG_BENCH_DIR) + "/trace-" + std::to_string(events) + ".json";
  if (std::filesystem::exists(path)) return path;
  const std::string unfinished = path + ".part";
  std::FILE* out = std::fopen(unfinished.c_str(), "wb");
  if (out == nullptr) throw std::runtime_error("cannot write " + unfinished);
  write_trace(out, events);
  if (std::fclose(out) != 0) throw std::runtime_error("cannot write " + unfinished);
  std::filesystem::rename(unfinished, path);
  return path;
}

std::int64_t file_size(const std::string& path) { return static_cast<std::int64_t>(std::filesystem::file_size(path)); }

}  // namespace kdiag::bench
