// SPDX-License-Identifier: Apache-2.0
// docs/facts.md is the catalogue, docs/defines.md the library `std`.
#include <string>

#include <kdiag/kdiag.hpp>

#include "dsl/rule_file.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

const std::string docs = std::string(KDIAG_SOURCE_DIR) + "/docs/";

/// "tiny(limit: time = 10us)"
std::string signature_of(const Define& define) {
  std::string params;
  for (const Param& param : define.params)
    params += (params.empty() ? "" : ", ") + param.name + ": " + param.type +
              (param.default_value ? " = " + param.default_value->text.text : "");
  return define.name + (params.empty() ? "" : "(" + params + ")");
}

std::string section_of(const Define& define) {
  std::string out = "## `" + signature_of(define) + "`\n\n" + define.doc;
  if (!define.type.empty()) out += " Type: " + define.type + ".";
  out += "\n";
  for (const Param& param : define.params)
    if (!param.doc.empty()) out += "\n* `" + param.name + "`: " + param.doc + "\n";
  const std::string& text = define.value.text.text;
  return out + "\n```\n" + text.substr(0, text.find_last_not_of(" \n") + 1) + "\n```\n";
}

}  // namespace

TEST_CASE("the page of facts is the catalogue", "[docs][golden]") {
  tests::check_golden(docs + "facts.md", catalogue_text());
}

TEST_CASE("the page of defines has each of the library", "[docs][golden]") {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  std::string page =
      "# Defines\n\nThe library `std`: names that every rule and query can use, with the expression that each stands "
      "for. "
      "Rules of\nyour own add to them ([language.md](language.md#defines)); `kdiag help NAME` shows one of them.\n";
  std::size_t defines = 0;
  for (const auto& file : rules->loaded().comparing().files)
    if (file->pack == "std")
      for (const Define& define : file->defines) {
        page += "\n" + section_of(define);
        ++defines;
      }
  CHECK(defines > 20);
  tests::check_golden(docs + "defines.md", page);
}
