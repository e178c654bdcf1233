// SPDX-License-Identifier: Apache-2.0
// The order in which names are checked: each after those that it is made of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// How many names may rest on each other (judgement). It bounds, together with the depth of one expression, how deep
/// checking and evaluating go.
inline constexpr std::size_t deepest_names = 32;

/// Calls `check(i, good)` for every item after those that it names. `names_of(item)` gives the names. Items on a circle
/// (K305) and those that rest on more than `deepest_names` others (K121) are reported, and are not good. Items have
/// `name` and `name_span`.
template <class Item, class NamesOf, class Check>
void in_dependency_order(const std::vector<Item>& items, std::string_view what, const std::string& context,
                         Diagnostics& diagnostics, NamesOf names_of, Check check) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) index.emplace(items[i].name, i);
  std::vector<std::vector<std::size_t>> parts(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    for (const std::string& name : names_of(items[i]))
      if (const auto found = index.find(name); found != index.end()) parts[i].push_back(found->second);
  const auto report = [&](std::string_view id, std::size_t i, const std::string& fault, std::string label) {
    Diagnostic error =
        make_error(id, items[i].name_span, std::string(what) + " '" + items[i].name + "' " + fault, std::move(label));
    error.context = context;
    diagnostics.push_back(std::move(error));
  };

  enum class State : std::uint8_t { waiting, open, done };
  std::vector<State> state(items.size(), State::waiting);
  std::vector<std::size_t> depth(items.size(), 1);
  std::vector<bool> circular(items.size());
  struct Open {
    std::size_t item;
    std::size_t next;  // of its parts
  };
  std::vector<Open> open;  // no recursion: a file can hold thousands of names in one chain
  for (std::size_t first = 0; first < items.size(); ++first) {
    if (state[first] == State::waiting) open.push_back({first, 0});
    while (!open.empty()) {
      const std::size_t i = open.back().item;
      state[i] = State::open;
      if (open.back().next < parts[i].size()) {
        const std::size_t part = parts[i][open.back().next++];
        if (state[part] == State::waiting) {
          open.push_back({part, 0});
        } else if (state[part] == State::open) {
          report(error_id::circular_name, i, "depends on itself",
                 part == i ? "" : "through '" + items[part].name + "'");
          for (auto member = open.rbegin(); member != open.rend(); ++member) {
            circular[member->item] = true;
            if (member->item == part) break;
          }
        }
        continue;
      }
      for (const std::size_t part : parts[i]) depth[i] = std::max(depth[i], depth[part] + 1);
      if (depth[i] == deepest_names + 1)
        report(error_id::expression_limit, i, "rests on too many others",
               "more than " + std::to_string(deepest_names) + " names in a chain");
      check(i, !circular[i] && depth[i] <= deepest_names);
      state[i] = State::done;
      open.pop_back();
    }
  }
}

}  // namespace kdiag
