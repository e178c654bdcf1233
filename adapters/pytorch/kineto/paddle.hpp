// SPDX-License-Identifier: Apache-2.0
// PaddlePaddle's profiler writes Kineto's members and categories in a dialect of its own
// (paddle/fluid/platform/profiler/chrometracing_logger.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "adapters/pytorch/kineto/event.hpp"

namespace kdiag::adapters::kineto::paddle {

/// The name of a range without the duration that PaddlePaddle writes behind each, escapes not decoded: "relu" of
/// "relu[22.000 us]"; nothing for events of others.
std::optional<std::string_view> plain_name(const Event& event);

/// The number of the device that an allocation names: 1 of "Place(gpu:1)"; nothing for the host's memory.
std::optional<std::int64_t> device_of_place(std::string_view place);

}  // namespace kdiag::adapters::kineto::paddle
