// SPDX-License-Identifier: Apache-2.0
#include "ingest/detect.hpp"

namespace kdiag {

const Adapter* detect(const Head& head, std::span<const Adapter* const> adapters) {
  const Adapter* best = nullptr;
  int best_score = 0;
  for (const Adapter* adapter : adapters)
    if (const int score = adapter->sniff(head); score > best_score) {
      best = adapter;
      best_score = score;
    }
  return best;
}

}  // namespace kdiag
