// SPDX-License-Identifier: Apache-2.0
// JSON as servers read and write it. Headers name the type alone: what looks inside includes <nlohmann/json.hpp>
// itself.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace kdiag::serve {

using Json = nlohmann::json;

}  // namespace kdiag::serve
