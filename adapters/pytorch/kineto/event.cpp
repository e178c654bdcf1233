// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/kineto/event.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::kineto {
namespace {

/// Whether `text` is `small`, which is in lower case.
bool same(std::string_view text, std::string_view small) {
  return text.size() == small.size() &&
         std::equal(text.begin(), text.end(), small.begin(), [](char a, char b) { return lower(a) == b; });
}

bool ends_with(std::string_view text, std::string_view small) {
  return text.size() >= small.size() && same(text.substr(text.size() - small.size()), small);
}

struct CategoryName {
  std::string_view name;
  EventKind kind;
};

// Categories that libkineto writes. The capitalised names of 2021 differ only in case.
constexpr CategoryName categories[] = {
    {"cpu_op", EventKind::op},
    {"operator", EventKind::op},
    {"kernel", EventKind::kernel},
    {"python_function", EventKind::python_call},
    {"user_annotation", EventKind::host_range},
    {"overhead", EventKind::overhead},
    {"trace", EventKind::window},
    {"runtime", EventKind::call},
    {"driver", EventKind::call},
    {"memcpy", EventKind::copy},
    {"memset", EventKind::memset},
    {"hpu_op", EventKind::kernel},           // Gaudi: work on the device's rows
    {"mtia_ccp_events", EventKind::kernel},  // MTIA: work of the control processor
    {"collective_comm", EventKind::kernel},
    {"cuda_event", EventKind::ignored},
};
// Families, one per back end: cuda_runtime, mlu_runtime, privateuse1_runtime; gpu_memcpy, mlu_memcpy.
constexpr CategoryName families[] = {
    {"_user_annotation", EventKind::device_range},
    {"_runtime", EventKind::call},
    {"_driver", EventKind::call},
    {"_memcpy", EventKind::copy},
    {"_memset", EventKind::memset},
    {"_kernel", EventKind::kernel},
    {"_sync", EventKind::ignored},
};

// Of PaddlePaddle. They stand behind those of PyTorch, by which nearly all events are told.
constexpr CategoryName paddle_categories[] = {
    {"cudaruntime", EventKind::call},       {"mluruntime", EventKind::call},
    {"operatorinner", EventKind::op},       {"pythonop", EventKind::op},
    {"profilestep", EventKind::host_range}, {"forward", EventKind::host_range},
    {"backward", EventKind::host_range},    {"optimization", EventKind::host_range},
    {"userdefined", EventKind::host_range}, {"pythonuserdefined", EventKind::host_range},
    {"dataloader", EventKind::loading},     {"communication", EventKind::exchange},
};

EventKind kind_of_span(std::string_view category) {
  for (const CategoryName& known : categories)
    if (same(category, known.name)) return known.kind;
  for (const CategoryName& known : families)
    if (ends_with(category, known.name)) return known.kind;
  for (const CategoryName& known : paddle_categories)
    if (same(category, known.name)) return known.kind;
  return EventKind::unknown;
}

}  // namespace

EventKind kind_of(const Event& event) {
  if (event.of_diagnosis()) return EventKind::ignored;
  const std::string_view phase = unquoted(event.ph);
  const std::string_view name = unquoted(event.name);
  switch (phase.size() == 1 ? phase.front() : '\0') {
    case 'X': return kind_of_span(unquoted(event.cat));
    case 'i':
    case 'I':
    case 'R':
      // PaddlePaddle also tells what its allocator takes from the device: other allocations are parts of these.
      if (name == "[memory]")
        return unquoted(event.cat).starts_with("Reserved") ? EventKind::ignored : EventKind::allocation;
      return name == "[OutOfMemory]" ? EventKind::out_of_memory : EventKind::ignored;
    case 'C': return EventKind::counter;
    case 'M': return name == "thread_name" ? EventKind::thread_name : EventKind::ignored;
    case 's':
    case 't':
    case 'f': return EventKind::ignored;  // flows repeat what `correlation` says
    default: return phase.empty() && event.name.text.empty() ? EventKind::ignored : EventKind::unknown;
  }
}

std::optional<Dim3> to_dim3(Token token) {
  const std::string_view text = unquoted(token);
  std::int64_t parts[3] = {};
  std::size_t at = 0;
  for (std::int64_t& part : parts) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), part);
    if (error != std::errc{}) return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

std::optional<std::int64_t> named_integer(Token token) {
  if (const auto whole = to_integer(token)) return whole;
  const std::string_view text = unquoted(token);
  if (text.ends_with(')')) return parse_number<std::int64_t>(text.substr(0, text.find('(')));
  std::size_t from = text.size();
  while (from > 0 && text[from - 1] >= '0' && text[from - 1] <= '9') --from;
  return parse_number<std::int64_t>(text.substr(from));
}

}  // namespace kdiag::adapters::kineto
