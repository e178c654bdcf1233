// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/function_class.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/names/communication_names.hpp"
#include "base/text.hpp"

namespace kdiag {
namespace {

// Without the lines between their words, which some names have: "all_reduce", "allReduce".
constexpr std::string_view collectives[] = {"allreduce", "allgather", "alltoall", "reducescatter"};
constexpr std::string_view copy_words[] = {"memcpy", "memset"};
constexpr std::string_view copy_beginnings[] = {"copyhost", "copydevice", "copybuffer"};

}  // namespace

FunctionClass class_of_function(std::string_view function) {
  const std::string name = lower(function);
  std::string letters = name;
  std::erase(letters, '_');
  const auto has = [&](std::string_view word) { return contains(name, word); };
  const auto begins = [&](std::string_view word) { return name.starts_with(word); };
  if (is_communication_kernel(function) || is_communication_kernel(name) || contains_any(letters, collectives))
    return FunctionClass::communication;
  if (std::any_of(std::begin(copy_words), std::end(copy_words), has)) return FunctionClass::copy;
  if (std::any_of(std::begin(copy_beginnings), std::end(copy_beginnings), begins)) return FunctionClass::copy;
  return FunctionClass::compute;
}

}  // namespace kdiag
