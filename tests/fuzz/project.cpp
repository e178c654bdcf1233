// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <kdiag/policy.hpp>
#include <kdiag/project.hpp>

#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

namespace kdiag::fuzz {
namespace {

/// A waiver that is written behind those of a good file is one more there.
void add_waiver(std::string_view text, std::size_t waivers) {
  const std::vector<NewWaiver> more = {
      {"v1:0123456789abcdef", "host.bound", "A \"title\"\n", "a: reason # of \x1b[1m any kind", "team", "2099-12-31"}};
  const auto longer = with_waivers("fuzz.yaml", text, more);
  if (!longer) {
    (void)render(longer.error());
    return;
  }
  const auto read = load_waivers_text("fuzz.yaml", *longer, all_rules());
  if (!read) expect_none({render(read.error()), *longer});
  else if (read->size() != waivers + 1) expect_none({"the waiver that was added is not there", *longer});
}

}  // namespace

void project(Input input) {
  const std::string_view text = text_of(input);
  const auto loaded = load_project_text("fuzz.yaml", text);
  if (!loaded) {
    (void)render(loaded.error());
    return;
  }
  const std::vector<std::string> inputs = {"trace.json", "runs/a.json.gz"};
  (void)loaded->rules_for(inputs);
  (void)loaded->baseline_for(inputs);
  const auto waivers = waivers_of(*loaded, all_rules());
  if (!waivers) (void)render(waivers.error());
  else add_waiver(text, waivers->size());
}

void known(Input input) {
  const auto loaded = load_known_text("fuzz.json", text_of(input));
  if (!loaded) {
    (void)render(loaded.error());
    return;
  }
  for (const KnownFinding& finding : loaded->findings)
    (void)shown_value(finding.fingerprint + finding.rule + finding.title);
}

}  // namespace kdiag::fuzz
