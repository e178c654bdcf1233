// SPDX-License-Identifier: Apache-2.0
// A call of the runtime or driver as a row.
#pragma once

#include <cstdint>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// Adds a row of `api`: its times in ns and, where `base` is not empty, the name and what the name says, whether the
/// call puts work on a device and whether it blocks the host. `base` is a base name (api_names.hpp).
Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur);

/// A call's name in a batch, and what it says: for readers that meet the same few names in every row.
struct NamedCall {
  Text name;
  bool launch = false;
  bool blocking = false;
};
NamedCall named_call(Batch& batch, std::string_view base);
Row add_call(Batch& batch, const NamedCall& call, std::int64_t start, std::int64_t dur);

/// The same where more than the name tells whether the call puts work on a device.
Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur, bool launch);

}  // namespace kdiag::adapters
