// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

void adapter(const Adapter& adapter, Input input) {
  const Chosen chosen(adapter);
  LoadOptions options;
  options.threads = 1;
  options.adapters = {&chosen};
  const std::string_view bytes = text_of(input);
  judge(load_trace("fuzz", {bytes.data(), bytes.size()}, options));
}

}  // namespace kdiag::fuzz
