// SPDX-License-Identifier: Apache-2.0
// Runs when kdiag is built: embed_packs OUT.cpp FOLDER/pack.yaml... writes the packs as C++: their YAML as a tree,
// because parsing it would be most of what a start takes; packed, their texts (the tree, places in messages and `rules
// show` need them) and the tests of the rules. A pack that is no YAML ends the build with the usual messages.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>

#include "base/packed_text.hpp"
#include "dsl/pack_tree.hpp"
#include "dsl/yaml_image.hpp"
#include "dsl/yaml_tree.hpp"

namespace {

namespace fs = std::filesystem;

/// A file as `builtin/PACK/...`, where `rules` is the folder of the packs; null, with a message: it cannot be read.
kdiag::SourcePtr read(const fs::path& file, const fs::path& rules) {
  std::ifstream in(file, std::ios::binary);
  if (!in) std::cerr << "embed_packs: cannot read " << file << '\n';
  if (!in) return nullptr;
  const std::string name = "builtin/" + file.lexically_relative(rules).generic_string();
  return std::make_shared<const kdiag::Source>(
      kdiag::Source{name, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
}

kdiag::PackSource read_pack(const fs::path& pack) {
  const fs::path folder = pack.parent_path(), rules = folder.parent_path();
  std::vector<fs::path> files;
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".yaml" && file.path() != pack) files.push_back(file.path());
  std::sort(files.begin(), files.end());
  kdiag::PackSource out{read(pack, rules), {}};
  for (const fs::path& file : files) {
    const fs::path tests = folder / "tests" / file.filename();
    out.rules.push_back({read(file, rules), fs::exists(tests) ? read(tests, rules) : nullptr});
  }
  return out;
}

/// The bytes as a C++ string literal, a line of it for each line of text.
void write_literal(std::ostream& out, std::string_view bytes) {
  out << "std::string_view(\n        \"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out << "\\n\"\n        \"";
    } else if (c == '"' || c == '\\' || c == '?') {
      out << '\\' << c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03o", byte);
      out << escape;
    } else {
      out << c;
    }
  }
  out << "\", " << bytes.size() << ')';
}

/// The pack without the tests of its rules.
kdiag::PackSource without_tests(kdiag::PackSource pack) {
  for (kdiag::PackSource::OfRule& rule : pack.rules) rule.tests = nullptr;
  return pack;
}

/// Files of all packs, as PackedFiles.
class Texts {
 public:
  void add(const kdiag::SourcePtr& file) {
    files_ += "    {\"" + file->name + "\", " + std::to_string(file->text.size()) + "},\n";
    text_ += file->text;
    ++count_;
  }
  std::size_t count() const { return count_; }

  /// `name_files`, what they are, and `packed_name`.
  void write(std::ostream& out, const std::string& name) const {
    out << "constexpr PackedFile " << name << "_files[] = {\n"
        << files_ << "};\nconstexpr std::string_view packed_" << name << " =\n    ";
    write_literal(out, kdiag::pack_text(text_));
    out << ";\n";
  }

 private:
  std::string files_, text_;
  std::size_t count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: embed_packs OUT.cpp FOLDER/pack.yaml...\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  out << "// Made from the folders of rules/ by rules/embed_packs.cpp.\n#include \"rules/builtin_packs.hpp\"\n"
         "namespace kdiag {\nnamespace {\n";
  kdiag::Diagnostics diagnostics;
  Texts rules, tests;
  std::ostringstream packs;
  for (int i = 2; i < argc; ++i) {
    const kdiag::PackSource whole = read_pack(argv[i]), pack = without_tests(whole);
    const std::vector<kdiag::SourcePtr> sources = pack.all();
    if (std::find(sources.begin(), sources.end(), nullptr) != sources.end() || !pack.pack) return 2;
    kdiag::pack_tree(whole, diagnostics);  // tells what is wrong with it, also with tests
    kdiag::Diagnostics told;
    packs << "    {std::span(rules_files).subspan(" << rules.count() << ", " << sources.size() << "),\n     ";
    write_literal(packs, kdiag::yaml_image(kdiag::pack_tree(pack, told), sources));
    packs << "},\n";
    for (const kdiag::SourcePtr& source : sources) rules.add(source);
    for (const kdiag::PackSource::OfRule& rule : whole.rules)
      if (rule.tests) tests.add(rule.tests);
  }
  rules.write(out, "rules");
  tests.write(out, "tests");
  out << "constexpr BuiltinPack packs[] = {\n"
      << packs.str()
      << "};\n}  // namespace\nstd::span<const BuiltinPack> builtin_packs() { return packs; }\n"
         "PackedFiles builtin_rule_texts() { return {rules_files, packed_rules}; }\n"
         "PackedFiles builtin_test_texts() { return {tests_files, packed_tests}; }\n}  // namespace kdiag\n";
  if (!diagnostics.empty()) std::cerr << kdiag::render(diagnostics);
  return diagnostics.empty() && out.flush() ? 0 : 1;
}
