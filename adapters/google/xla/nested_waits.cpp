// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/nested_waits.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "adapters/google/xla/host_calls.hpp"

namespace kdiag::adapters::xla {

std::unordered_set<const Span*> nested_waits(const Records& records) {
  std::vector<bool> waits;  // by text
  for (const std::string& text : records.texts.texts()) waits.push_back(waits_for_device(text));
  std::map<Key, std::vector<const Span*>> by_thread;
  for (const Span& span : records.spans)
    if (span.name != no_text && waits[span.name]) by_thread[span.row].push_back(&span);
  std::unordered_set<const Span*> nested;
  for (auto& [thread, spans] : by_thread) {
    std::stable_sort(spans.begin(), spans.end(), [](const Span* a, const Span* b) {
      return a->start != b->start ? a->start < b->start : a->dur > b->dur;
    });
    const Span* outer = nullptr;
    for (const Span* span : spans) {
      const bool within = outer != nullptr && span->start - outer->start <= outer->dur - span->dur;
      if (within) nested.insert(span);
      else outer = span;
    }
  }
  return nested;
}

}  // namespace kdiag::adapters::xla
