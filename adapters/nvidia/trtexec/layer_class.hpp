// SPDX-License-Identifier: Apache-2.0
// What a layer of a TensorRT engine does, by its name.
#pragma once

#include <string_view>

namespace kdiag::adapters::trtexec {

/// The class of kernels of a layer, by the names of the nodes that it was fused from. A copy is named after what it
/// copies.
std::string_view layer_class(std::string_view name);

}  // namespace kdiag::adapters::trtexec
