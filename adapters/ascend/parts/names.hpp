// SPDX-License-Identifier: Apache-2.0
// How facts name what timelines and databases of Ascend's profilers record alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters::ascend {

/// Whether a range is the one that PyTorch puts around a step: "ProfilerStep#50".
bool is_step(std::string_view name);

/// A row of `steps` from such a range.
void add_step(Batch& batch, std::int64_t index, std::int64_t start, std::int64_t dur);

/// The name of a call of a layer of CANN: "aclrtMemcpy" of "AscendCL@aclrtMemcpy". Names of other layers mean nothing
/// without them: "Node@launch".
std::string_view call_name(std::string_view name);

/// Whether a call with such a name hands work to a device.
bool launches(std::string_view name);

/// Marks a device as an NPU.
void describe_device(Batch& batch, Row device);

/// Sets `comms.dtype` and, when the type is known, `comms.bytes`.
void set_message(Batch& batch, Row comm, std::string_view dtype, std::int64_t elements);

}  // namespace kdiag::adapters::ascend
