// SPDX-License-Identifier: Apache-2.0
// Rule packs of any size, of the kinds of rules that people write.
#pragma once

#include <cstddef>
#include <string>

namespace kdiag::bench {

/// The text of a rule file with so many rules of about 300 bytes. The same text at every call.
std::string rule_pack(std::size_t rules);

}  // namespace kdiag::bench
