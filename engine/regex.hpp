// SPDX-License-Identifier: Apache-2.0
// Regular expressions that cannot hang: RE2, with a limit on the size of its program.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace kdiag {

/// Compiles a pattern; null when it is no RE2 syntax or compiles to more than 4,096 instructions (language.md, limits),
/// and `why` says which.
std::shared_ptr<const re2::RE2> compile_regex(std::string_view pattern, bool ignore_case, std::string& why);

}  // namespace kdiag
