// SPDX-License-Identifier: Apache-2.0
// What is mutated: the adapters' fixtures, by format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// Whether the first `size` bytes of an input end behind a record, where its format has no other end: lines of text,
/// events of a bare array, which may lack its bracket, fields of Protocol Buffers. Nobody can tell that more came then.
bool ends_with_record(std::string_view whole, std::size_t size, Structure structure);

}  // namespace kdiag::mutation
