// SPDX-License-Identifier: Apache-2.0
// Plain text out of the small HTML fragments that tools put into JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters {

/// The text of a fragment: tags dropped, the entities &amp; &lt; &gt; &quot; &#39; &nbsp; decoded, runs of white space
/// made one blank. A `<` that opens no tag is kept: "a < b" stays.
std::string html_text(std::string_view html);

/// The texts of the `<li>` items of a fragment, empty ones left out; items that nothing closes end at the next item.
std::vector<std::string> html_list_items(std::string_view html);

}  // namespace kdiag::adapters
