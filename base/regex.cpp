// SPDX-License-Identifier: Apache-2.0
#include "base/regex.hpp"

#include <re2/re2.h>

namespace kdiag {

const re2::RE2& Regex::compiled() const {
  once_.call([this] {
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_case_sensitive(!ignore_case_);
    options.set_max_mem(1 << 20);
    compiled_ = std::make_shared<const re2::RE2>(pattern_, options);
  });
  return *compiled_;
}

bool Regex::found_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled());
}

std::shared_ptr<const Regex> compile_regex(std::string_view pattern, bool ignore_case, std::string& why) {
  auto regex = std::make_shared<const Regex>(pattern, ignore_case);
  if (!regex->compiled().ok()) {
    why = regex->compiled().error();
    return nullptr;
  }
  constexpr int program_limit = 4096;
  const int size = regex->compiled().ProgramSize();
  if (size <= program_limit) return regex;
  why = "the pattern compiles to " + std::to_string(size) + " instructions, the limit is " +
        std::to_string(program_limit);
  return nullptr;
}

}  // namespace kdiag
