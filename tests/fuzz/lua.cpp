// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "tests/fuzz/targets.hpp"
#include "tests/support/random_script.hpp"

namespace {

const kdiag::Facts& tiny_facts() {
  static const std::string text = "Kernel Latency Tensor DRAM\ngemm|8000 0.55 0.20\nelementwise_kernel|4000 0 0.6\n";
  static const auto loaded = kdiag::load_trace("table.txt", std::span<const char>(text.data(), text.size()));
  if (!loaded) __builtin_trap();
  return *loaded;
}

}  // namespace

void kdiag::fuzz::lua(Input input) {
  std::size_t at = 0;
  const auto choose = [&](std::size_t n) -> std::size_t { return at < input.size() ? input[at++] % n : 0; };
  kdiag::RuleOptions options;
  options.builtin = false;
  options.lua_limits = {
      .instructions = 100'000, .memory_bytes = 4 * 1024 * 1024, .wall_ms = 0, .output_bytes = 100'000};
  std::string script(text_of(input));
  if (choose(8) != 0)
    script =
        "return { id = 'a.b', title = 't', detect = function(kd)\n" + kdiag::tests::random_script(choose) + "end }";
  const auto loaded = kdiag::load_rules_text("fuzz.lua", script, options);
  if (!loaded) {
    (void)kdiag::render(loaded.error());
    return;
  }
  (void)kdiag::render(script_mistakes(*loaded));
  DiagnoseOptions how{.threads = 1};
  if (choose(4) == 0) how.baseline = tiny_facts();
  const Report report = diagnose(tiny_facts(), *loaded, how);
  const auto why = explain(tiny_facts(), *loaded, list_rules(*loaded).front().id, how);
  for (const std::string& text :
       {to_json(report), to_text(report), to_markdown(report), why ? *why : render(why.error())})
    if (text.find_first_of("\x1b\x07\r") != std::string::npos) __builtin_trap();
}
