// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/outlier_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/significance.hpp"
#include "engine/derive/fleet/rank_list.hpp"
#include "engine/derive/fleet/robust.hpp"
#include "engine/facts/known_column.hpp"

namespace kdiag::fleet {
namespace {

/// A column with a value for each outlier; none where it is known of no one.
template <class T, class Value>
void set_column(FactStore& store, const std::vector<Outlier>& outliers, ColumnId id, Value value) {
  std::vector<T> values;
  for (const Outlier& outlier : outliers) values.push_back(static_cast<T>(value(outlier)));
  replace_known(store, id, std::move(values));
}

void store_rows(FactStore& store, const std::vector<Outlier>& found) {
  store.resize(table("outliers"), found.size());
  if (found.empty()) return;
  const auto texts = [&](ColumnId id, auto value) { set_column<std::uint32_t>(store, found, id, value); };
  const auto numbers = [&](ColumnId id, auto value) { set_column<std::int64_t>(store, found, id, value); };
  const auto reals = [&](ColumnId id, auto value) { set_column<double>(store, found, id, value); };
  texts(column("outliers.kind"), [&](const Outlier& o) { return store.strings.intern(o.kind); });
  texts(column("outliers.rank"), [](const Outlier& o) { return o.rank; });
  texts(column("outliers.peer"), [](const Outlier& o) { return o.peer; });
  texts(column("outliers.host"), [](const Outlier& o) { return o.host; });
  texts(column("outliers.group"), [](const Outlier& o) { return o.group; });
  texts(column("outliers.activity"), [](const Outlier& o) { return o.cause ? o.cause->kind : absent_index; });
  texts(column("outliers.cause"), [](const Outlier& o) { return o.cause ? o.cause->name : absent_index; });
  texts(column("outliers.members"), [&](const Outlier& o) {
    std::vector<std::int64_t> ranks;
    for (const std::uint32_t member : o.members)
      if (const std::int32_t id = store.small(column("ranks.id"), member); id != absent_small) ranks.push_back(id);
    return ranks.empty() ? absent_index : store.strings.intern(rank_list(std::move(ranks)));
  });
  numbers(column("outliers.stage"), [](const Outlier& o) { return o.stage; });
  numbers(column("outliers.step"), [](const Outlier& o) { return o.step; });
  numbers(column("outliers.steps"), [](const Outlier& o) { return o.steps; });
  numbers(column("outliers.ranks"), [](const Outlier& o) { return o.ranks; });
  numbers(column("outliers.peers"), [](const Outlier& o) { return o.peers > 0 ? o.peers : absent_integer; });
  numbers(column("outliers.observed"), [](const Outlier& o) { return std::llround(o.observed); });
  numbers(column("outliers.expected"), [](const Outlier& o) { return std::llround(o.expected); });
  numbers(column("outliers.cost"), [](const Outlier& o) { return o.cost.value_or(absent_integer); });
  reals(column("outliers.calls"),
        [](const Outlier& o) { return o.cause && o.cause->calls ? *o.cause->calls : absent_real; });
  reals(column("outliers.typical"),
        [](const Outlier& o) { return o.cause && o.cause->typical ? *o.cause->typical : absent_real; });
  reals(column("outliers.clock"), [](const Outlier& o) { return o.clock; });
  reals(column("outliers.z"), [](const Outlier& o) { return o.z; });
  reals(column("outliers.q"), [](const Outlier& o) { return o.q; });
}

}  // namespace

std::vector<Candidate> above_the_others(std::vector<Candidate> all, double noise) {
  if (all.empty()) return all;
  std::vector<double> values, z;
  for (const Candidate& candidate : all) values.push_back(candidate.excess);
  const Spread spread = spread_of(values, noise);
  for (Candidate& candidate : all) z.push_back(candidate.z = spread.z(candidate.excess));
  const std::vector<double> q = false_discovery_rates(z);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].q = q[i];
  std::erase_if(all, [](const Candidate& candidate) { return candidate.z <= 0 || candidate.q > significance; });
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.excess > b.excess; });
  return all;
}

void store_outliers(FactStore& store, std::vector<Outlier> found) {
  std::stable_sort(found.begin(), found.end(), [](const Outlier& a, const Outlier& b) { return a.cost > b.cost; });
  if (!found.empty()) store_rows(store, found);
}

}  // namespace kdiag::fleet
