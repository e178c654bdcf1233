// SPDX-License-Identifier: Apache-2.0
// Which source files are a library's: findings point to the user's line.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Whether a frame's file belongs to the interpreter, its standard library, the framework or an installed package.
/// Judged by the places where Python installs packages, and, since the PyTorch profiler cuts those places off (an
/// installed
/// `.../site-packages/transformers/trainer.py` becomes `transformers/trainer.py`, and `typing.py` had a path too), by
/// names: modules of the standard library, and packages that training and serving scripts are known to import
/// (judgement). A file that none of it knows is the user's.
///
/// Example: is_library_file("torch/nn/modules/module.py") is true, is_library_file("train.py") false.
bool is_library_file(std::string_view file);

/// From a row of `frames` to the innermost caller whose file is the user's, itself first; absent_index where all are a
/// library's. Outside of whatever JAX called, whose profiler states file names without folders, where such a caller is
/// known.
std::uint32_t first_user_frame(const FactStore& store, std::uint32_t frame);

}  // namespace kdiag
