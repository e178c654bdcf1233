// SPDX-License-Identifier: Apache-2.0
// Says what an input is that no adapter reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// One sentence about an input that no adapter knows, without its name: K692 with the format's name when it is one
/// that this version does not read, else K691 with what can be seen of it (JSON keys, CSV header, text, binary).
Diagnostic recognise(const Head& head);

/// The first line of a text in quotes, cut to what fits in a message; empty where the input is no text.
std::string beginning(const Head& head);

/// Names of the formats that are recognised and refused, for `kdiag formats`.
std::vector<std::string_view> refused_formats();

}  // namespace kdiag
