// SPDX-License-Identifier: Apache-2.0
// What a tool takes: declared once, for its schema and for looking at calls.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

struct Argument {
  enum class Kind { text, texts, number };
  std::string_view name;
  Kind kind = Kind::text;
  bool required = false;
  std::string_view what;
  std::int64_t least = 0, most = 0;  ///< of a number
};

/// JSON Schema 2020-12 of an object with these members and no others.
Json schema_of(std::span<const Argument> arguments);

/// The arguments of one call. Throws ToolError where they are not as declared, with what was probably meant.
class Arguments {
 public:
  Arguments(const Json& given, std::span<const Argument> declared);

  /// Empty where it is not given.
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;

 private:
  const Json& given_;
};

}  // namespace kdiag::serve::mcp
