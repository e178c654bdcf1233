// SPDX-License-Identifier: Apache-2.0
// The readers of an RPD file's tables.
#pragma once

#include <cstdint>
#include <set>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/amd/rpd/launches.hpp"
#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters::rpd {

/// One file while it is read. Not thread-safe.
struct Session {
  Session(const Database& opened, FactSink& sink);

  const Database& database;
  amd::Events events;
  Launches launches;
  TextTable strings;               ///< names
  TextTable messages;              ///< arguments and what markers say
  Source source;                   ///< known when the calls were read
  std::set<std::int64_t> devices;  ///< that ran something, once the work was read
};

void read_calls(Session& session);
void read_work(Session& session);

}  // namespace kdiag::adapters::rpd
