// SPDX-License-Identifier: Apache-2.0
#include "engine/allowance.hpp"

namespace kdiag {
namespace {
thread_local std::shared_ptr<Allowance> of_this_thread;
}

const std::shared_ptr<Allowance>& Allowance::current() { return of_this_thread; }

std::shared_ptr<Allowance> Allowance::enter(std::shared_ptr<Allowance> allowance) {
  return std::exchange(of_this_thread, std::move(allowance));
}

}  // namespace kdiag
