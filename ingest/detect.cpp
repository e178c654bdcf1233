// SPDX-License-Identifier: Apache-2.0
#include "ingest/detect.hpp"

namespace kdiag {

Detected detect(const Head& head, std::span<const Adapter* const> adapters) {
  Detected best;
  for (const Adapter* adapter : adapters)
    if (const int score = adapter->sniff(head); score > best.score) best = {adapter, score};
  return best;
}

}  // namespace kdiag
