// SPDX-License-Identifier: Apache-2.0
// Members of nested JSON objects by dotted paths.
#pragma once

#include <string_view>

#include "adapters/json/json.hpp"

namespace kdiag::mapping {

/// What stands at `gpu.clocks.sm` or `gpus.0.power` of an object; nullptr when nothing does. A key that holds dots
/// itself counts before the parts that the dots would separate.
const adapters::JsonValue* find_path(const adapters::JsonValue& value, std::string_view path);

/// The text of a number, string or boolean; empty for all else.
std::string_view scalar_text(const adapters::JsonValue& value);

}  // namespace kdiag::mapping
