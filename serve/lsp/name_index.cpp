// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/name_index.hpp"

namespace kdiag::serve {
namespace {

constexpr std::size_t most_bytes = std::size_t{8} << 20;  // of texts: a large pack and its tests (judgement)

}  // namespace

Names NameIndex::names_in(const std::string& path, const std::string& text, const std::atomic<bool>& stop) {
  if (const auto found = by_path_.find(path); found != by_path_.end() && found->second.text == text)
    return found->second.names;
  auto names = std::make_shared<const std::vector<NameUse>>(kdiag::names_in(path, text, &stop, trees_.get()));
  if (stop) return names;  // they are not all
  if (bytes_ + text.size() > most_bytes) {
    by_path_.clear();
    bytes_ = 0;
  }
  Known& known = by_path_[path];
  bytes_ += text.size() - known.text.size();
  known.text = text;
  known.names = names;
  if (!names->empty()) known.last = names;
  return names;
}

Names NameIndex::last_names_in(const std::string& path, const std::string& text, const std::atomic<bool>& stop) {
  const Names names = names_in(path, text, stop);
  const auto known = by_path_.find(path);
  return names->empty() && known != by_path_.end() && known->second.last ? known->second.last : names;
}

}  // namespace kdiag::serve
