// SPDX-License-Identifier: Apache-2.0
// What is fuzzed: one target for each way in. One program holds all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

namespace kdiag::fuzz {

using Input = std::span<const std::uint8_t>;
inline std::string_view text_of(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// The whole way of a trace: containers, recognising, reading, judging, and every form of the report.
void trace(Input input);
/// One adapter on any bytes, what its sniffer would refuse too, and on to the rules and reports.
void adapter(const Adapter& adapter, Input input);
/// What stands behind the adapters: facts of any values, through derived facts, every built-in rule and report.
void facts(Input input);
/// Comparisons of two runs whose facts are made of the input; a run is compared with itself, too.
void compare(Input input);
/// Expressions: parsing, checking and evaluating on the facts of a tiny trace.
void expr(Input input);
/// Rule files: YAML, keys, expressions, and the rendering of what is wrong with them.
void rules(Input input);
/// Mappings, and what they make of an input: the bytes up to the first NUL are the mapping, the rest is the input.
void map(Input input);
/// Project files: settings, waivers, and that a waiver can be added to whatever has been read.
void project(Input input);
/// Reports of earlier runs, whose findings are known.
void known(Input input);
/// Traces with their findings written into them: the copy holds the facts of the trace.
void annotate(Input input);
/// Messages of an editor to `kdiag lsp`: a line each, or with their headers.
void lsp(Input input);
/// Messages of an assistant to `kdiag mcp`, which may read the examples.
void mcp(Input input);
/// Rules in Lua: scripts put together by the choices in the input, and now and then the input itself as a script.
void lua(Input input);

struct Target {
  std::string name;
  std::function<void(Input)> run;
};

/// Those above, and one for each adapter, by its id with `_` for `-`: as the folder of its fixtures.
const std::vector<Target>& targets();

}  // namespace kdiag::fuzz
