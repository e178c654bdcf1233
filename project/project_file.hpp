// SPDX-License-Identifier: Apache-2.0
// Reads project files.
#pragma once

#include <kdiag/diagnostic.hpp>

#include "base/interrupt.hpp"
#include "project/loaded_project.hpp"

namespace kdiag {

/// The file in a folder that is looked for.
inline constexpr std::string_view project_file_name = "kdiag.yaml";

/// Reads a project file as far as it can be understood; whether the rules that it names exist is for those who load
/// them. All diagnostics at once, in the order of the file: K101 to K115 and K120 to K123. Paths are taken from
/// `folder`; empty: the working directory. Throws Interrupted soon after `cancel` was set.
LoadedProject parse_project(const SourcePtr& source, const std::string& folder, Diagnostics& diagnostics,
                            CancelFlag cancel = nullptr);

}  // namespace kdiag
