// SPDX-License-Identifier: Apache-2.0
// Names of the texts that an editor works on.
#include "serve/lsp/name_index.hpp"

#include <algorithm>
#include <string>

#include "tests/catch.hpp"

using kdiag::NameUse;
using kdiag::serve::NameIndex;
using kdiag::serve::Names;

namespace {

const std::string named_rule = "kdiag: 1\nrule: team.waits\nlet: {share: 1}\nwhen: share > 2\n";
const std::atomic<bool> goes_on = false;

bool declares_name(const Names& names, const std::string& name) {
  return std::any_of(names->begin(), names->end(),
                     [&](const NameUse& use) { return use.declares && use.name == name; });
}

}  // namespace

TEST_CASE("names of a text are found once, and again when it changes", "[serve]") {
  NameIndex index(kdiag::keep_trees());
  const Names first = index.names_in("a.yaml", named_rule, goes_on);
  CHECK(declares_name(first, "share"));
  CHECK(index.names_in("a.yaml", std::string(named_rule), goes_on) == first);
  std::string changed = named_rule;
  for (std::size_t at = 0; (at = changed.find("share", at)) != std::string::npos;) changed.replace(at, 5, "part");
  const Names second = index.names_in("a.yaml", changed, goes_on);
  CHECK(declares_name(second, "part"));
  CHECK_FALSE(declares_name(second, "share"));
  CHECK(declares_name(index.names_in("b.yaml", named_rule, goes_on), "share"));
}

TEST_CASE("while nothing of a text is understood its last names stay", "[serve]") {
  NameIndex index;
  const std::string broken = "kdiag: 1\nrule: [team.waits\n";
  CHECK(index.last_names_in("a.yaml", broken, goes_on)->empty());
  const Names known = index.names_in("a.yaml", named_rule, goes_on);
  CHECK(index.names_in("a.yaml", broken, goes_on)->empty());
  CHECK(index.last_names_in("a.yaml", broken, goes_on) == known);
  CHECK(index.last_names_in("b.yaml", broken, goes_on)->empty());
}

TEST_CASE("names of a text that was given up are not kept", "[serve]") {
  NameIndex index;
  const std::atomic<bool> stopped = true;
  index.names_in("a.yaml", named_rule, stopped);
  CHECK(declares_name(index.names_in("a.yaml", named_rule, goes_on), "share"));
}
