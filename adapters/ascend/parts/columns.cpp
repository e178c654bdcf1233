// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/columns.hpp"

namespace kdiag::adapters::ascend {

TableKind kind_of(const Header& header) {
  using enum Column;
  if (header.has(step, computing, exposed_communication, free)) return TableKind::steps;
  if (header.has(level, api, count, total)) return TableKind::call_totals;
  if (header.has(type, core, count, total)) return TableKind::kernel_totals;
  if (header.has(kernel, core, duration)) return TableKind::kernels;
  return TableKind::none;
}

}  // namespace kdiag::adapters::ascend
