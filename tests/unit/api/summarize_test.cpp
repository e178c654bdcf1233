// SPDX-License-Identifier: Apache-2.0
// Summaries of traces are inputs like any other, and a fleet counts each of them once.
#include <string>
#include <vector>

#include <kdiag/fleet.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/simulated_fleet.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

std::string summary_of(const std::string& path) {
  Result<Summary> summary = summarize({&path, 1});
  if (!summary) FAIL(render(summary.error()));
  return summary->bytes;
}

Fleet fleet_of(const std::vector<std::string>& paths) {
  Result<Fleet> fleet = load_fleet(paths);
  if (!fleet) FAIL(render(fleet.error()));
  return *fleet;
}

const FactStore& only_run(const Facts& facts) {
  REQUIRE(facts.loaded().runs.size() == 1);
  return *facts.loaded().runs.front().store;
}

std::int64_t sum_of(const FactStore& store, ColumnId id) {
  std::int64_t sum = 0;
  for (const std::int64_t value : store.integers(id)) sum += value;
  return sum;
}

/// Ranks of one job, as files.
std::vector<ArchiveFile> rank_files(std::size_t first, std::size_t end) {
  static const SimulatedFleet made = simulate_fleet({.replicas = 4, .tensor = 2}, FleetFault::none, 1);
  std::vector<ArchiveFile> files;
  for (std::size_t rank = first; rank < end; ++rank)
    files.push_back({"rank" + std::to_string(rank) + ".jsonl", made.summaries[rank]});
  return files;
}

}  // namespace

TEST_CASE("a summary has the steps, collectives, phases and totals of its trace", "[summarize]") {
  const std::string collectives =
      std::string(KDIAG_SOURCE_DIR) + "/tests/golden/adapters/pytorch_kineto/collectives.in";
  for (const std::string& trace : {item_storm, collectives}) {
    INFO(trace);
    const Folder folder({{"rank.kds", summary_of(trace)}});
    const Result<Facts> of_trace = load_trace(trace), of_summary = load_trace(folder.path("rank.kds"));
    REQUIRE((of_trace && of_summary));
    const FactStore &whole = only_run(*of_trace), &summary = only_run(*of_summary);
    for (const TableId same : {table("ranks"), table("devices"), table("steps"), table("phases"), table("comms"),
                               table("kernel_stats"), table("copy_stats"), table("notes")}) {
      INFO(info(same).name);
      CHECK(whole.rows(same) == summary.rows(same));
    }
    for (const ColumnId same : {column("phases.dur"), column("steps.dur"), column("comms.dur")})
      CHECK(sum_of(whole, same) == sum_of(summary, same));
    std::int64_t idle = 0, kernels = 0;
    for (std::size_t row = 0; row < summary.rows(table("activities")); ++row) {
      const std::int64_t dur = summary.integer(column("activities.dur"), row);
      if (summary.text(column("activities.kind"), row) == "idle") idle += dur;
      if (summary.text(column("activities.kind"), row) == "kernel") kernels += dur;
    }
    CHECK(idle == sum_of(whole, column("idle.dur")));
    CHECK(kernels == sum_of(whole, column("kernels.dur")));
    std::int64_t counted = 0;
    for (std::size_t row = 0; row < summary.rows(table("kernel_durations")); ++row)
      counted += summary.integer(column("kernel_durations.count"), row);
    CHECK(counted == static_cast<std::int64_t>(whole.rows(table("kernels"))));
    CHECK_FALSE(summary.present(table("kernels")));
    CHECK((summary_of(folder.path("rank.kds")) == summary_of(trace)));
  }
}

TEST_CASE("a summary states what the rules find in its trace", "[summarize]") {
  const Folder folder({{"rank.kds", summary_of(item_storm)}});
  const Result<Facts> of_trace = load_trace(item_storm), of_summary = load_trace(folder.path("rank.kds"));
  REQUIRE((of_trace && of_summary));
  const Report report = diagnose(*of_trace, *builtin_rules());
  const FactStore& summary = only_run(*of_summary);
  REQUIRE(report.findings.size() > 1);
  REQUIRE(summary.rows(table("findings")) == report.findings.size());
  for (std::size_t row = 0; row < report.findings.size(); ++row) {
    const Finding& finding = report.findings[row];
    CHECK(summary.text(column("findings.rule"), row) == finding.rule);
    CHECK(summary.text(column("findings.title"), row) == finding.title);
    CHECK(summary.text(column("findings.severity"), row) == name_of(finding.severity));
    CHECK(summary.integer(column("findings.impact"), row) == finding.impact_ns.value_or(absent_integer));
  }
}

