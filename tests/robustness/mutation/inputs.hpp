// SPDX-License-Identifier: Apache-2.0
// What is mutated: the adapters' fixtures, by format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kdiag::mutation {

/// How the bytes of an input are built: what a mutation that knows the structure may take apart.
enum class Structure : std::uint8_t { text, database, wire };

struct WholeInput {
  std::string name;  ///< "kernel_table/normal"
  std::string bytes;
  Structure structure = Structure::text;
};

struct Format {
  std::string name;  ///< of the folder, which is the adapter's id with `_` for `-`
  std::vector<WholeInput> inputs;
};

/// The fixtures `FOLDER/<format>/<case>.in`, in alphabetical order. Those that are packed are left out: containers are
/// put around the others.
std::vector<Format> read_formats(const std::string& folder);

}  // namespace kdiag::mutation
