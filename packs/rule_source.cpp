// SPDX-License-Identifier: Apache-2.0
#include "packs/rule_source.hpp"

#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include <kdiag/file_reader.hpp>

#include "base/similar_file.hpp"
#include "dsl/rule_file.hpp"

namespace kdiag {
namespace {

/// Nothing: it has none of that name.
std::optional<Result<SourcePtr>> read_from_host(const std::string& path, const FileReader& files,
                                                std::string_view what) {
  try {
    std::optional<std::string> text;
    if (files.read) text = files.read(path);
    if (!text) return std::nullopt;
    return rule_source(path, std::move(*text), what);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return unreadable(path, error.what(), what);
  } catch (...) {
    return unreadable(path, "the host failed to read it", what);
  }
}

}  // namespace

Result<SourcePtr> read_named_file(const std::string& path, const RuleOptions& options, std::string_view what) {
  if (options.files) {
    if (auto source = read_from_host(path, *options.files, what)) return std::move(*source);
    if (!options.files->over_file_system) return unreadable(path, "the host has none of that name", what);
  }
  auto source = read_rule_source(path, what, options.cancel);
  if (!source) suggest_similar(path, source.error().front());
  return source;
}

bool lies_with_host(const RuleOptions& options) { return options.files && !options.files->over_file_system; }

std::string file_identity(const std::string& path, const RuleOptions& options) {
  namespace fs = std::filesystem;
  if (lies_with_host(options)) return fs::path(path).lexically_normal().string();
  std::error_code error;
  const fs::path out = fs::weakly_canonical(fs::absolute(path, error), error);  // one of no file would stay relative
  return error ? path : out.string();
}

bool lies_below(const std::string& path, const std::string& folder, const RuleOptions& options) {
  namespace fs = std::filesystem;
  if (lies_with_host(options)) return true;
  const fs::path rest =
      fs::path(file_identity(path, options)).lexically_relative(file_identity(folder.empty() ? "." : folder, options));
  return !rest.empty() && *rest.begin() != "..";
}

bool is_special(const std::string& path, const RuleOptions& options) {
  namespace fs = std::filesystem;
  if (lies_with_host(options)) return false;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type == fs::file_type::character || type == fs::file_type::block || type == fs::file_type::fifo ||
         type == fs::file_type::socket;
}

}  // namespace kdiag
