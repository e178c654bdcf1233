// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/accounts.hpp"

#include "adapters/ascend/parts/names.hpp"
#include "adapters/ascend/parts/tasks.hpp"
#include "adapters/names/comm_names.hpp"

namespace kdiag::adapters::ascend {
namespace {

void add_phase(Batch& batch, Row step, Row device, std::string_view kind, std::int64_t dur) {
  const Row phase = batch.add(table("phases"));
  batch.set(phase, column("phases.step"), step);
  batch.set(phase, column("phases.device"), device);
  batch.set(phase, column("phases.kind"), kind);
  batch.set(phase, column("phases.dur"), dur);
}

bool is_part(std::optional<std::int64_t> time) {
  constexpr std::int64_t longest = INT64_MAX / 4;
  return time && *time >= 0 && *time < longest;
}

}  // namespace

bool StepAccount::is_complete() const { return is_part(computing) && is_part(communication) && is_part(free); }

void add_step_account(Batch& batch, const StepAccount& account, Row rank, Row device) {
  const Row step = batch.add(table("steps"));
  if (account.index) batch.set(step, column("steps.index"), *account.index);
  batch.set(step, column("steps.dur"), *account.computing + *account.communication + *account.free);
  if (rank.index != absent_index) batch.set(step, column("steps.rank"), rank);
  add_phase(batch, step, device, "kernel", *account.computing);
  add_phase(batch, step, device, "communication", *account.communication);
  add_phase(batch, step, device, "other", *account.free);
}

void add_collective_account(Batch& batch, const CollectiveAccount& account, Row rank) {
  const Row row = batch.add(table("comms"));
  if (const auto op = collective_name(account.name)) batch.set(row, column("comms.op"), *op);
  if (!account.group.empty()) batch.set(row, column("comms.group"), account.group);
  if (const auto sequence = parse_collective(account.name).sequence) batch.set(row, column("comms.seq"), *sequence);
  if (account.start) batch.set(row, column("comms.start"), *account.start);
  batch.set(row, column("comms.dur"), account.dur);
  if (rank.index != absent_index) batch.set(row, column("comms.rank"), rank);
  const Row device = batch.device(0, rank);
  describe_device(batch, device);
  batch.set(row, column("comms.device"), device);
}

}  // namespace kdiag::adapters::ascend
