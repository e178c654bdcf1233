// SPDX-License-Identifier: Apache-2.0
// A rocprofv3 JSON document while it is read.
#pragma once

#include <array>
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
#include "adapters/io/kept_records.hpp"
#include "adapters/json/json_records.hpp"

namespace kdiag::adapters::rocprof {

/// Makes events of a document's records. Records refer to names and devices by numbers whose meaning stands before them
/// as the profiler writes it; where it stands behind them they wait for it.
class JsonDocument : public RecordVisitor {
 public:
  explicit JsonDocument(FactSink& sink) : sink_(sink), kept_(sink), events_(sink) {}

  bool enters(std::string_view path) override;
  void value(std::string_view path, Token value) override;
  void left(std::string_view path, bool complete) override;

  /// Hands the last rows on. Call it at the end.
  void finish();

 private:
  enum class Kind : std::uint8_t { dispatch, copy, call, marker };
  struct Record {
    Kind kind = Kind::call;
    amd::Number start, end, correlation, thread, domain, operation;
    amd::Number agent, source, destination, queue, kernel, bytes, shared_memory;
    std::array<amd::Number, 3> items, threads;
  };
  struct Symbol {
    std::string name;
    amd::Number vector_registers, accumulation_registers;
  };

  void read_metadata(const JsonValue& metadata);
  void read_agent(const JsonValue& agent);
  void read_symbol(const JsonValue& symbol);
  void read_counters(const JsonValue& collection);
  void read_record(std::string_view array, const JsonValue& value);
  void take(const Record& record);

  void add(const Record& record);
  void add_kernel(const Record& record, const amd::Times& when, amd::Number correlation);
  void add_copy(const Record& record, const amd::Times& when, amd::Number correlation);
  void begin_process();
  void end_process(bool complete);

  amd::Number device_number(amd::Number handle);
  std::string_view operation_name(const Record& record) const;

  void count_kept();

  FactSink& sink_;
  KeptRecords kept_;
  amd::Events events_;
  std::int64_t process_count_ = 0;

  /// What is known of the process that is read.
  struct Process {
    bool seen = false;   ///< something of it was read
    bool begun = false;  ///< some of its records were used
    amd::Number id;
    std::string host;
    JsonValue settings;
    std::optional<amd::RankOfJob> rank;
    std::map<std::int64_t, amd::Agent> agents;               ///< by handle
    std::set<std::int64_t> used_agents;                      ///< their handles
    std::vector<std::vector<std::string>> operations;        ///< names by domain and operation
    std::unordered_map<std::int64_t, std::string> messages;  ///< of markers, by correlation
    std::unordered_map<std::int64_t, Symbol> symbols;        ///< by kernel
    std::unordered_map<std::int64_t, std::string> counters;  ///< names by handle
    std::set<std::string, std::less<>> complete;             ///< parts that were read to their end
    std::vector<Record> waiting;                             ///< for names that stand behind them
    std::vector<Record> counted;                             ///< kernels that ran for their counters
    std::uint64_t dispatches = 0;
  };
  Process process_;
};

}  // namespace kdiag::adapters::rocprof
