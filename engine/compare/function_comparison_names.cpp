// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_comparison_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/names/function_name.hpp"
#include "engine/facts/kernel_family.hpp"

namespace kdiag {
namespace {

/// What is left of a name that a tool cut: "void elementwise_k" of "void elementwise_k...". Nothing of a whole one.
std::optional<std::string_view> start_of_cut_name(std::string_view name) {
  constexpr std::string_view mark = "...";
  if (!name.ends_with(mark) || name.size() == mark.size()) return std::nullopt;
  return name.substr(0, name.size() - mark.size());
}

using Names = std::set<std::string>;
using BothSides = std::array<Names, 2>;
using Joined = std::map<std::string, std::string>;  // function to the name it is compared under

/// Cut names that the other side has whole.
void join_cut_names(const BothSides& names, Joined& joined, CancelFlag cancel) {
  for (std::size_t side : {0U, 1U}) {
    for (const std::string& name : names.at(side)) {
      stop_if(cancel);
      const auto start = start_of_cut_name(name);
      const Names& others = names.at(1 - side);
      if (!start || others.count(name) != 0) continue;
      for (auto other = others.lower_bound(std::string(*start)); other != others.end() && other->starts_with(*start);
           ++other) {
        joined.emplace(*other, name);
        joined.emplace(name, name);
      }
    }
  }
}

/// Whether a name is that of a function alone, as profilers write it that leave out what stands around it.
bool is_base_name(const std::string& name) {
  return name.find_first_of("<(: ") == std::string::npos && base_function_name(name) == name;
}

/// Of a run that names its functions alone: with all functions of the other run that are called so.
void join_base_names(const BothSides& names, Joined& joined, CancelFlag cancel) {
  for (std::size_t side : {0U, 1U}) {
    const Names &own = names.at(side), &others = names.at(1 - side);
    if (!std::all_of(own.begin(), own.end(), is_base_name)) continue;
    for (const std::string& name : others) {
      stop_if(cancel);
      const std::string base = base_function_name(name);
      if (base == name || joined.count(name) != 0 || own.count(base) == 0) continue;
      joined.emplace(name, base);
      joined.emplace(base, base);
    }
  }
}

/// Families that do not have the same names on both sides.
void join_families(const BothSides& names, Joined& joined, CancelFlag cancel) {
  std::map<std::string, BothSides> families;
  for (std::size_t side : {0U, 1U})
    for (const std::string& name : names.at(side)) {
      stop_if(cancel);
      if (joined.count(name) == 0) families[kernel_family(name)].at(side).insert(name);
    }
  for (const auto& [family, members] : families) {
    stop_if(cancel);
    if (members[0].empty() || members[1].empty() || members[0] == members[1]) continue;
    for (const Names& side : members)
      for (const std::string& name : side) joined.emplace(name, family);
  }
}

}  // namespace

std::map<std::string, std::string> joined_names(const std::set<std::string>& normal,
                                                const std::set<std::string>& abnormal, CancelFlag cancel) {
  const BothSides names{normal, abnormal};
  Joined joined;
  join_cut_names(names, joined, cancel);
  join_base_names(names, joined, cancel);
  join_families(names, joined, cancel);
  return joined;
}

ComparedNames::ComparedNames(std::span<const MetricSamples> normal, std::span<const MetricSamples> abnormal,
                             CancelFlag cancel) {
  std::map<std::string, BothSides> devices;
  for (std::size_t side : {0U, 1U})
    for (const MetricSamples& samples : side == 0 ? normal : abnormal) {
      stop_if(cancel);
      if (samples.time == FunctionTime::own) devices[samples.device].at(side).insert(samples.function);
    }
  for (const auto& [device, names] : devices)
    for (const auto& [function, name] : joined_names(names[0], names[1], cancel))
      joined_.emplace(std::tuple(FunctionTime::own, device, function), name);
}

ComparedName ComparedNames::of(const MetricSamples& samples) const {
  const auto found = joined_.find(std::tuple(samples.time, samples.device, samples.function));
  if (found == joined_.end()) return {samples.function, FunctionMatch::name};
  return {found->second, FunctionMatch::family};
}

}  // namespace kdiag
