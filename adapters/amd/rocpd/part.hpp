// SPDX-License-Identifier: Apache-2.0
// The tables of one recording in a rocpd database: those that share an ending.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "adapters/amd/common/amd_agents.hpp"
#include "adapters/amd/common/amd_events.hpp"
#include "adapters/io/sqlite.hpp"
#include "adapters/json/json.hpp"

namespace kdiag::adapters::rocpd {

using amd::Number;

/// Who was recorded, and how.
struct Process {
  std::string host;
  JsonValue settings;  ///< of the profiler
  std::optional<amd::RankOfJob> rank;
};

class Part {
 public:
  /// `ending`: what the names of its tables end with; `place`: a number of its own among the parts.
  Part(const Database& database, FactSink& sink, std::string ending, std::int64_t place);

  const Process& process() const { return process_; }

  /// Reads all that has a place among the facts.
  void read(amd::Events& events);

 private:
  struct Event {
    std::int64_t id = 0;
    Number category, call;
  };
  struct Track {
    Number process, thread, agent, queue, stream;
  };
  struct Symbol {
    std::string name;
    Number vector_registers, accumulation_registers;
  };
  /// Where and when a row's work was done.
  struct Origin {
    std::optional<amd::Times> when;
    std::optional<amd::Thread> thread;
    Number agent, queue, correlation;
    const Event* event = nullptr;
  };
  struct Instant {
    std::int64_t id = 0, value = 0;
  };

  std::string name(std::string_view table) const { return std::string(table) + ending_; }
  Query select(std::string_view table, std::initializer_list<std::string_view> columns) const {
    return database_.select(name(table), columns);
  }
  void read_process();
  void read_ids();
  void read_agents();
  void read_tracks();
  void read_events();
  bool read_counters();
  void read_kernels(bool counted);
  void read_copies();
  void read_regions();
  void read_marks();
  void describe_devices();

  Number instant(Number stated, Number id) const;
  std::optional<amd::Thread> thread_of(const Track& at) const;
  Origin origin_of(const Query& row, std::string_view what);
  std::string_view category_of(const Event* event);
  std::string_view message_of(const Event* event) const;
  const Symbol& symbol(std::int64_t id);
  Number device_number(Number agent);

  const Database& database_;
  FactSink& sink_;
  amd::Events* events_ = nullptr;
  std::string ending_;
  std::int64_t place_;
  Process process_;
  TextTable strings_, categories_;
  Query symbol_rows_;
  std::unordered_map<std::int64_t, Symbol> symbols_;
  std::map<std::int64_t, std::int64_t> processes_, threads_;  ///< by their number in the part, as the system has them
  std::map<std::int64_t, amd::Agent> agents_;
  std::set<std::int64_t> used_agents_;
  std::map<std::int64_t, Track> tracks_;
  std::vector<Instant> instants_;                           ///< by number
  std::vector<Event> event_rows_;                           ///< by number
  std::unordered_map<std::int64_t, std::string> messages_;  ///< of events that have one
};

/// The endings of the recordings in a database, in the order of their tables.
std::vector<std::string> endings(const std::vector<std::string>& tables);

/// Whether the tables are those of such a database.
bool is_rocpd(const std::vector<std::string>& tables);

}  // namespace kdiag::adapters::rocpd
