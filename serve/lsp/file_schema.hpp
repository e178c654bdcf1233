// SPDX-License-Identifier: Apache-2.0
// Which keys and words kdiag's YAML files can have at a place, by the JSON Schema of `kdiag rules schema`.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kdiag::serve {

struct SchemaPlace {
  std::map<std::string, std::string> keys;  ///< of a mapping, with what they mean
  std::vector<std::string> words;           ///< of a value that is one of some
  bool other_values = false;                ///< it can be something else, too
};

/// What fits below some keys of a file with these top keys.
SchemaPlace schema_place(const std::vector<std::string>& top_keys, const std::vector<std::string>& keys);

}  // namespace kdiag::serve
