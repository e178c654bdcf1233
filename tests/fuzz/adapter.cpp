// SPDX-License-Identifier: Apache-2.0
// Fuzzes one adapter, named by the macro ADAPTER, on any bytes: what its sniffer would refuse too.
#include <cstddef>
#include <cstdint>

#include <kdiag/adapter.hpp>

#include "adapters/util/input.hpp"

namespace kdiag::adapters {
extern const Adapter ADAPTER;
}

namespace {

class NullSink : public kdiag::FactSink {
 public:
  void run(kdiag::RunInfo) override {}
  void submit(std::uint64_t, kdiag::Batch) override {}
  void note(std::string_view, std::string_view, std::uint64_t) override {}
  void count_events(std::uint64_t) override {}
  bool cancelled() const override { return false; }
  unsigned threads() const override { return 1; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const char*>(data), size);
  auto input = kdiag::adapters::open_input("fuzz", bytes);
  if (!input) return 0;
  NullSink sink;
  (void)kdiag::adapters::ADAPTER.read(**input, sink);
  return 0;
}
