// SPDX-License-Identifier: Apache-2.0
// Records that cannot be used, counted by what is wrong, with the first line of each kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

class BadRecords {
 public:
  /// `id`: a note; `what`: what is wrong, the same for all records that have it; `shown`: the text that is.
  void add(std::string_view id, std::string_view what, std::uint64_t line, std::string_view shown = {}) {
    constexpr std::size_t most_kinds = 1000;  // of more the rest is counted together (judgement)
    std::pair<std::string, std::string> key(id, what);
    if (kinds_.size() >= most_kinds && !kinds_.contains(key)) key.second = "others";
    Kind& kind = kinds_[std::move(key)];
    if (kind.count++ == 0) {
      constexpr std::size_t most_shown = 40;
      kind.line = line;
      kind.shown = shown.substr(0, most_shown);
    }
  }

  void report(FactSink& sink) const {
    for (const auto& [key, kind] : kinds_) {
      std::string detail = key.second;
      if (!kind.shown.empty()) detail += (detail.empty() ? "'" : " '") + kind.shown + "'";
      if (!detail.empty()) detail += ", ";
      detail += (kind.count > 1 ? "first on line " : "line ") + std::to_string(kind.line);
      sink.note(key.first, detail, kind.count);
    }
  }

 private:
  struct Kind {
    std::uint64_t count = 0;
    std::uint64_t line = 0;
    std::string shown;
  };
  std::map<std::pair<std::string, std::string>, Kind> kinds_;
};

}  // namespace kdiag::adapters
