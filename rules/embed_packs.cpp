// SPDX-License-Identifier: Apache-2.0
// Runs when kdiag is built: embed_packs OUT.cpp PACK.yaml... writes the packs as C++, their text (places in messages
// and `rules show` need it) and their YAML as a tree, because parsing it would be most of what a start takes. A pack
// that is no YAML ends the build with the usual messages.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <kdiag/diagnostic.hpp>

#include "dsl/yaml_image.hpp"
#include "dsl/yaml_tree.hpp"

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: embed_packs OUT.cpp PACK.yaml...\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  out << "// Made from rules/*.yaml by rules/embed_packs.cpp.\n#include \"rules/builtin_packs.hpp\"\n"
         "namespace kdiag {\nnamespace {\nconstexpr BuiltinPack packs[] = {\n";
  kdiag::Diagnostics diagnostics;
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i];
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      std::cerr << "embed_packs: cannot read " << path << '\n';
      return 2;
    }
    const auto source = std::make_shared<const kdiag::Source>(
        kdiag::Source{path, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
    const kdiag::YamlNode root = kdiag::parse_yaml(source, diagnostics);
    out << "    {\"builtin/" << path.substr(path.find_last_of('/') + 1) << "\",\n     ";
    write_literal(out, source->text);
    out << ",\n     ";
    write_literal(out, kdiag::yaml_image(root));
    out << "},\n";
  }
  out << "};\n}  // namespace\nstd::span<const BuiltinPack> builtin_packs() { return packs; }\n}  // namespace kdiag\n";
  if (!diagnostics.empty()) std::cerr << kdiag::render(diagnostics);
  return diagnostics.empty() && out.flush() ? 0 : 1;
}
