// SPDX-License-Identifier: Apache-2.0
// Functions that the host gives to the rule language, with their types read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <kdiag/host_function.hpp>
#include <kdiag/result.hpp>
#include <kdiag/shared.hpp>

#include "base/interrupt.hpp"
#include "engine/language/type.hpp"
#include "engine/language/value.hpp"

namespace kdiag {

struct CheckedHostFunction {
  Shared<HostFunction> function;
  std::vector<Type> parameters;
  Type result;
  /// "gpu_hour_price(string) -> number".
  std::string signature() const;
};
using HostFunctions = std::map<std::string, CheckedHostFunction, std::less<>>;

/// Reads the types. Errors: K763 a name that cannot be used or is taken, an unknown type, nothing to call.
Result<HostFunctions> check_host_functions(const std::vector<Shared<HostFunction>>& functions);

/// Calls a function with the values of its arguments, known and exact; unknown when it says so or fails. `cancel`: the
/// flag of the call in which it is asked.
Value call_host(const HostFunction& function, const Type& result, const std::vector<Value>& arguments,
                CancelFlag cancel);

/// The flag of the call that asks the function which runs in this thread; null: none does, or the call has no flag.
CancelFlag calling_host();

}  // namespace kdiag
