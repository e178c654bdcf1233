// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/tasks.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::ascend {
namespace {

// Of task types, and of names that are types themselves ("EVENT_WAIT"). SDMA and RDMA move the parts of a collective.
constexpr std::string_view control_words[] = {"EVENT",       "NOTIFY",   "WAIT",  "PLACE_HOLDER", "WRITE_VALUE",
                                              "WRITE VALUE", "RECORD",   "LABEL", "FLIP",         "PROFILING",
                                              "MODEL_",      "CALLBACK", "SDMA",  "RDMA"};

bool is_control(std::string_view text) {
  return std::any_of(std::begin(control_words), std::end(control_words),
                     [text](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace

TaskKind task_kind(std::string_view type, std::string_view name) {
  const std::string plain = upper(name);
  if (plain.starts_with("MEMCPY")) return TaskKind::copy;
  if (plain.starts_with("MEMSET")) return TaskKind::memset;
  if (is_control(upper(type))) return TaskKind::control;
  return plain == name && is_control(plain) ? TaskKind::control : TaskKind::kernel;
}

CollectiveName parse_collective(std::string_view name) {
  CollectiveName out;
  const std::size_t group = name.find("__");
  if (group == name.npos) return out;
  name.remove_prefix(group + 2);
  const std::size_t end = std::min(name.find('_'), name.size());
  out.group = name.substr(0, end);
  if (end == name.size()) return out;
  name.remove_prefix(end + 1);
  out.sequence = take_number<std::int64_t>(name);
  return out;
}

}  // namespace kdiag::adapters::ascend
