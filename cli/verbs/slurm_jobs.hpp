// SPDX-License-Identifier: Apache-2.0
// A fleet on the nodes of Slurm: an array job that summarises, and one behind it that judges.
#pragma once

#include "cli/options.hpp"

namespace kdiag::cli {

/// Writes the scripts of both jobs and the one that submits them to the folder --slurm, and runs that for --submit, in
/// which case it only returns where that fails. Returns the exit code.
int write_slurm_jobs(Options& options);

}  // namespace kdiag::cli
