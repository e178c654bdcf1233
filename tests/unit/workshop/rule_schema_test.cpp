// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of rule files accepts what the reader accepts, and refuses what it refuses for its keys.
#include <memory>
#include <string>

#include <kdiag/tools.hpp>

#include "dsl/rule_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"

namespace kdiag::tests {
namespace {

bool is_number(const std::string& text) {
  const auto json = parse_json(text);
  return json && json->kind == JsonTree::Kind::number;
}

/// A YAML document as the JSON that a validator sees: plain numbers, true and false have types of their own.
JsonTree json_of(const YamlNode& node) {
  JsonTree out;
  switch (node.kind) {
    case YamlNode::Kind::scalar:
      out.text = node.text.text;
      out.kind = JsonTree::Kind::string;
      if (node.style == ScalarStyle::plain && is_number(out.text)) out.kind = JsonTree::Kind::number;
      if (node.style == ScalarStyle::plain && (out.text == "true" || out.text == "false"))
        out.kind = JsonTree::Kind::boolean;
      break;
    case YamlNode::Kind::sequence:
      out.kind = JsonTree::Kind::array;
      for (const YamlNode& item : node.items) out.members.push_back({"", json_of(item)});
      break;
    case YamlNode::Kind::mapping:
      out.kind = JsonTree::Kind::object;
      for (const YamlMember& member : node.members)
        out.members.push_back({member.key.text.text, json_of(member.value)});
      break;
    default: break;
  }
  return out;
}

std::vector<std::string> problems(const std::string& text) {
  static const auto schema = parse_json(rule_schema());
  REQUIRE(schema);
  Diagnostics diagnostics;
  const YamlNode root = parse_yaml(std::make_shared<const Source>(Source{"t.yaml", text}), diagnostics);
  return schema_errors(*schema, json_of(root));
}

/// What the schema can know of: kinds of values, keys, words, names, the edition, tables and columns.
bool of_the_shape(const std::string& id) {
  return id == "K110" || id == "K111" || id == "K112" || id == "K113" || id == "K115";
}

}  // namespace

TEST_CASE("docs/rules.schema.json is what the command prints", "[api][golden]") {
  check_golden(std::string(KDIAG_SOURCE_DIR) + "/docs/rules.schema.json", rule_schema());
}

TEST_CASE("the schema accepts the rules and mappings that come with kdiag", "[api]") {
  for (const char* name : {"rules/std/pack.yaml", "rules/clocks/throttled.yaml", "rules/clocks/tests/throttled.yaml",
                           "rules/utilization/pack.yaml", "examples/rules/loss_reads.yaml",
                           "examples/maps/trainer_log.yaml", "examples/maps/gpu_monitor.yaml"}) {
    CAPTURE(name);
    CHECK(problems(read_file(std::string(KDIAG_SOURCE_DIR) + "/" + name)) == std::vector<std::string>{});
  }
  CHECK(problems(*rule_skeleton("a.b")) == std::vector<std::string>{});
  CHECK(problems("kdiag_test: 1\nrules: [a.yaml]\ntests:\n- facts: {kernels: absent}\n  expect: {clear: [a.b]}\n") ==
        std::vector<std::string>{});
}

TEST_CASE("the schema and the reader of mappings agree on their shape", "[api][mapping]") {
  for (const std::string& path : golden_files("maps", ".in")) {
    CAPTURE(path);
    const std::string text = read_file(path);
    if (text.find("kdiag_map:") == std::string::npos) continue;
    const Result<TraceMap> map = load_map_text("t.yaml", text);
    if (map) CHECK(problems(text) == std::vector<std::string>{});
    else if (path.find("k1xx_shape") != std::string::npos) CHECK_FALSE(problems(text).empty());
  }
}

TEST_CASE("the schema and the reader agree on the shape of files", "[api]") {
  for (const char* folder : {"rules", "check"})
    for (const std::string& path : golden_files(folder, ".in")) {
      CAPTURE(path);
      const std::string text = read_file(path);
      if (text.find("kdiag_test:") != std::string::npos) continue;  // for the schema a test file, and a good one
      Diagnostics diagnostics;
      parse_rule_file(std::make_shared<const Source>(Source{"t.yaml", text}), diagnostics);
      bool yaml = true;
      bool shape = false;
      for (const Diagnostic& diagnostic : diagnostics) {
        yaml = yaml && (diagnostic.level != Level::error || diagnostic.id > "K107");
        shape = shape || (diagnostic.level == Level::error && of_the_shape(diagnostic.id));
      }
      if (yaml && shape) CHECK_FALSE(problems(text).empty());
      const bool facts = path.find("k301_k302_facts") != std::string::npos;  // the reader leaves facts to the tests
      if (diagnostics.empty() && !facts) CHECK(problems(text) == std::vector<std::string>{});
    }
}

}  // namespace kdiag::tests