TEST_CASE("a summary that is cut, damaged or newer is refused or left out", "[summarize][hostile]") {
  const std::string whole = summary_of(item_storm);
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  std::vector<ArchiveFile> files = rank_files(0, 4);
  files.push_back({"cut.kds", whole.substr(0, whole.size() - 1)});
  files.push_back({"damaged.kds", damaged});
  files.push_back({"empty.kds", ""});
  const Folder folder(files);
  const Fleet fleet = fleet_of({folder.path()});
  CHECK(only_run(fleet.facts).rows(table("ranks")) == 4);
  REQUIRE(fleet.unreadable.size() == 3);
  CHECK(fleet.unreadable[0] == folder.path("cut.kds") + ": the summary is cut or damaged; write it again");
}

TEST_CASE("a fleet is the same in any order, with files twice, and in parts", "[summarize]") {
  const Folder folder(rank_files(0, 8));
  std::vector<ArchiveFile> summaries;
  for (std::size_t rank = 0; rank < 8; ++rank)
    summaries.push_back(
        {"s" + std::to_string(rank) + ".kds", summary_of(folder.path("rank" + std::to_string(rank) + ".jsonl"))});
  summaries.push_back({"again.kds", summaries[3].content});
  const Folder kept(summaries);
  const Fleet fleet = fleet_of({kept.path()});
  CHECK(only_run(fleet.facts).rows(table("ranks")) == 8);
  REQUIRE(fleet.copies.size() == 1);
  CHECK(fleet.unreadable.empty());
  std::vector<std::string> backwards;
  for (std::size_t rank = 8; rank-- > 0;) backwards.push_back(kept.path("s" + std::to_string(rank) + ".kds"));
  const Fleet other = fleet_of(backwards);
  const FactStore &one = only_run(fleet.facts), &two = only_run(other.facts);
  REQUIRE(one.rows(table("outliers")) == two.rows(table("outliers")));
  for (std::size_t row = 0; row < one.rows(table("outliers")); ++row)
    CHECK(one.integer(column("outliers.cost"), row) == two.integer(column("outliers.cost"), row));
}

TEST_CASE("copies of a trace have the same summary, however they are called", "[summarize]") {
  const ArchiveFile rank = rank_files(3, 4).front();
  const std::string unnamed =
      rank.content.substr(0, rank.content.find("\"label\"")) + rank.content.substr(rank.content.find("\"clock\""));
  const Folder folder({{"rank3.jsonl", unnamed}, {"b/other.jsonl", unnamed}});
  CHECK((summary_of(folder.path("rank3.jsonl")) == summary_of(folder.path("b/other.jsonl"))));
  const std::string own = folder.path("rank3.jsonl"), copy = folder.path("b/other.jsonl");
  for (const auto& order : {std::vector{own, copy}, std::vector{copy, own}, std::vector{copy, own, copy}}) {
    const Fleet fleet = fleet_of(order);
    CHECK(only_run(fleet.facts).rows(table("ranks")) == 1);
    CHECK(fleet.copies.size() == order.size() - 1);
  }
}

TEST_CASE("a rank that was recorded twice is not added to itself", "[summarize]") {
  std::vector<ArchiveFile> files = rank_files(0, 8);
  std::string other = simulate_fleet({.replicas = 4, .tensor = 2}, FleetFault::none, 2).summaries[3];
  files.push_back({"rank3_restarted.jsonl", other});
  const Folder folder(files);
  const Fleet fleet = fleet_of({folder.path()});
  REQUIRE(fleet.facts.loaded().runs.size() == 2);
  CHECK(fleet.facts.loaded().runs.front().store->rows(table("ranks")) == 8);
}
