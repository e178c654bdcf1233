// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/timeline/call_nature.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace kdiag {
namespace {

/// Parts of names in lower case, most telling first: cudaMemcpyAsync is a copy, though it holds "async", and
/// cudaGetSymbolAddress asks.
constexpr std::pair<std::string_view, CallNature> parts[] = {
    {"begincapture", CallNature::begin_capture},
    {"endcapture", CallNature::end_capture},
    {"compil", CallNature::compile},
    {"nvrtc", CallNature::compile},
    {"culink", CallNature::compile},
    {"moduleload", CallNature::load},
    {"libraryload", CallNature::load},
    {"alloc", CallNature::allocation},
    {"free", CallNature::allocation},
    {"hostregister", CallNature::allocation},
    {"hostunregister", CallNature::allocation},
    {"memcpy", CallNature::copy},
    {"memorycopy", CallNature::copy},
    {"memset", CallNature::fill},
    {"launchhostfunc", CallNature::ask},  // queues a function of the host, as recording queues an event
    {"memoryfill", CallNature::fill},
    {"query", CallNature::ask},
    {"get", CallNature::ask},
    {"record", CallNature::ask},
    {"waitevent", CallNature::ask},
    {"iscapturing", CallNature::ask},
    {"occupancy", CallNature::ask},
    {"peekat", CallNature::ask},
    {"callconfiguration", CallNature::ask},
    {"setdevice", CallNature::ask},
};

CallNature nature_of(std::string_view name) {
  if (name.starts_with("aclnn")) return CallNature::combined;
  const std::string text = lower(name);
  for (const auto& [part, nature] : parts)
    if (contains(text, part)) return nature;
  return CallNature::other;
}

}  // namespace

CallNature CallNatures::of(std::uint32_t call) {
  const std::uint32_t name = store_.index(column("api.name"), call);
  if (name == absent_index) return CallNature::other;
  if (name >= known_.size()) known_.resize(store_.strings.size(), unseen);
  std::uint8_t& known = known_[name];
  if (known == unseen) known = static_cast<std::uint8_t>(nature_of(store_.strings[name]));
  return static_cast<CallNature>(known);
}

}  // namespace kdiag
