// SPDX-License-Identifier: Apache-2.0
// Who makes a device, from its model name or from the names of its runtime calls.
#pragma once

#include <string_view>

namespace kdiag::adapters {

/// Values of `devices.vendor` and `devices.kind`; empty when the text does not say.
struct DeviceMaker {
  std::string_view vendor;
  std::string_view kind;
};

/// From a model name: "NVIDIA A100-SXM4-80GB" -> nvidia, GPU; "MLU370" -> cambricon, MLU.
DeviceMaker maker_of_model(std::string_view model);

/// From the back end that a profiler's category names: "mtia_runtime" -> meta, MTIA. Nothing for those that several
/// makers share ("cuda_runtime" holds HIP calls too).
DeviceMaker maker_of_category(std::string_view category);

/// From a runtime call: "hipLaunchKernel" -> amd, GPU; "cnrtMalloc" -> cambricon, MLU.
DeviceMaker maker_of_call(std::string_view call);

}  // namespace kdiag::adapters
