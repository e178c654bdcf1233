// SPDX-License-Identifier: Apache-2.0
#include <kdiag/kdiag.hpp>

namespace kdiag {

std::string_view version() { return KDIAG_VERSION; }

}  // namespace kdiag
