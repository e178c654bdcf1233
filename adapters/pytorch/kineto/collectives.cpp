// SPDX-License-Identifier: Apache-2.0
// The arguments that the profiler adds to collectives, on the host record and on its kernel alike.
#include <algorithm>
#include <string>

#include "adapters/names/comm_names.hpp"
#include "adapters/pytorch/kineto/chunk.hpp"

namespace kdiag::adapters::kineto {
namespace {

/// Message size in elements as nccl-tests counts it (doc/PERFORMANCE.md): the larger side, so the gathered buffer of an
/// all-gather and the whole input of a reduce-scatter.
std::optional<std::int64_t> message_elements(const Event& event) {
  const auto in = to_integer(event.arg("In msg nelems"));
  const auto out = to_integer(event.arg("Out msg nelems"));
  if (!in || !out) return in ? in : out;
  return std::max(*in, *out);
}

}  // namespace

bool Chunk::names_collective(const Event& event) {
  const Token stated = event.arg("Collective name");
  return !stated.is_missing() && collective_name(decode(stated, scratch_)).has_value();
}

void Chunk::describe_collective(const Event& event, Row comm) {
  const Token stated = event.arg("Collective name");
  if (stated.is_missing()) return;
  if (const auto op = collective_name(decode(stated, scratch_))) batch.set(comm, column("comms.op"), *op);
  Token group = event.arg("Process Group Name");
  if (group.is_missing()) group = event.arg("Process Group ID");
  if (!group.is_missing()) batch.set(comm, column("comms.group"), name(group));
  set_integer(comm, column("comms.seq"), event.arg("Seq"));
  set_integer(comm, column("comms.group_size"), event.arg("Group size"));
  const bool sends = decode(stated, scratch_) == "send";
  set_integer(comm, column("comms.peer"), event.arg(sends ? "Dst Rank" : "Src Rank"));
  const Token dtype = event.arg("dtype");
  if (dtype.is_missing()) return;
  const Text type = name(dtype);
  batch.set(comm, column("comms.dtype"), type);
  const auto elements = message_elements(event);
  const auto size = element_bytes(decode(dtype, scratch_));
  std::int64_t bytes = 0;
  if (elements && size && *elements >= 0 && !__builtin_mul_overflow(*elements, *size, &bytes))
    batch.set(comm, column("comms.bytes"), bytes);
}

}  // namespace kdiag::adapters::kineto
