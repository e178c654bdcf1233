// SPDX-License-Identifier: Apache-2.0
// The texts of files that rules name, from the file system or from the host.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/kdiag.hpp>

namespace kdiag {

/// Reads a rule file or another one that rules name; `what` it is, for the message. K100 when it cannot be read, and
/// what it may have been called. Throws Interrupted soon after `options.cancel` was set.
Result<SourcePtr> read_named_file(const std::string& path, const RuleOptions& options,
                                  std::string_view what = "rule file");

/// Whether all files are the host's, so that the file system says nothing of them.
bool lies_with_host(const RuleOptions& options);

/// The one name of a file, however it was written; the path itself when there is no such file.
std::string file_identity(const std::string& path, const RuleOptions& options);

/// Whether a file lies below a folder; links count by where they lead. Always of a host's files: which it gives is its
/// to say.
bool lies_below(const std::string& path, const std::string& folder, const RuleOptions& options);

/// Whether a path is that of a device, a pipe or a socket, which rules may not name: to read it can take for ever.
bool is_special(const std::string& path, const RuleOptions& options);

}  // namespace kdiag
