// SPDX-License-Identifier: Apache-2.0
// The C interface: what a load is told, and the callbacks of the host in it.
#include <array>
#include <memory>

#include <kdiag/host_adapter.hpp>

#include "api/c_handles.hpp"
#include "api/reading.hpp"

struct kdiag_reader {
  kdiag::Input& input;
  kdiag::FactSink& sink;
};

namespace kdiag::c_api {

class ContextProgress final : public LoadProgress {
 public:
  explicit ContextProgress(const kdiag_context& context) : context_(context) {}
  void show(std::string_view name, std::uint64_t bytes, std::uint64_t total) override {
    context_.progress(context_.progress_user, std::string(name).c_str(), bytes, total);
  }

 private:
  const kdiag_context& context_;
};

/// A format of the host behind the structs of C.
class CallbackAdapter final : public HostAdapter {
 public:
  explicit CallbackAdapter(const kdiag_adapter& adapter) : adapter_(adapter), id_(required_name(adapter.id)) {
    require(adapter.sniff != nullptr && adapter.read != nullptr, "an adapter has no callback");
  }
  std::string_view id() const override { return id_; }
  int sniff(const Head& head) const noexcept override {
    return adapter_.sniff(adapter_.user, head.bytes.data(), head.bytes.size());
  }
  Status read(Input& input, FactSink& sink) const override {
    kdiag_reader reader{input, sink};
    Batch batch;
    FactRows checked(batch);
    kdiag_rows rows(checked);
    kdiag_run_info info{};
    info.size = sizeof info;
    const int failure = adapter_.read(adapter_.user, &reader, &rows, &info);
    if (rows.out_of_memory) throw std::bad_alloc();
    if (failure != 0) return load_error("K762", "the adapter '" + id_ + "' of the host could not use this input");
    if (!checked.mistakes().empty()) return checked.mistakes();
    sink.run(read_run_info(info));
    sink.submit(0, std::move(batch));
    return ok_status();
  }

 private:
  kdiag_adapter adapter_;
  std::string id_;
};

struct Loading::Parts {
  explicit Parts(const kdiag_context& context) : progress(context) {}
  ContextProgress progress;
  std::vector<CallbackAdapter> adapters;
};

Loading::Loading(kdiag_context& context, const kdiag_load_options* given) : parts_(std::make_unique<Parts>(context)) {
  const kdiag_load_options options = read_options(given);
  options_.threads = context.threads;
  options_.limits = context.limits;
  options_.cancel = &context.stop;
  if (context.progress != nullptr) options_.progress = &parts_->progress;

  const auto chosen = [&](unsigned part) { return (options.scope & part) != 0; };
  constexpr unsigned all =
      KDIAG_SCOPE_STEPS | KDIAG_SCOPE_FROM | KDIAG_SCOPE_TO | KDIAG_SCOPE_RANK | KDIAG_SCOPE_DEVICE;
  if ((options.scope & ~all) != 0) throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "an unknown part of the scope is set"};
  ScopeOptions& scope = options_.scope;
  if (chosen(KDIAG_SCOPE_STEPS)) scope.steps.emplace(options.first_step, options.last_step);
  if (chosen(KDIAG_SCOPE_FROM)) scope.from_ns = options.from_ns;
  if (chosen(KDIAG_SCOPE_TO)) scope.to_ns = options.to_ns;
  if (chosen(KDIAG_SCOPE_RANK)) scope.rank = options.rank;
  if (chosen(KDIAG_SCOPE_DEVICE)) scope.device = options.device;
  if (options.within != nullptr) scope.within = options.within;

  require(options.maps != nullptr || options.map_count == 0, "an array of maps is NULL");
  for (std::size_t i = 0; i < options.map_count; ++i) {
    require(options.maps[i] != nullptr, "a map is NULL");
    options_.maps.push_back(options.maps[i]->map);
  }
  require(options.adapters != nullptr || options.adapter_count == 0, "an array of adapters is NULL");
  for (std::size_t i = 0; i < options.adapter_count; ++i) {
    require(options.adapters[i] != nullptr, "an adapter is NULL");
    parts_->adapters.emplace_back(read_options(options.adapters[i]));
  }
  for (const CallbackAdapter& adapter : parts_->adapters) options_.adapters.push_back(&adapter);
}

Loading::~Loading() = default;

RunInfo read_run_info(const kdiag_run_info& info) {
  const auto text = [](const char* given) { return given == nullptr ? std::string() : std::string(given); };
  RunInfo out;
  out.label = text(info.label);
  out.producer = text(info.producer);
  out.host = text(info.host);
  constexpr std::array clocks{ClockDomain::none, ClockDomain::unix_ns, ClockDomain::local_ns, ClockDomain::device};
  require(info.clock >= 0 && static_cast<std::size_t>(info.clock) < clocks.size(), "there is no such clock");
  out.clock = clocks[static_cast<std::size_t>(info.clock)];
  if (info.has_rank != 0) {
    out.rank = info.rank;
    if (info.world_size > 0) out.world_size = info.world_size;
  }
  out.telemetry = info.telemetry != 0;
  return out;
}

}  // namespace kdiag::c_api

using namespace kdiag;
using namespace kdiag::c_api;

int64_t kdiag_reader_read(kdiag_reader* reader, char* buffer, size_t size) {
  if (reader == nullptr || (buffer == nullptr && size > 0)) return -1;
  try {
    const Result<std::size_t> got = reader->input.read({buffer, size});
    return got ? static_cast<std::int64_t>(*got) : -1;
  } catch (...) {
    return -1;
  }
}
int kdiag_reader_cancelled(const kdiag_reader* reader) { return reader != nullptr && reader->sink.cancelled() ? 1 : 0; }
void kdiag_reader_skip(kdiag_reader* reader, const char* detail) {
  if (reader == nullptr) return;
  try {
    reader->sink.note("K602", detail == nullptr ? "" : detail, 1);
  } catch (...) {  // NOLINT(bugprone-empty-catch): a note that there is no memory for
  }
}
