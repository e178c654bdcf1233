// SPDX-License-Identifier: Apache-2.0
// Runs when kdiag is built: embed_packs OUT.cpp FOLDER/pack.yaml... writes the packs as C++, their texts (places in
// messages and `rules show` need them) and their YAML as a tree, because parsing it would be most of what a start
// takes; the tests of the rules packed. A pack that is no YAML ends the build with the usual messages.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
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

/// The tests of the rules of all packs, as BuiltinTests.
class TestTexts {
 public:
  void add(const kdiag::PackSource& pack) {
    for (const kdiag::PackSource::OfRule& rule : pack.rules) {
      if (!rule.tests) continue;
      files_ += "    {\"" + rule.tests->name + "\", " + std::to_string(rule.tests->text.size()) + "},\n";
      text_ += rule.tests->text;
    }
  }

  void write(std::ostream& out) const {
    out << "constexpr BuiltinTests::File test_files[] = {\n"
        << files_ << "};\nconstexpr std::string_view packed_tests =\n    ";
    write_literal(out, kdiag::pack_text(text_));
    out << ";\n";
  }

 private:
  std::string files_, text_;
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
  std::vector<std::string> images;
  TestTexts tests;
  for (int i = 2; i < argc; ++i) {
    const kdiag::PackSource whole = read_pack(argv[i]), pack = without_tests(whole);
    const std::vector<kdiag::SourcePtr> sources = pack.all();
    if (std::find(sources.begin(), sources.end(), nullptr) != sources.end() || !pack.pack) return 2;
    kdiag::pack_tree(whole, diagnostics);  // tells what is wrong with it, also with tests
    kdiag::Diagnostics told;
    images.push_back(kdiag::yaml_image(kdiag::pack_tree(pack, told), sources));
    tests.add(whole);
    out << "constexpr BuiltinText files_" << i << "[] = {\n";
    for (const kdiag::SourcePtr& source : sources) {
      out << "    {\"" << source->name << "\",\n     ";
      write_literal(out, source->text);
      out << "},\n";
    }
    out << "};\n";
  }
  out << "constexpr BuiltinPack packs[] = {\n";
  for (int i = 2; i < argc; ++i) {
    out << "    {files_" << i << ",\n     ";
    write_literal(out, images[static_cast<std::size_t>(i - 2)]);
    out << "},\n";
  }
  out << "};\n";
  tests.write(out);
  out << "}  // namespace\nstd::span<const BuiltinPack> builtin_packs() { return packs; }\n"
         "BuiltinTests builtin_tests() { return {test_files, packed_tests}; }\n}  // namespace kdiag\n";
  if (!diagnostics.empty()) std::cerr << kdiag::render(diagnostics);
  return diagnostics.empty() && out.flush() ? 0 : 1;
}
