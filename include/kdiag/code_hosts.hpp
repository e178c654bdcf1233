// SPDX-License-Identifier: Apache-2.0
// Reports as hosts of code show them beside a change; SARIF is in kdiag/report.hpp.
#pragma once

#include <atomic>
#include <string>

#include <kdiag/export.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

/// The findings as workflow commands of GitHub Actions: annotations, beside the lines of the user's code where these
/// are known. What is waived or known is none. Empty soon after `cancel` was set, here and below.
KDIAG_API std::string to_github(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// The findings as GitLab's Code Quality report.
KDIAG_API std::string to_gitlab(const Report& report, const std::atomic<bool>* cancel = nullptr);

}  // namespace kdiag
