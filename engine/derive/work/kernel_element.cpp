// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/kernel_element.hpp"

#include "base/parse_number.hpp"
#include "engine/derive/work/element_type.hpp"

namespace kdiag::work {
namespace {

/// What stands behind a word of a name, up to what ends a template's argument; nothing where the word is not there.
std::string_view argument_after(std::string_view name, std::string_view word) {
  const std::size_t found = name.find(word);
  if (found == std::string_view::npos) return {};
  name.remove_prefix(found + word.size());
  return name.substr(0, name.find_first_of(",>"));
}

}  // namespace

std::int64_t element_bytes_named(std::string_view kernel) {
  constexpr std::int64_t widest = 16;
  if (std::string_view width = argument_after(kernel, "OpaqueType<"); width.ends_with('u')) {
    width.remove_suffix(1);
    const auto bytes = parse_number<std::int64_t>(width);
    return bytes && *bytes > 0 && *bytes <= widest ? *bytes : 0;
  }
  if (kernel.find("multi_tensor_apply_kernel<") == std::string_view::npos) return 0;
  const ElementType* type = find_element_type(argument_after(kernel, "Functor<"));
  return type == nullptr ? 0 : type->bytes;
}

}  // namespace kdiag::work
