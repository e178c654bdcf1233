// SPDX-License-Identifier: Apache-2.0
// Teaches kdiag a format of one's own: lines of `kernel name, start in us, duration in us` under a first line `#acme
// 1`.
//     custom_adapter trace.acme
// (For plain tables like this one a mapping would do without code: docs/custom-formats.md.)
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/host_adapter.hpp>
#include <kdiag/kdiag.hpp>

namespace {

constexpr std::string_view magic = "#acme 1\n";

/// Takes the text before the next separator off a line.
std::string_view take(std::string_view& line) {
  const std::size_t end = std::min(line.find(", "), line.size());
  const std::string_view cell = line.substr(0, end);
  line.remove_prefix(std::min(end + 2, line.size()));
  return cell;
}

std::optional<std::int64_t> nanoseconds(std::string_view microseconds) {
  double value = 0;
  const auto [end, error] = std::from_chars(microseconds.data(), microseconds.data() + microseconds.size(), value);
  if (error != std::errc() || end != microseconds.data() + microseconds.size() || value < 0 || value > 1e15) return {};
  return static_cast<std::int64_t>(value * 1000);
}

class AcmeAdapter final : public kdiag::HostAdapter {
 public:
  std::string_view id() const override { return "acme"; }
  int sniff(const kdiag::Head& head) const noexcept override { return head.bytes.starts_with(magic) ? 95 : 0; }

  kdiag::Status read(kdiag::Input& input, kdiag::FactSink& sink) const override {
    std::string text;  // a small format: the whole of it
    char buffer[4096];
    for (;;) {
      const auto got = input.read(buffer);
      if (!got) return got.error();
      if (*got == 0 || sink.cancelled()) break;
      text.append(buffer, *got);
      sink.keeps(0, static_cast<std::int64_t>(*got));  // counts against the limits of the host meanwhile
    }
    kdiag::Batch batch;
    std::string_view rest = std::string_view(text).substr(std::min(magic.size(), text.size()));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (!add_kernel(rest.substr(0, end), batch)) sink.note("K602");  // counted, never fatal
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    sink.keeps(0, -static_cast<std::int64_t>(text.size()));  // the batch counts itself
    kdiag::RunInfo run;
    run.producer = "Acme";
    run.clock = kdiag::ClockDomain::device;
    sink.run(std::move(run));
    sink.submit(0, std::move(batch));
    return kdiag::ok_status();
  }

 private:
  static bool add_kernel(std::string_view line, kdiag::Batch& batch) {
    const std::string_view name = take(line);
    const auto start = nanoseconds(take(line));
    const auto duration = nanoseconds(take(line));
    if (name.empty() || !start || !duration) return false;
    const kdiag::Row kernel = batch.add(kdiag::table("kernels"));
    batch.set(kernel, kdiag::column("kernels.name"), name);
    batch.set(kernel, kdiag::column("kernels.start"), *start);
    batch.set(kernel, kdiag::column("kernels.dur"), *duration);
    batch.set(kernel, kdiag::column("kernels.device"), batch.device(0));
    return true;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: custom_adapter TRACE\n";
    return 2;
  }
  const AcmeAdapter acme;
  kdiag::LoadOptions options;
  options.adapters = {&acme};
  const auto facts = kdiag::load_trace(argv[1], options);
  const auto rules = kdiag::builtin_rules();
  if (!facts || !rules) {
    std::cerr << kdiag::render(facts ? rules.error() : facts.error());
    return 2;
  }
  std::cout << kdiag::to_text(kdiag::diagnose(*facts, *rules));
}
