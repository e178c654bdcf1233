// SPDX-License-Identifier: Apache-2.0
#include "ingest/match_devices.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

constexpr std::uint16_t ranks = table("ranks").index;
constexpr std::uint16_t devices = table("devices").index;

/// Which ranks name a device index, with the host of each.
struct Users {
  std::map<std::int64_t, std::string> working, listing;  // rank -> host, which may be empty
};

std::optional<std::int64_t> rank_of(const Fragment& fragment, const Batch::Data& data, const EntityKey& device) {
  if (device.owner == absent_index) return fragment.info.rank;
  return data.entity_keys[ranks][device.owner].first;
}

/// Device rows of the batch that rows of work refer to.
std::set<std::uint32_t> working_devices(const Batch::Data& data) {
  constexpr ColumnId work[] = {column("kernels.device"), column("copies.device"), column("memsets.device"),
                               column("kernel_stats.device"), column("copy_stats.device")};
  std::set<std::uint32_t> rows;
  for (ColumnId id : work)
    if (const auto* values = std::get_if<std::vector<std::uint32_t>>(&data.columns[id.index])) {
      std::uint32_t last = absent_index;  // runs of one device are the rule
      for (std::uint32_t row : *values)
        if (row != last && row != absent_index) rows.insert(last = row);
    }
  return rows;
}

std::map<std::int64_t, Users> users_of(const std::vector<Fragment>& fragments) {
  std::map<std::int64_t, Users> users;
  for (const Fragment& fragment : fragments) {
    if (fragment.info.telemetry) continue;
    for (const auto& [sequence, batch] : fragment.batches) {
      const Batch::Data& data = batch.data();
      const std::set<std::uint32_t> working = working_devices(data);
      for (std::uint32_t row = 0; row < data.entity_keys[devices].size(); ++row) {
        const EntityKey& key = data.entity_keys[devices][row];
        const std::optional<std::int64_t> rank = rank_of(fragment, data, key);
        if (!rank) continue;
        Users& of = users[key.first];
        (working.contains(row) ? of.working : of.listing).emplace(*rank, fragment.info.host);
      }
    }
  }
  return users;
}

/// The ranks that may own the telemetry's device: those of its host when both state theirs.
std::vector<std::int64_t> on_host(const std::map<std::int64_t, std::string>& candidates, const std::string& host) {
  std::vector<std::int64_t> kept;
  for (const auto& [rank, its_host] : candidates)
    if (host.empty() || its_host.empty() || its_host == host) kept.push_back(rank);
  return kept;
}

void assign(Batch& batch, std::uint32_t device, std::int64_t rank) {
  const Row owner = batch.rank(rank);
  batch.data().entity_keys[devices][device].owner = owner.index;
  batch.set({table("devices"), device}, column("devices.rank"), owner);
}

}  // namespace

std::vector<std::int64_t> match_devices(std::vector<Fragment>& fragments) {
  std::set<std::int64_t> ambiguous;
  const std::map<std::int64_t, Users> users = users_of(fragments);
  for (Fragment& fragment : fragments) {
    if (!fragment.info.telemetry) continue;
    for (auto& [sequence, batch] : fragment.batches)
      for (std::uint32_t row = 0; row < batch.data().entity_keys[devices].size(); ++row) {
        const EntityKey key = batch.data().entity_keys[devices][row];
        const auto found = users.find(key.first);
        if (key.owner != absent_index || found == users.end()) continue;
        std::vector<std::int64_t> owners = on_host(found->second.working, fragment.info.host);
        if (owners.empty()) owners = on_host(found->second.listing, fragment.info.host);
        if (owners.size() == 1) assign(batch, row, owners.front());
        else if (owners.size() > 1) ambiguous.insert(key.first);
      }
  }
  return {ambiguous.begin(), ambiguous.end()};
}

}  // namespace kdiag
