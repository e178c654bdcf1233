// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/stored_findings.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/facts/known_column.hpp"

namespace kdiag {
namespace {

/// The rank that a subject lies on, whose label begins with it ("rank 3 GPU 0"); of a run of one rank that one.
std::uint32_t rank_of(const FactStore& store, std::string_view label) {
  const std::size_t ranks = store.rows(table("ranks"));
  if (ranks == 1) return 0;
  for (std::uint32_t row = 0; row < ranks; ++row) {
    const std::string name = "rank " + std::to_string(store.small(column("ranks.id"), row));
    if (label.starts_with(name) && (label.size() == name.size() || label[name.size()] == ' ')) return row;
  }
  return absent_index;
}

}  // namespace

void store_findings(FactStore& store, const Report& report) {
  std::vector<std::uint32_t> ranks, rules, severities, titles;
  std::vector<std::int64_t> impacts;
  std::vector<double> shares;
  for (const Finding& finding : report.findings) {
    ranks.push_back(rank_of(store, finding.subject.label));
    rules.push_back(store.strings.intern(finding.rule));
    severities.push_back(store.strings.intern(name_of(finding.severity)));
    titles.push_back(store.strings.intern(finding.title));
    impacts.push_back(finding.impact_ns.value_or(absent_integer));
    shares.push_back(finding.impact_share.value_or(absent_real));
  }
  store.resize(table("findings"), rules.size());
  if (rules.empty()) return;
  replace_known(store, column("findings.rank"), std::move(ranks));
  replace_known(store, column("findings.rule"), std::move(rules));
  replace_known(store, column("findings.severity"), std::move(severities));
  replace_known(store, column("findings.title"), std::move(titles));
  replace_known(store, column("findings.impact"), std::move(impacts));
  replace_known(store, column("findings.share"), std::move(shares));
}

}  // namespace kdiag
