// SPDX-License-Identifier: Apache-2.0
// What can only be settled once the whole file was read: times, Python frames, steps, names, devices.
#pragma once

#include <memory>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/pytorch/kineto/chunk.hpp"
#include "adapters/pytorch/kineto/document.hpp"

namespace kdiag::adapters::kineto {

/// Completes the chunks' batches, describes the run and submits everything. `chunks` stand in file order.
void finish(const Document& document, std::vector<std::unique_ptr<Chunk>> chunks, FactSink& sink);

}  // namespace kdiag::adapters::kineto
