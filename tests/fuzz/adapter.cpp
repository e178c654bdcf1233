// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <kdiag/host_adapter.hpp>
#include <kdiag/kdiag.hpp>

#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

namespace kdiag::fuzz {
namespace {

/// An adapter under a name of its own, surer than all others.
class Chosen final : public HostAdapter {
 public:
  explicit Chosen(const Adapter& adapter) : adapter_(adapter) {}
  std::string_view id() const override { return "fuzzed"; }
  int sniff(const Head&) const noexcept override { return 100; }
  Status read(kdiag::Input& input, FactSink& sink) const override { return adapter_.read(input, sink); }

 private:
  const Adapter& adapter_;
};

/// Judging takes many times as long as reading. Most inputs of an adapter end at their facts, so that a fuzzer gets to
/// more of them; the other targets are there for what follows. The input alone decides: what was found comes again.
bool goes_on(std::string_view bytes) { return std::hash<std::string_view>()(bytes) % 8 == 0; }

}  // namespace

void adapter(const Adapter& adapter, Input input) {
  const Chosen chosen(adapter);
  LoadOptions options;
  options.threads = 1;
  options.adapters = {&chosen};
  const std::string_view bytes = text_of(input);
  const auto facts = load_trace("fuzz", {bytes.data(), bytes.size()}, options);
  if (!facts || goes_on(bytes)) judge(facts);
}

}  // namespace kdiag::fuzz
