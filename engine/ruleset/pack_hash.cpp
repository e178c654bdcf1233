// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/pack_hash.hpp"

#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/sha256.hpp"
#include "engine/ruleset/script.hpp"

namespace kdiag {

std::string pack_name(const RuleFile& file) {
  return file.pack.empty() ? std::filesystem::path(file.source->name).filename().string() : file.pack;
}

std::string hash_of_pack(const RuleFile& file) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(file.source->name).parent_path();
  std::map<std::string, std::string> hashes;  // by name
  const auto add = [&](const SourcePtr& source) {
    hashes.emplace(fs::path(source->name).lexically_relative(folder.empty() ? "." : folder).generic_string(),
                   sha256(source->text));
  };
  add(file.source);
  for (const SourcePtr& part : file.parts) add(part);
  for (const Rule& rule : file.rules)
    if (rule.script) add(rule.script->source());
  std::string list;
  for (const auto& [name, hash] : hashes) list += hash + "  " + name + "\n";
  return "sha256:" + sha256(list);
}

std::vector<PackEntry> user_packs(const std::vector<std::shared_ptr<const RuleFile>>& files) {
  std::vector<PackEntry> out;
  for (const auto& file : files)
    if (!file->builtin && !file->project)
      out.push_back({.name = pack_name(*file),
                     .version = file->version,
                     .path = file->source->name,
                     .hash = hash_of_pack(*file)});
  return out;
}

void refuse_two_versions(const std::vector<std::shared_ptr<const RuleFile>>& files, Diagnostics& diagnostics) {
  std::map<std::string_view, const RuleFile*> first;
  for (const auto& file : files) {
    if (file->builtin || file->pack.empty()) continue;
    const auto [known, added] = first.emplace(file->pack, file.get());
    if (added || known->second->version == file->version) continue;
    Diagnostic error =
        make_error(error_id::two_versions, file->pack_span,
                   "two versions of the pack '" + file->pack + "': " + file->version + " and " + known->second->version,
                   {}, "load one of them, or give one another name");
    error.labels.push_back({known->second->pack_span, "the other one"});
    diagnostics.push_back(std::move(error));
  }
}

}  // namespace kdiag
