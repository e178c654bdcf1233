// SPDX-License-Identifier: Apache-2.0
#include "engine/regex.hpp"

#include <re2/re2.h>

namespace kdiag {

std::shared_ptr<const re2::RE2> compile_regex(std::string_view pattern, bool ignore_case, std::string& why) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_case_sensitive(!ignore_case);
  options.set_max_mem(1 << 20);
  auto regex = std::make_shared<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!regex->ok()) {
    why = regex->error();
    return nullptr;
  }
  constexpr int program_limit = 4096;
  if (regex->ProgramSize() > program_limit) {
    why = "the pattern compiles to " + std::to_string(regex->ProgramSize()) + " instructions, the limit is " +
          std::to_string(program_limit);
    return nullptr;
  }
  return regex;
}

}  // namespace kdiag
